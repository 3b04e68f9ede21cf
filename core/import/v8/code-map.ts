import { firstEndingAfter } from '../perf-data/spaces.ts';

/** A memory range that contains code, from `start` to before `end`. */
interface CodeRange {
  readonly start: number;
  readonly end: number;
}

interface Entry<Code> extends CodeRange {
  readonly code: Code;
  isGone: boolean;
}

/** Code is looked up within its megabyte, so that a log with much code needs no long lists. */
const CHUNK_BYTES = 2 ** 20;
/** No function compiles to more: all the code of a process fits into 512 MiB (kMaximalCodeRangeSize). */
export const MAX_CODE_BYTES = 2 ** 26;

/** Tracks the code at each address as it is created, moved and replaced: at most one piece per address. */
export class V8CodeMap<Code> {
  readonly #chunks = new Map<number, Entry<Code>[]>();

  /** Removes all code that the new code overlaps. */
  add(start: number, size: number, code: Code): void {
    const entry: Entry<Code> = { start, end: start + size, code, isGone: false };
    for (const chunk of chunksOf(entry)) {
      const entries = this.#chunks.get(chunk) ?? [];
      const from = firstEndingAfter(entries, start);
      let to = from;
      for (; to < entries.length && entries[to]!.start < entry.end; to++) entries[to]!.isGone = true;
      entries.splice(from, to - from, entry);
      this.#chunks.set(chunk, entries);
    }
  }

  /** Returns false if no code begins at `from`. */
  move(from: number, to: number): boolean {
    const entry = this.#entryAt(from);
    if (entry === null || entry.start !== from) return false;
    entry.isGone = true;
    this.add(to, entry.end - entry.start, entry.code);
    return true;
  }

  /** Returns false if no code begins there. */
  delete(start: number): boolean {
    const entry = this.#entryAt(start);
    if (entry === null || entry.start !== start) return false;
    entry.isGone = true;
    return true;
  }

  find(address: number): Code | null {
    return this.#entryAt(address)?.code ?? null;
  }

  #entryAt(address: number): Entry<Code> | null {
    const entries = this.#chunks.get(Math.floor(address / CHUNK_BYTES));
    const entry = entries?.[firstEndingAfter(entries, address)];
    return entry === undefined || entry.isGone || address < entry.start ? null : entry;
  }
}

function* chunksOf({ start, end }: CodeRange): Generator<number> {
  for (let chunk = Math.floor(start / CHUNK_BYTES); chunk * CHUNK_BYTES < end; chunk++) yield chunk;
}
