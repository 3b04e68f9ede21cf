import {
  CLOSE_BRACKET,
  CLOSE_PARENTHESIS,
  COLON,
  DOT,
  MINUS,
  OPEN_BRACKET,
  SLASH,
  digitsBefore,
  hexDigit,
  isBlank,
  isDigit,
  parseDigits,
  skipBlanks,
  skipDigits,
  trimEnd,
} from './bytes.ts';

/** Longer decimal numbers may not fit into 2^53. */
const MAX_EXACT_DIGITS = 15;
/** Limits of a profile's columns; the kernel's own limits (8,192 CPUs, 4,194,304 threads) are lower. */
const MAX_CPU = 32767;
const MAX_THREAD = 2 ** 31 - 1;

/**
 * The line that begins a sample: `comm pid/tid [cpu] time: period event: …`. Everything except the thread may be
 * missing (`perf script -F`). A comm may contain anything, including numbers, brackets and colons, so the line is
 * anchored at its time, `seconds.fraction:`, and the thread is parsed leftwards from there. Source of the layout:
 * perf_sample__fprintf_start() in the kernel's tools/perf/builtin-script.c.
 *
 * One object is reused for all lines; its fields describe the last line for which `parse` returned true.
 */
export class EventLine {
  /** A sample, or another record (`PERF_RECORD_LOST lost 8`, printed by --show-lost-events and similar options). */
  kind: 'sample' | 'record' = 'sample';
  commStart = 0;
  commEnd = 0;
  /** −1 if the line has only one number: perf prints the thread's. */
  pid = -1;
  tid = -1;
  /** End of the comm, pid and tid: the bytes up to here identify the thread. */
  threadEnd = 0;
  /** −1: not printed. */
  cpu = -1;
  hasTime = false;
  seconds = 0;
  /** Nanoseconds within the second. */
  nanoseconds = 0;
  hasPeriod = false;
  period = 0;
  /** Empty if no event is printed. */
  eventStart = 0;
  eventEnd = 0;
  /** The text after the event: a frame, a tracepoint's text, or nothing. */
  restStart = 0;
  /** The line could be other text: it has no time, CPU or period. It counts as a sample if frames follow. */
  weak = false;

  /** Returns whether the line is an event; `end` excludes the line end. */
  parse(bytes: Uint8Array, start: number, end: number): boolean {
    return this.parseTimed(bytes, start, end) || this.#parseUntimed(bytes, start, end);
  }

  /**
   * Parses only lines with a time. The leftmost match is the time, because a comm has at most 15 bytes, while the text
   * after the event has no limit.
   */
  parseTimed(bytes: Uint8Array, start: number, end: number): boolean {
    for (let at = start + 1; at < end; at++) {
      if (bytes[at] !== COLON || !isDigit(bytes[at - 1]!)) continue;
      if (at + 1 < end && !isBlank(bytes[at + 1]!)) continue;
      const fraction = digitsBefore(bytes, start, at);
      const point = fraction - 1;
      if (at - fraction < 3 || at - fraction > 9 || point <= start || bytes[point] !== DOT) continue;
      const time = digitsBefore(bytes, start, point);
      if (time === point || point - time > MAX_EXACT_DIGITS || (time > start && !isBlank(bytes[time - 1]!))) continue;
      if (!this.#parseThread(bytes, start, time) || !this.#parseEvent(bytes, at + 1, end, true)) continue;
      this.hasTime = true;
      this.seconds = parseDigits(bytes, time, point);
      this.nanoseconds = parseDigits(bytes, fraction, at) * 10 ** (9 - (at - fraction));
      this.weak = false;
      return true;
    }
    return false;
  }

  /**
   * Parses `java 19983 cycles:`, `java 19983 [001] cycles: ffff… main (java)` and `java 19983`. The leftmost number
   * that fits is the thread.
   */
  #parseUntimed(bytes: Uint8Array, start: number, end: number): boolean {
    this.hasTime = false;
    let at = skipBlanks(bytes, start, end);
    while (at < end) {
      let tokenEnd = at;
      while (tokenEnd < end && !isBlank(bytes[tokenEnd]!)) tokenEnd += 1;
      if (isDigit(bytes[tokenEnd - 1]!) || bytes[tokenEnd - 1] === CLOSE_BRACKET) {
        if (this.#parseThread(bytes, start, tokenEnd) && this.#parseEvent(bytes, tokenEnd, end, false)) {
          this.weak = this.cpu < 0 && !this.hasPeriod;
          return true;
        }
      }
      at = skipBlanks(bytes, tokenEnd, end);
    }
    return false;
  }

