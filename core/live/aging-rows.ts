import { earliest, merge, pick, type LiveRange, type LiveRows } from './rows.ts';

const SECOND = 1e9;

/** One level of the store: rows older than `keep` seconds move into the next, coarser one. */
export interface LiveLevel {
  /** Width of a bucket in seconds, a multiple of the previous level's; 0 keeps each sample with its own time. */
  readonly width: number;
  readonly keep: number;
}

/** Single samples for a minute, then buckets of 1 s, 10 s and 1 min. */
export const LIVE_LEVELS: readonly LiveLevel[] = [
  { width: 0, keep: 70 },
  { width: 1, keep: 600 },
  { width: 10, keep: 3600 },
  { width: 60, keep: Infinity },
];
/** When the coarsest level has more buckets than this, they are joined in pairs. */
const MAX_COARSEST = 120;

/** Rows of buckets longer than a second are at most this many, or this share of the rows of younger ones, if more. */
const MAX_OLD_ROWS = 30_000;
const MAX_OLD_SHARE = 0.15;
/** Fewer buckets of the coarsest level are not joined for that: their rows may all differ. */
const MIN_COARSEST = 8;

/** Rows with the time that they cover; infinite if each has its own. */
export interface LiveSegment extends LiveRange {
  readonly rows: LiveRows;
}

/** The rows of a live session: the newest ones unchanged, older ones in buckets of time that get coarser with age. */
export class AgingRows {
  readonly #levels: readonly LiveLevel[];
  /** Newest last. */
  #raw: LiveRows[] = [];
  /** By level after the first: rows by the start of their bucket, in nanoseconds. */
  #buckets: Map<number, LiveRows>[];
  /** Widths by level in nanoseconds; the last one grows. */
  readonly #widths: number[];
  /** Number of value types. */
  #valueTypes = 0;
  /** Most rows of old buckets; grows with the rate, not back. */
  #oldLimit = MAX_OLD_ROWS;

  constructor(levels: readonly LiveLevel[]) {
    this.#levels = levels;
    this.#buckets = levels.slice(1).map(() => new Map<number, LiveRows>());
    this.#widths = levels.map(({ width }) => width * SECOND);
  }

  /** Adds rows. `newest`: the newest time, in nanoseconds after the time origin. */
  push(rows: LiveRows, newest: number): void {
    this.#valueTypes = Math.max(this.#valueTypes, rows.weights.length);
    this.#raw.push(rows);
    this.#fold(newest);
  }

  clear(): void {
    this.#raw = [];
    this.#buckets = this.#buckets.map(() => new Map<number, LiveRows>());
  }

  /** Returns all rows with the time that they cover, oldest level first. */
  segments(): LiveSegment[] {
    const buckets = this.#buckets.flatMap((level, at) =>
      [...level].map(([start, rows]) => ({ rows, start, end: start + this.#widths[at + 1]! })),
    );
    return [
      ...buckets.sort((a, b) => a.start - b.start),
      ...this.#raw.map((rows) => ({ rows, start: rows.span?.start ?? -Infinity, end: rows.span?.end ?? Infinity })),
    ];
  }

  /** Moves rows that are too old for their level into the next one. */
  #fold(newest: number): void {
    const [first, ...others] = this.#levels;
    if (first === undefined || others.length === 0) return;
    this.#foldRaw(first.keep, newest);
    for (let at = 0; at + 1 < others.length; at++) {
      const width = this.#widths[at + 2]!;
      // Only whole buckets of the next level, so that each is complete when it appears.
      const until = Math.floor((newest - others[at]!.keep * SECOND) / width) * width;
      this.#foldLevel(at, until, () => true);
    }
    while (this.#buckets.at(-1)!.size > MAX_COARSEST) this.#joinCoarsest();
    this.#boundOld();
  }

  /** Makes old buckets coarser before their age does, so that memory does not grow once the young levels are full. */
  #boundOld(): void {
    const [seconds, ...old] = this.#buckets;
    const young = countRows(this.#raw) + countRows(seconds!.values());
    this.#oldLimit = Math.max(this.#oldLimit, young * MAX_OLD_SHARE);
    const isOver = (): boolean => old.reduce((sum, level) => sum + countRows(level.values()), 0) > this.#oldLimit;
    for (let level = 1; level <= old.length - 1 && isOver(); level++) {
      const width = this.#widths[level + 2]!;
      const newest = [...this.#buckets[level]!.keys()].reduce((most, start) => Math.max(most, start), -Infinity);
      this.#foldLevel(level, Math.floor(newest / width) * width, isOver);
    }
    while (old.length > 0 && this.#buckets.at(-1)!.size > MIN_COARSEST && isOver()) this.#joinCoarsest();
  }

  /** Moves the buckets of a level before `until` into the next one, oldest first, whole buckets of that one only. */
  #foldLevel(level: number, until: number, isWanted: () => boolean): void {
    const width = this.#widths[level + 2]!;
    const buckets = this.#buckets[level]!;
    let moved = -Infinity;
    for (const start of [...buckets.keys()].sort((a, b) => a - b)) {
      const into = Math.floor(start / width) * width;
      if (start >= until || (into !== moved && !isWanted())) return;
      moved = into;
      const rows = buckets.get(start)!;
      buckets.delete(start);
      this.#add(level + 1, into, rows);
    }
  }

  #foldRaw(keep: number, newest: number): void {
    const width = this.#widths[1]!;
    const until = Math.floor((newest - keep * SECOND) / width) * width;
    const kept: LiveRows[] = [];
    for (const rows of this.#raw) {
      if (rows.span !== null) {
        if (!this.#foldSpan(rows, rows.span, newest - keep * SECOND)) kept.push(rows);
        continue;
      }
      const time = rows.time!;
      if (earliest(time) >= until) {
        kept.push(rows);
        continue;
      }
      const byBucket = Map.groupBy(time.keys(), (row) =>
        time[row]! >= until ? null : Math.floor(time[row]! / width) * width,
      );
      for (const [start, list] of byBucket) {
        if (start === null) kept.push(pick(rows, list));
        else this.#add(0, start, pick(rows, list));
      }
    }
    this.#raw = kept;
  }

  /** Moves the rows of a span into the first level whose buckets are as long; returns false if they are too young. */
  #foldSpan(rows: LiveRows, { start, end }: LiveRange, until: number): boolean {
    const last = this.#widths.length - 1;
    const fitting = this.#widths.findIndex((width, level) => level > 0 && (width >= end - start || level === last));
    const width = this.#widths[fitting]!;
    const middle = (start + end) / 2;
    if (middle >= Math.floor(until / width) * width) return false;
    this.#add(fitting - 1, Math.floor(middle / width) * width, rows);
    return true;
  }

  #add(level: number, start: number, rows: LiveRows): void {
    const known = this.#buckets[level]!.get(start);
    this.#buckets[level]!.set(start, merge(known === undefined ? [rows] : [known, rows], this.#valueTypes));
  }

  #joinCoarsest(): void {
    const last = this.#buckets.length - 1;
    const coarsest = this.#buckets[last]!;
    const width = this.#widths[last + 1]! * 2;
    this.#widths[last + 1] = width;
    this.#buckets[last] = new Map();
    for (const [start, rows] of coarsest) this.#add(last, Math.floor(start / width) * width, rows);
  }
}

function countRows(parts: Iterable<LiveRows>): number {
  let count = 0;
  for (const { stack } of parts) count += stack.length;
  return count;
}
