import type { ValueType } from '../../model/profile.ts';

/** What the count of an event's samples is measured in; its periods are measured in {@link unitOfEvent}. */
export const SAMPLES = 'samples';

/** The unit of an event's period: nanoseconds for perf's clocks, else the number of times that it happened. */
export function unitOfEvent(event: string): string {
  return /^(?:cpu|task)-clock(?:$|[:/])/.test(event) ? 'nanoseconds' : 'count';
}

/** Two ways to weigh each event: its period, where the input prints one, and the number of its samples. */
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
