import { DiagnosticCounter } from '../../model/diagnostics.ts';
import { tooLarge, type ImportFailure } from '../../model/failure.ts';
import { NOT_UTF8, UNFINISHED_LINE } from '../common-diagnostics.ts';
import { decodeText } from '../../model/decode-text.ts';

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
/** Names of a megabyte are accepted; profilers do not write longer lines than this. */
const MAX_LINE_BYTES = 64 * 2 ** 20;

/** `number` is 1-based. `isUnfinished`: the input ends without a line end, so the line may be incomplete. */
export interface TextLine {
  readonly text: string;
  readonly number: number;
  readonly isUnfinished: boolean;
}

/** Splits text into lines as its bytes arrive; lines end in LF or CRLF. */
export class TextLines {
  /** Counts lines that are not valid UTF-8, and the last one if it has no line end. */
  readonly diagnostics: DiagnosticCounter;
  readonly #onLine: (line: TextLine) => void;
  readonly #maxBytes: number;
  /**
   * Start of a line whose end has not arrived; the first `#used` bytes are set. Doubles when it grows, so a line is
   * copied at most twice.
   */
  #pending = new Uint8Array(0);
  #used = 0;
  #number = 0;

  /** A line longer than `maxBytes` is `too-large`. */
  constructor(
    onLine: (line: TextLine) => void,
    maxBytes = MAX_LINE_BYTES,
    diagnostics: DiagnosticCounter = new DiagnosticCounter(),
  ) {
    this.#onLine = onLine;
    this.#maxBytes = maxBytes;
    this.diagnostics = diagnostics;
  }

  get count(): number {
    return this.#number;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    for (let newline = chunk.indexOf(NEWLINE); newline >= 0; newline = chunk.indexOf(NEWLINE, start)) {
      const part = chunk.subarray(start, newline);
      this.#refuseLonger(this.#used + part.length);
      this.#line(this.#used === 0 ? part : this.#keep(part), false);
      this.#used = 0;
      start = newline + 1;
    }
    this.#refuseLonger(this.#used + chunk.length - start);
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  finish(): void {
    if (this.#used > 0) this.#line(this.#pending.subarray(0, this.#used), true);
    this.#used = 0;
  }

  /** Returns everything kept so far, valid until the next call. */
  #keep(part: Uint8Array): Uint8Array {
    const length = this.#used + part.length;
    if (length > this.#pending.length)
      this.#pending = new Uint8Array(this.#pending.buffer.transfer(Math.max(length, this.#pending.length * 2)));
    this.#pending.set(part, this.#used);
    this.#used = length;
    return this.#pending.subarray(0, length);
  }

  #refuseLonger(bytes: number): void {
    if (bytes <= this.#maxBytes) return;
    throw lineTooLong(this.#maxBytes, this.#number + 1);
  }

  #line(bytes: Uint8Array, isUnfinished: boolean): void {
    this.#number += 1;
    const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
    const { text, latin1 } = decodeText(bytes.subarray(0, end));
    if (latin1) this.diagnostics.atLine(...NOT_UTF8, this.#number, 'info');
    if (isUnfinished && text.trim() !== '') this.diagnostics.atLine(...UNFINISHED_LINE, this.#number, 'info');
    this.#onLine({ text, number: this.#number, isUnfinished });
  }
}

export const lineTooLong = (maxBytes: number, line: number): ImportFailure =>
  tooLarge(
    `a line of more than ${maxBytes / 2 ** 20} MiB; choose another format, or export the profile again with line breaks`,
    line,
  );

/** Returns the whole lines of a head, without their line ends. */
export function headLines(text: string, isComplete: boolean): string[] {
  const lines = text.split(/\r?\n/);
  if (!isComplete || lines.at(-1) === '') lines.pop();
  return lines;
}

/** Yields the lines of a head as [start, end) without their ends, and an unfinished last one only if it `isComplete`. */
export function* linesOf(bytes: Uint8Array, isComplete: boolean): Generator<readonly [start: number, end: number]> {
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, start);
    if (newline < 0 && !isComplete) return;
    const end = newline < 0 ? bytes.length : newline;
    yield [start, end > start && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end];
    start = end + 1;
  }
}
