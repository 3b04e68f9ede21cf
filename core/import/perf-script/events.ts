import type { ValueType } from '../../model/profile.ts';

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
