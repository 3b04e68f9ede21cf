import { ImportFailure } from '../../model/failure.ts';
import { decodeText } from './decode-text.ts';

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
/** Names of a megabyte are fine; a line beyond this is no line of a profiler's. */
const MAX_LINE_BYTES = 64 * 2 ** 20;

/** `number`: 1-based. `isUnfinished`: the input ends without a line's end, so it may be a part of a line. */
export interface TextLine {
  readonly text: string;
  readonly number: number;
  readonly isLatin1: boolean;
  readonly isUnfinished: boolean;
}

/** Cuts text into lines as its bytes come; a line's end may be LF or CRLF. */
export class TextLines {
  readonly #onLine: (line: TextLine) => void;
  #pending = new Uint8Array(0);
  #number = 0;

  constructor(onLine: (line: TextLine) => void) {
    this.#onLine = onLine;
  }

  get count(): number {
    return this.#number;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    for (let newline = chunk.indexOf(NEWLINE); newline >= 0; newline = chunk.indexOf(NEWLINE, start)) {
      this.#line(this.#joined(chunk.subarray(start, newline)), false);
      this.#pending = new Uint8Array(0);
      start = newline + 1;
    }
    this.#pending = this.#joined(chunk.subarray(start)).slice();
    if (this.#pending.length > MAX_LINE_BYTES) {
      const limit = MAX_LINE_BYTES / 2 ** 20;
      throw new ImportFailure('too-large', `a line of more than ${limit} MiB`, { line: this.#number + 1 });
    }
  }

  finish(): void {
    if (this.#pending.length > 0) this.#line(this.#pending, true);
    this.#pending = new Uint8Array(0);
  }

  #joined(part: Uint8Array): Uint8Array {
    if (this.#pending.length === 0) return part;
    const joined = new Uint8Array(this.#pending.length + part.length);
    joined.set(this.#pending);
    joined.set(part, this.#pending.length);
    return joined;
  }

  #line(bytes: Uint8Array, isUnfinished: boolean): void {
    this.#number += 1;
    const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
    const { text, latin1 } = decodeText(bytes.subarray(0, end));
    this.#onLine({ text, number: this.#number, isLatin1: latin1, isUnfinished });
  }
}

/** Whole lines of a head, without their ends. */
export function headLines(text: string, isComplete: boolean): string[] {
  const lines = text.split(/\r?\n/);
  if (!isComplete || lines.at(-1) === '') lines.pop();
  return lines;
}
