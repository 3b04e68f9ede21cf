/** The numbers at the end of a folded line. */
export interface Counts {
  /** End of the stack in the bytes, without the spaces before the numbers. */
  readonly stackEnd: number;
  readonly first: number;
  /** 0 if the line has one number. */
  readonly second: number;
}

const TAB = 0x09;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const HASH = 0x23;
const MINUS = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const ZERO = 0x30;

/**
 * Returns whether the line is `# text`, a lone `#` or `// text`. Names may begin with `#` (private methods of
 * JavaScript), hence the space.
 */
export function isComment(bytes: Uint8Array, start: number, end: number): boolean {
  const mark = bytes[start] === HASH ? 1 : bytes[start] === SLASH && bytes[start + 1] === SLASH ? 2 : 0;
  return mark > 0 && start + mark <= end && (start + mark === end || isBlank(bytes[start + mark]!));
}

/** Returns the numbers at the end of `bytes[start, end)`: one, or two if `two`. Null if the line has another form. */
export function countsOfLine(bytes: Uint8Array, start: number, end: number, two: boolean): Counts | 'blank' | null {
  const lineEnd = trimEnd(bytes, start, end);
  if (lineEnd === start) return 'blank';
  const lastStart = tokenStart(bytes, start, lineEnd);
  const last = parseCount(bytes, lastStart, lineEnd);
  let stackEnd = trimEnd(bytes, start, lastStart);
  if (Number.isNaN(last) || stackEnd === start || stackEnd === lastStart) return null;
  if (!two) return { stackEnd, first: last, second: 0 };
  const firstStart = tokenStart(bytes, start, stackEnd);
  const first = parseCount(bytes, firstStart, stackEnd);
  stackEnd = trimEnd(bytes, start, firstStart);
  if (Number.isNaN(first) || stackEnd === start || stackEnd === firstStart) return null;
  return { stackEnd, first, second: last };
}

function trimEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = end;
  while (at > start && isBlank(bytes[at - 1]!)) at -= 1;
  return at;
}

function tokenStart(bytes: Uint8Array, start: number, end: number): number {
  let at = end;
  while (at > start && !isBlank(bytes[at - 1]!)) at -= 1;
  return at;
}

function isBlank(byte: number): boolean {
  return byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN;
}

/** Number of decimal digits that always fit into a double exactly. */
const EXACT_DIGITS = 15;
/** Longer numbers are not counts. */
const MAX_COUNT_LENGTH = 64;

/** Parses `12`, `12.`, `12.5`, `1.5e+21`, also after a minus; NaN for anything else. Correctly rounded. */
function parseCount(bytes: Uint8Array, start: number, end: number): number {
  // Not negated, so that 0 stays 0.
  return bytes[start] === MINUS ? 0 - parsePositive(bytes, start + 1, end) : parsePositive(bytes, start, end);
}

function parsePositive(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length === 0 || length > MAX_COUNT_LENGTH) return Number.NaN;
  let digits = 0;
  let value = 0;
  let dot = -1;
  for (let at = start; at < end; at++) {
    const digit = bytes[at]! - ZERO;
    if (digit >= 0 && digit <= 9) {
      value = value * 10 + digit;
      digits += 1;
    } else if (bytes[at] === DOT && dot < 0 && digits > 0) {
      dot = at;
    } else {
      return parseAsText(bytes, start, end);
    }
  }
  if (digits > EXACT_DIGITS) return parseAsText(bytes, start, end);
  // Both operands are exact, so the quotient is the double nearest to the decimal number.
  return dot < 0 ? value : value / 10 ** (end - 1 - dot);
}

function parseAsText(bytes: Uint8Array, start: number, end: number): number {
  const text = String.fromCharCode(...bytes.subarray(start, end));
  const value = /^\d+(\.\d*)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : Number.NaN;
}
