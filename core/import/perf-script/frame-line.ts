import { CLOSE_PARENTHESIS, OPEN_PARENTHESIS, PLUS, hexDigit, isBlank, skipBlanks, trimEnd } from './bytes.ts';

/**
 * A frame: `address name+0xoffset (module)`. If the line is indented, the module may be missing (`-F ip,sym`), and so
 * may the name (`-F ip`); `(inlined)` in place of the module marks a frame that was inlined into the next one. Source
 * of the layout: sample__fprintf_callchain() in the kernel's tools/perf/util/evsel_fprintf.c.
 *
 * One object is reused for all lines; its fields describe the last line for which `parse` returned true.
 */
export class FrameLine {
  /** Upper and lower half, unsigned. */
  addressHigh = 0;
  addressLow = 0;
  nameStart = 0;
  /** Without the offset. */
  nameEnd = 0;
  /** Bytes into the function; −1 if the line does not say. */
  offset = -1;
  moduleStart = 0;
  /** Without the offset that -F dsoff adds. */
  moduleEnd = 0;
  inlined = false;

  /** Returns whether the line is a frame; `end` excludes the line end. */
  parse(bytes: Uint8Array, start: number, end: number): boolean {
    const first = skipBlanks(bytes, start, end);
    const nameStart = this.#parseAddress(bytes, first, end);
    if (nameStart < 0) return false;
    const last = trimEnd(bytes, nameStart, end);
    const open = moduleOpening(bytes, nameStart, last);
    if (open < 0 && (first === start || !isBalanced(bytes, nameStart, last))) return false;
    this.nameStart = nameStart;
    const nameEnd = open < 0 ? last : trimEnd(bytes, nameStart, open);
    this.nameEnd = withoutOffset(bytes, nameStart, nameEnd);
    this.offset = hexNumber(bytes, this.nameEnd + OFFSET_PREFIX, nameEnd);
    this.moduleStart = open < 0 ? last : open + 1;
    this.moduleEnd = open < 0 ? last : withoutOffset(bytes, open + 1, last - 1);
    this.inlined = equals(bytes, this.moduleStart, this.moduleEnd, INLINED);
    return true;
  }

  /** Returns the position after the address, or −1. */
  #parseAddress(bytes: Uint8Array, start: number, end: number): number {
    let high = 0;
    let low = 0;
    let at = start;
    for (; at < end; at++) {
      const digit = hexDigit(bytes[at]!);
      if (digit < 0) break;
      high = (high << 4) | (low >>> 28);
      low = (low << 4) | digit;
    }
    if (at === start || at - start > 16 || (at < end && !isBlank(bytes[at]!))) return -1;
    this.addressHigh = high >>> 0;
    this.addressLow = low >>> 0;
    return skipBlanks(bytes, at, end);
  }
}

const encoder = new TextEncoder();
const INLINED = encoder.encode('inlined');
const UNKNOWN = encoder.encode('[unknown]');

/** Returns whether the line has an address and, at its end, a module in parentheses. */
export function looksLikeFrame(bytes: Uint8Array, start: number, end: number): boolean {
  const last = trimEnd(bytes, start, end);
  return new FrameLine().parse(bytes, start, last) && moduleOpening(bytes, start, last) >= 0;
}

/**
 * Returns start and end of the frame in the text after an event; null if there is none. A branch (`jcc 7f00 f (app) =>
 * 7f10 g (app)`, from Intel PT and BTS, with its flags or without) counts for the side that it comes from, as in `perf
 * report`.
 */
export function frameOfEventLine(bytes: Uint8Array, start: number, end: number): [start: number, end: number] | null {
  for (let arrow = start; arrow + 2 < end; arrow++) {
    if (bytes[arrow] !== EQUALS || bytes[arrow + 1] !== GREATER) continue;
    if (!isBlank(bytes[arrow - 1]!) || !isBlank(bytes[arrow + 2]!)) continue;
    let from = start;
    for (let words = 0; words < MAX_FLAGS && from < arrow; words++) {
      if (looksLikeFrame(bytes, from, arrow)) return [from, trimEnd(bytes, from, arrow)];
      while (from < arrow && !isBlank(bytes[from]!)) from += 1;
      from = skipBlanks(bytes, from, arrow);
    }
  }
  return start < end && looksLikeFrame(bytes, start, end) ? [start, end] : null;
}

/** `tr end  hw int (x)` has five words. */
const MAX_FLAGS = 6;
const EQUALS = 0x3d;
const GREATER = 0x3e;

/** Returns whether no symbol was found: perf prints `[unknown]`, versions before 3.x nothing. */
export function isUnresolved(bytes: Uint8Array, start: number, end: number): boolean {
  return start === end || equals(bytes, start, end, UNKNOWN);
}

/**
 * Returns the position of the parenthesis that the line's last one closes, or −1. Names and paths may contain
 * parentheses and spaces (`operator()(int) (/srv/My App (x86)/app (deleted))`), so this is the balanced one that
 * follows a space, otherwise the last one that does.
 */
function moduleOpening(bytes: Uint8Array, start: number, end: number): number {
  if (end === start || bytes[end - 1] !== CLOSE_PARENTHESIS) return -1;
  let depth = 0;
  let fallback = -1;
  for (let at = end - 1; at >= start; at--) {
    const byte = bytes[at]!;
    if (byte === CLOSE_PARENTHESIS) depth += 1;
    if (byte !== OPEN_PARENTHESIS) continue;
    depth -= 1;
    const opens = at === start || isBlank(bytes[at - 1]!);
    if (opens && depth === 0) return at;
    if (opens && fallback < 0) fallback = at;
  }
  return fallback;
}

/** A line cut off within its module has an open parenthesis. */
function isBalanced(bytes: Uint8Array, start: number, end: number): boolean {
  let depth = 0;
  for (let at = start; at < end; at++) {
    if (bytes[at] === OPEN_PARENTHESIS) depth += 1;
    else if (bytes[at] === CLOSE_PARENTHESIS) depth -= 1;
  }
  return depth === 0;
}

/** Returns the number that the digits are; −1 without any. */
function hexNumber(bytes: Uint8Array, start: number, end: number): number {
  let value = start < end ? 0 : -1;
  for (let at = start; at < end; at++) value = value * 16 + hexDigit(bytes[at]!);
  return value;
}

/** `+0x` */
const OFFSET_PREFIX = 3;

/** Strips a trailing `+0x1f`. */
function withoutOffset(bytes: Uint8Array, start: number, end: number): number {
  let at = end;
  while (at > start && hexDigit(bytes[at - 1]!) >= 0) at -= 1;
  const offset = at - 3;
  const isOffset =
    at < end && offset >= start && bytes[at - 1] === 120 && bytes[at - 2] === 48 && bytes[offset] === PLUS;
  return isOffset ? offset : end;
}

function equals(bytes: Uint8Array, start: number, end: number, text: Uint8Array): boolean {
  if (end - start !== text.length) return false;
  for (let index = 0; index < text.length; index++) if (bytes[start + index] !== text[index]) return false;
  return true;
}
