import type { JfrOperation } from './metadata.ts';

/** One weight of an event's samples. */
export interface JfrWeight {
  readonly type: string;
  readonly unit: string;
  /** The event's field that contains it; null: each sample counts 1. */
  readonly field: string | null;
  /** The field counts samples, each of which represents the profiler's interval. */
  readonly isIntervals?: boolean;
}

const counted = (type: string): JfrWeight => ({ type, unit: 'count', field: null });
const bytes = (type: string, field: string): JfrWeight => ({ type, unit: 'bytes', field });
const lasting = (type: string): JfrWeight => ({ type, unit: 'nanoseconds', field: 'duration' });

/**
 * Weights of well-known events, in the words of pprof and of Pyroscope. Views start with the first of these events that
 * a recording contains. Allocations in a new TLAB weigh the whole TLAB, which is what was taken from the heap.
 */
const KNOWN_EVENTS: ReadonlyMap<string, readonly JfrWeight[]> = new Map([
  ['jdk.ExecutionSample', [counted('samples')]],
  ['jdk.CPUTimeSample', [counted('cpu_samples'), { type: 'cpu_time', unit: 'nanoseconds', field: 'samplingPeriod' }]],
  [
    'profiler.WallClockSample',
    [
      { type: 'wall_samples', unit: 'count', field: 'samples' },
      { type: 'wall', unit: 'nanoseconds', field: 'samples', isIntervals: true },
    ],
  ],
  ['jdk.NativeMethodSample', [counted('native_samples')]],
  ['jdk.ObjectAllocationSample', [counted('alloc_samples'), bytes('alloc_sample_bytes', 'weight')]],
  [
    'jdk.ObjectAllocationInNewTLAB',
    [
      counted('alloc_in_new_tlab_objects'),
      bytes('alloc_in_new_tlab_bytes', 'tlabSize'),
      bytes('alloc_in_new_tlab_object_bytes', 'allocationSize'),
    ],
  ],
  [
    'jdk.ObjectAllocationOutsideTLAB',
    [counted('alloc_outside_tlab_objects'), bytes('alloc_outside_tlab_bytes', 'allocationSize')],
  ],
  ['profiler.LiveObject', [counted('live_objects'), bytes('live_bytes', 'allocationSize')]],
  ['profiler.Malloc', [counted('malloc_objects'), bytes('malloc_bytes', 'size')]],
  ['jdk.JavaMonitorEnter', [counted('contentions'), lasting('delay')]],
  ['jdk.JavaMonitorWait', [counted('waits'), lasting('wait')]],
  ['jdk.ThreadPark', [counted('parks'), lasting('park')]],
  ['jdk.OldObjectSample', [counted('old_objects'), bytes('old_object_bytes', 'objectSize')]],
]);

/** Returns an event's rank for the initial view; smaller ranks come first. */
export function rankOfEvent(name: string): number {
  const rank = [...KNOWN_EVENTS.keys()].indexOf(name);
  return rank < 0 ? KNOWN_EVENTS.size : rank;
}

/**
 * Returns the weights of an event's samples: for an unknown event its count, its duration if it has one, and its
 * amounts of data.
 */
export function weightsOfEvent(name: string, operations: readonly JfrOperation[]): readonly JfrWeight[] {
  const known = KNOWN_EVENTS.get(name);
  if (known !== undefined) return known;
  const others = operations.flatMap(({ path, primitive, unit }): JfrWeight[] => {
    if (path === 'duration' && primitive === 'long') return [{ type: name, unit: 'nanoseconds', field: path }];
    return unit === 'BYTES' ? [{ type: `${name}.${path}`, unit: 'bytes', field: path }] : [];
  });
  return [counted(name), ...others.slice(0, MAX_WEIGHTS)];
}

/** Maximum weights of an event other than its count; those of the JDK have at most three. */
export const MAX_WEIGHTS = 4;

/**
 * Returns the type of a time weight of `ExecutionSample` for async-profiler's event; for other events the interval is a
 * count of them.
 */
export function intervalType(event: string): { readonly type: string; readonly unit: string } {
  if (event === 'wall') return { type: 'wall', unit: 'nanoseconds' };
  if (event === 'cpu' || event === 'itimer' || event === 'ctimer') return { type: 'cpu', unit: 'nanoseconds' };
  return { type: event, unit: 'count' };
}

/** Samples of known events are kept even without a stack. */
export const isKnownEvent = (name: string): boolean => KNOWN_EVENTS.has(name);
