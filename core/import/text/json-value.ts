import { malformed } from '../../model/failure.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `where` names the value in the message: `profiles[3].samples`. */
export function objectAt(value: unknown, where: string): JsonObject {
  if (isObject(value)) return value;
  throw malformed(`${where} is not an object`);
}

export function arrayAt(value: unknown, where: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw malformed(`${where} is not an array`);
}

/** An absent value counts as empty. */
export const arrayOrNone = (value: unknown, where: string): readonly unknown[] =>
  value === undefined || value === null ? [] : arrayAt(value, where);

export function numberAt(value: unknown, where: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw malformed(`${where} is not a number`);
}

/** Returns a row index of a table with `length` rows. */
export function indexAt(value: unknown, length: number, where: string): number {
  const index = numberAt(value, where);
  if (Number.isInteger(index) && index >= 0 && index < length) return index;
  throw malformed(`${where} is ${index}, of ${length} rows`);
}

/** Visits an object and all `children` below it, callers first; `visit` returns what is `above` the object's children. */
export function visitTree<T>(root: JsonObject, first: T, visit: (node: JsonObject, above: T) => T): void {
  const waiting = [{ node: root, above: first }];
  for (const { node, above } of waiting) {
    const own = visit(node, above);
    for (const child of arrayOrNone(node['children'], 'children of a node'))
      waiting.push({ node: objectAt(child, 'a node'), above: own });
  }
}

export const textOr = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback);

export const numberOr = (value: unknown, fallback: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : fallback;

/** Returns a time for samples; none if the value exceeds the range of numbers. */
export const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);

/** Rounds to the nearest integer; null if the value is infinite. */
export const wholeOrNone = (value: number): bigint | null =>
  Number.isFinite(value) ? BigInt(Math.round(value)) : null;

/** Returns a line for the 32-bit columns of functions and frames; 0 if unknown. */
export function lineOf(value: unknown): number {
  const line = numberOr(value, 0);
  return Number.isInteger(line) && line > 0 && line < 2 ** 31 ? line : 0;
}
