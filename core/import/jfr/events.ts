import type { JfrOperation } from './metadata.ts';

/** One weight of an event's samples. */
export interface JfrWeight {
  readonly type: string;
  readonly unit: string;
  /** The event's field that holds it; null: each sample counts 1. */
  readonly field: string | null;
  /** The field counts samples, each of which stands for the profiler's interval. */
  readonly isIntervals?: boolean;
}

const counted = (type: string): JfrWeight => ({ type, unit: 'count', field: null });
const bytes = (type: string, field: string): JfrWeight => ({ type, unit: 'bytes', field });
const lasting = (type: string): JfrWeight => ({ type, unit: 'nanoseconds', field: 'duration' });

/**
 * What samples of well-known events weigh, in the words of pprof and of Pyroscope. The first event of these that a recording holds is
 * what views start with. Allocations in a new TLAB weigh the TLAB, which is what was taken from the heap.
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

/** Where an event stands among those that views start with; greater is later. */
export function rankOfEvent(name: string): number {
  const rank = [...KNOWN_EVENTS.keys()].indexOf(name);
  return rank < 0 ? KNOWN_EVENTS.size : rank;
}

/** What samples of an event weigh: of an unknown one its count, its duration where it has one, and its amounts of data. */
export function weightsOfEvent(name: string, operations: readonly JfrOperation[]): readonly JfrWeight[] {
  const known = KNOWN_EVENTS.get(name);
  if (known !== undefined) return known;
  const others = operations.flatMap(({ path, primitive, unit }): JfrWeight[] => {
    if (path === 'duration' && primitive === 'long') return [{ type: name, unit: 'nanoseconds', field: path }];
    return unit === 'BYTES' ? [{ type: `${name}.${path}`, unit: 'bytes', field: path }] : [];
  });
  return [counted(name), ...others.slice(0, MAX_WEIGHTS)];
}

/** Of one event beside its count: those of the JDK have three at most. */
export const MAX_WEIGHTS = 4;

/** What a weight of `ExecutionSample` in time is, by async-profiler's event; of other events the interval is a count of them. */
export function intervalType(event: string): { readonly type: string; readonly unit: string } {
  if (event === 'wall') return { type: 'wall', unit: 'nanoseconds' };
  if (event === 'cpu' || event === 'itimer' || event === 'ctimer') return { type: 'cpu', unit: 'nanoseconds' };
  return { type: event, unit: 'count' };
}

/** Its samples are kept even where they have no stack. */
export const isKnownEvent = (name: string): boolean => KNOWN_EVENTS.has(name);
