import { ImportFailure } from '../../model/failure.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `where` names the value in the refusal: `profiles[3].samples`. */
export function objectAt(value: unknown, where: string): JsonObject {
  if (isObject(value)) return value;
  throw new ImportFailure('malformed', `${where} is not an object`);
}

export function arrayAt(value: unknown, where: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new ImportFailure('malformed', `${where} is not an array`);
}

/** Absent is empty. */
export const arrayOrNone = (value: unknown, where: string): readonly unknown[] =>
  value === undefined || value === null ? [] : arrayAt(value, where);

export function numberAt(value: unknown, where: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new ImportFailure('malformed', `${where} is not a number`);
}

/** A row of a table of `length` rows. */
export function indexAt(value: unknown, length: number, where: string): number {
  const index = numberAt(value, where);
  if (Number.isInteger(index) && index >= 0 && index < length) return index;
  throw new ImportFailure('malformed', `${where} is ${index}, of ${length} rows`);
}

export const textOr = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback);

export const numberOr = (value: unknown, fallback: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : fallback;

/** A time as samples take it: none where it is beyond all numbers. */
export const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);

/** To the nearest whole number; null where it is beyond all numbers. */
export const wholeOrNone = (value: number): bigint | null =>
  Number.isFinite(value) ? BigInt(Math.round(value)) : null;

/** A line as functions and frames take it, in columns of 32 bits; 0: unknown. */
export function lineOf(value: unknown): number {
  const line = numberOr(value, 0);
  return Number.isInteger(line) && line > 0 && line < 2 ** 31 ? line : 0;
}
