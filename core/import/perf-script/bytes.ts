/** Character classes of `perf script` text. Fields are separated by spaces, in simpleperf's text by tabs. */

export const TAB = 9;
export const NEWLINE = 10;
export const CARRIAGE_RETURN = 13;
export const BLANK = 32;
export const HASH_SIGN = 35;
export const OPEN_PARENTHESIS = 40;
export const CLOSE_PARENTHESIS = 41;
export const PLUS = 43;
export const MINUS = 45;
export const DOT = 46;
export const SLASH = 47;
export const COLON = 58;
export const OPEN_BRACKET = 91;
export const CLOSE_BRACKET = 93;

const DIGIT_0 = 48;
const DIGIT_9 = 57;

export function isBlank(byte: number): boolean {
  return byte === BLANK || byte === TAB;
}

export function isDigit(byte: number): boolean {
  return byte >= DIGIT_0 && byte <= DIGIT_9;
}

/** Returns 0–15, or −1. Accepts only lower case, in which perf prints addresses. */
export function hexDigit(byte: number): number {
  if (byte >= DIGIT_0 && byte <= DIGIT_9) return byte - DIGIT_0;
  if (byte >= 97 && byte <= 102) return byte - 87;
  return -1;
}

/** Returns the first byte at or after `at` that is not blank, at most `end`. */
export function skipBlanks(bytes: Uint8Array, at: number, end: number): number {
  let next = at;
  while (next < end && isBlank(bytes[next]!)) next += 1;
  return next;
}

/** Returns the end of [start, end) without trailing blanks. */
export function trimEnd(bytes: Uint8Array, start: number, end: number): number {
  let last = end;
  while (last > start && isBlank(bytes[last - 1]!)) last -= 1;
  return last;
}

/** Returns the end of the digits that begin at `at`; `at` if there are none. */
export function skipDigits(bytes: Uint8Array, at: number, end: number): number {
  let next = at;
  while (next < end && isDigit(bytes[next]!)) next += 1;
  return next;
}

/** Returns the start of the digits that end at `end`, not before `start`; `end` if there are none. */
export function digitsBefore(bytes: Uint8Array, start: number, end: number): number {
  let first = end;
  while (first > start && isDigit(bytes[first - 1]!)) first -= 1;
  return first;
}

/** Parses decimal digits; beyond 2^53 the result is the nearest number. */
export function parseDigits(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 10 + (bytes[at]! - DIGIT_0);
  return value;
}
