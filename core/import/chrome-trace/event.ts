import { isObject, numberOr, textOr, type JsonObject } from '../text/json-value.ts';

/** One entry of a trace, with the fields that all phases share. */
export interface TraceEvent {
  /** B, E, X, M, P, I… */
  readonly phase: string;
  /** `(unnamed)` if there is none. */
  readonly name: string;
  /** As in the trace: numbers, or text from some tools. */
  readonly pid: string;
  readonly tid: string;
  /** Microseconds; NaN if there is none. */
  readonly time: number;
  readonly args: JsonObject | null;
  readonly fields: JsonObject;
}

export function traceEvent(fields: JsonObject): TraceEvent {
  const { args } = fields;
  return {
    phase: textOr(fields['ph'], ''),
    name: textOr(fields['name'], '') || '(unnamed)',
    pid: idText(fields['pid']),
    tid: idText(fields['tid']),
    time: numeric(fields['ts']),
    args: isObject(args) ? args : null,
    fields,
  };
}

/** Returns whether the event states a name, which an end may omit. */
export const isNamed = ({ fields }: TraceEvent): boolean => textOr(fields['name'], '') !== '';

/** Returns the text of a number or a text; empty for anything else. */
export const idText = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : '';

/** Hermes writes numbers as text. */
export function numeric(value: unknown): number {
  const number = typeof value === 'string' && value !== '' ? Number(value) : numberOr(value, Number.NaN);
  return Number.isFinite(number) ? number : Number.NaN;
}

/** Returns the duration of a complete event in microseconds. */
export function durationOf({ fields }: TraceEvent): number {
  const durations = [numeric(fields['dur']), numeric(fields['tdur'])];
  return Math.max(0, durations.find((duration) => !Number.isNaN(duration)) ?? 0);
}
