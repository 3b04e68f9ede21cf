/** Counters of the format are 64 bits wide. */
const MAX_NUMBER = 2 ** 64;
const NUMBER = /^(?:[+-]?\d{1,20}|[+-]?0x[0-9a-fA-F]{1,16}|\*)$/;

/** What a cost line says; numbers beyond those that are written are 0. */
export interface CostLine {
  /** Of the function's code; 0 where the file has no lines. */
  readonly line: number;
  readonly costs: readonly number[];
}

/** Reads `[ADDRESS] LINE COST…`, whose numbers may be relative to those of the line before: `+3`, `-3`, `*`. */
export class CallgrindNumbers {
  #positions: readonly string[] = ['line'];
  #before: number[] = [];
  readonly #columns: number;

  constructor(columns: number) {
    this.#columns = columns;
  }

  /** Of the header: `line`, `instr` or both. */
  setPositions(positions: readonly string[]): void {
    this.#positions = positions;
    this.#before = [];
  }

  /** null where it is no such line. */
  read(text: string): CostLine | null {
    const words = text.split(/\s+/);
    const places = this.#positions.length;
    if (words.length < places || words.length > places + this.#columns) return null;
    const numbers: number[] = [];
    for (const [row, word] of words.entries()) {
      if (!NUMBER.test(word)) return null;
      const value = numberOf(word, this.#before[row] ?? 0);
      if (value < 0 || value > MAX_NUMBER) return null;
      numbers.push(value);
    }
    this.#before = numbers;
    const place = this.#positions.indexOf('line');
    const line = place < 0 ? 0 : numbers[place]!;
    return { line: line > 0x7fff_ffff ? 0 : line, costs: numbers.slice(places) };
  }
}

function numberOf(word: string, before: number): number {
  if (word === '*') return before;
  const sign = word.startsWith('+') ? 1 : word.startsWith('-') ? -1 : 0;
  const value = Number(sign === 0 ? word : word.slice(1));
  return sign === 0 ? value : before + sign * value;
}