  /** Parses `comm pid/tid [cpu] flags` ending at `end`; flags are those of -F misc. */
  #parseThread(bytes: Uint8Array, start: number, end: number): boolean {
    let last = trimEnd(bytes, start, end);
    const flags = letterTokenBefore(bytes, start, last);
    if (flags < last) last = trimEnd(bytes, start, flags);
    this.cpu = -1;
    if (last > start && bytes[last - 1] === CLOSE_BRACKET) {
      const digits = digitsBefore(bytes, start, last - 1);
      if (digits === last - 1 || digits === start || bytes[digits - 1] !== OPEN_BRACKET) return false;
      this.cpu = parseDigits(bytes, digits, last - 1);
      if (this.cpu > MAX_CPU) return false;
      last = trimEnd(bytes, start, digits - 1);
    }
    const tid = numberBefore(bytes, start, last);
    if (tid === last) return false;
    let first = tid;
    if (tid > start && bytes[tid - 1] === SLASH) {
      first = numberBefore(bytes, start, tid - 1);
      if (first === tid - 1) return false;
    }
    if (first > start && !isBlank(bytes[first - 1]!)) return false;
    this.pid = first === tid ? -1 : parseSigned(bytes, first, tid - 1);
    this.tid = parseSigned(bytes, tid, last);
    if (Math.abs(this.pid) > MAX_THREAD || Math.abs(this.tid) > MAX_THREAD) return false;
    this.threadEnd = last;
    this.commStart = skipBlanks(bytes, start, first);
    this.commEnd = trimEnd(bytes, this.commStart, first);
    return true;
  }

  /** Parses `period event: rest`, all of which may be missing. */
  #parseEvent(bytes: Uint8Array, start: number, end: number, afterTime: boolean): boolean {
    this.kind = 'sample';
    this.hasPeriod = false;
    let at = skipBlanks(bytes, start, end);
    this.eventStart = this.eventEnd = this.restStart = at;
    if (at === end) return true;
    const digitsEnd = skipDigits(bytes, at, end);
    // Without a time before it, a period can be distinguished from a thread id only by its column width, 10.
    if (digitsEnd > at && digitsEnd < end && isBlank(bytes[digitsEnd]!) && (afterTime || digitsEnd - start > 10)) {
      this.hasPeriod = true;
      this.period = parseDigits(bytes, at, digitsEnd);
      at = skipBlanks(bytes, digitsEnd, end);
    }
    this.eventStart = at;
    let tokenEnd = at;
    while (tokenEnd < end && !isBlank(bytes[tokenEnd]!)) tokenEnd += 1;
    if (startsWith(bytes, at, tokenEnd, RECORD)) {
      this.kind = 'record';
      return true;
    }
    if (tokenEnd - at > 1 && bytes[tokenEnd - 1] === COLON) {
      this.eventEnd = tokenEnd - 1;
      this.restStart = skipBlanks(bytes, tokenEnd, end);
      // Event names never begin with a digit; a time that does not fit would.
      return afterTime || !isDigit(bytes[at]!);
    }
    this.eventEnd = at;
    this.restStart = at;
    return !this.hasPeriod && startsLikeFrame(bytes, at, tokenEnd, end);
  }
}

/** Checks only for an address and a parenthesis at the end, because a line may have many candidate positions. */
function startsLikeFrame(bytes: Uint8Array, at: number, tokenEnd: number, end: number): boolean {
  if (at === tokenEnd || tokenEnd - at > 16 || bytes[end - 1] !== CLOSE_PARENTHESIS) return false;
  return bytes.subarray(at, tokenEnd).every((byte) => hexDigit(byte) >= 0);
}

const RECORD = new TextEncoder().encode('PERF_RECORD_');

function startsWith(bytes: Uint8Array, at: number, end: number, text: Uint8Array): boolean {
  if (end - at < text.length) return false;
  return text.every((byte, index) => bytes[at + index] === byte);
}

/**
 * Returns the start of a token of up to six upper case letters that ends at `end` and follows a blank; `end` if there
 * is none.
 */
function letterTokenBefore(bytes: Uint8Array, start: number, end: number): number {
  let first = end;
  while (first > start && end - first < 7 && bytes[first - 1]! >= 65 && bytes[first - 1]! <= 90) first -= 1;
  return first < end && end - first < 7 && first > start && isBlank(bytes[first - 1]!) ? first : end;
}

/** Returns the start of the (possibly negative) number that ends at `end`. */
function numberBefore(bytes: Uint8Array, start: number, end: number): number {
  const first = digitsBefore(bytes, start, end);
  return first < end && first > start && bytes[first - 1] === MINUS ? first - 1 : first;
}

function parseSigned(bytes: Uint8Array, start: number, end: number): number {
  return bytes[start] === MINUS ? -parseDigits(bytes, start + 1, end) : parseDigits(bytes, start, end);
}
