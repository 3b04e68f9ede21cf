import type { ValueTypeIndex } from '../../model/brand.ts';
import type { Profile, ValueType } from '../../model/profile.ts';

/** Unit of an event's sample count; periods have the unit of {@link unitOfEvent}. */
export const SAMPLES = 'samples';

/** Returns the unit of an event's period: nanoseconds for perf's clocks, otherwise the number of occurrences. */
export function unitOfEvent(event: string): string {
  return /^(?:cpu|task)-clock(?:$|[:/])/.test(event) ? 'nanoseconds' : 'count';
}

/** Returns two value types per event: its period, if the input prints one, and its number of samples. */
export function valueTypesOfEvents(
  events: readonly { readonly name: string; readonly hasPeriod: boolean }[],
): ValueType[] {
  const types = events.flatMap(({ name, hasPeriod }, event) => {
    const type = name === '' ? SAMPLES : name;
    const count = { type, unit: SAMPLES, event, column: -1 };
    return hasPeriod ? [{ type, unit: unitOfEvent(name), event, column: 0 }, count] : [count];
  });
  return types.length > 0 ? types : [{ type: SAMPLES, unit: SAMPLES, event: -1, column: -1 }];
}

/** Events that measure time, which views show before others. */
const MEASURES_TIME = /(?:^|\/)(?:cpu-)?cycles\b|^(?:cpu|task)-clock\b/;

/**
 * Returns the index of the event with which a view starts: of those that measure time (cycles, cpu-clock, task-clock),
 * else of all, the one with the most samples; of several, the first by name. A recording and its text then start alike,
 * though their events have another order.
 */
export function startEvent(names: readonly string[], samples: readonly number[]): number {
  const rank = (event: number): number => (samples[event] === 0 ? 2 : MEASURES_TIME.test(names[event]!) ? 0 : 1);
  const isBefore = (one: number, other: number): boolean => {
    if (rank(one) !== rank(other)) return rank(one) < rank(other);
    if (samples[one] !== samples[other]) return samples[one]! > samples[other]!;
    return names[one]! < names[other]!;
  };
  return names.reduce((best, _, event) => (isBefore(event, best) ? event : best), 0);
}

/** Returns the first value type of the event with which a view starts. */
export function startValueType({
  events,
  samples,
  valueTypes,
}: Pick<Profile, 'events' | 'samples' | 'valueTypes'>): ValueTypeIndex {
  const counts = events.map(() => 0);
  for (const event of samples.event ?? []) counts[event]! += 1;
  const chosen = startEvent(events, counts);
  return Math.max(
    0,
    valueTypes.findIndex(({ event }) => event === chosen),
  ) as ValueTypeIndex;
}

export function shiftTimes(times: Float64Array, by: number): void {
  for (let row = 0; row < times.length; row++) times[row]! += by;
}
