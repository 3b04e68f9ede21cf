import type { ValueTypeIndex } from '../model/brand.ts';
import { diagnoseUnresolved } from '../import/stacks/unresolved-frames.ts';
import { DiagnosticCounter, type Diagnostic } from '../model/diagnostics.ts';
import type { Profile, ProfileMetadata, ValueType } from '../model/profile.ts';
import { sampleWeights } from '../model/weights.ts';
import { GrowingTables, TABLE_LIMITS, type TableLimits } from './growing-tables.ts';
import { after, earliest, merge, pick, type LiveRows } from './rows.ts';

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

/** Single rows with their weights in the default value type; times are nanoseconds after the time origin. */
export interface TimedWeights {
  readonly stack: Int32Array;
  readonly time: Float64Array;
  readonly weight: Float64Array;
}

const NO_ROWS: TimedWeights = { stack: new Int32Array(0), time: new Float64Array(0), weight: new Float64Array(0) };

/** Origin of a profile's samples, as stated by {@link LiveStore.snapshot}. */
export type LiveOrigin = Pick<ProfileMetadata, 'format' | 'rateHz' | 'tool' | 'toolVersion' | 'hostName'>;

/** A part of the time that was collected, in nanoseconds after the store's time origin. */
export interface LiveRange {
  readonly start: number;
  readonly end: number;
}

export interface LiveSnapshot {
  /** Empty if no samples have arrived. Rows of buckets have their samples' weights, at the middle of the bucket. */
  readonly profile: Profile;
  /** Number of samples in it; a row of a bucket may represent many. */
  readonly samples: number;
  /** The time that it covers, in whole buckets; null without samples. */
  readonly range: LiveRange | null;
}

export interface LiveTotals {
  readonly samples: number;
  /** By value type. */
  readonly weights: readonly number[];
}

/**
 * The samples of a live session in bounded memory: the newest ones unchanged, older ones in buckets of time that get
 * coarser with age. Sums stay exactly what was appended as long as weights are integers below 2^53.
 */
export class LiveStore {
  readonly #levels: readonly LiveLevel[];
  readonly #origin: LiveOrigin;
  readonly #tables: GrowingTables;
  readonly #valueTypes: ValueType[] = [];
  /** Diagnostics of the appended profiles since the start. */
  readonly #found = new DiagnosticCounter();
  /** Newest last. */
  #raw: LiveRows[] = [];
  /** By level after the first: rows by the start of their bucket, in nanoseconds. */
  #buckets: Map<number, LiveRows>[];
  /** Widths by level in nanoseconds; the last one grows. */
  readonly #widths: number[];
  /** The first profile's. */
  #defaultValueType = 0;
  #timeOrigin: bigint | null = null;
  #newest = -Infinity;
  #appended: { samples: number; weights: number[] } = { samples: 0, weights: [] };

  constructor(origin: LiveOrigin, levels: readonly LiveLevel[] = LIVE_LEVELS, limits: TableLimits = TABLE_LIMITS) {
    this.#origin = origin;
    this.#levels = levels;
    this.#tables = new GrowingTables(limits);
    this.#buckets = levels.slice(1).map(() => new Map<number, LiveRows>());
    this.#widths = levels.map(({ width }) => width * SECOND);
  }

  /** Everything appended since the start or the last {@link reset}. */
  get appended(): LiveTotals {
    return this.#appended;
  }

  /** Time of the newest sample in nanoseconds after the time origin; null without samples. */
  get newest(): number | null {
    return this.#newest === -Infinity ? null : this.#newest;
  }

  /** The source's own clock at time 0, in nanoseconds; null before the first sample. */
  get timeOrigin(): bigint | null {
    return this.#timeOrigin;
  }

  /** Number of rows held, for the bound on memory. */
  get rowCount(): number {
    return this.#segments().reduce((sum, { rows }) => sum + rows.stack.length, 0);
  }

  /**
   * Appends the samples of a profile. Those without a time get that of `now`, in nanoseconds of the source's clock;
   * formats without times have only those. Returns the rows that were added.
   */
  append(profile: Profile, now: bigint): TimedWeights {
    const { samples, metadata } = profile;
    for (const { code, message, ...more } of profile.diagnostics) {
      if (!OF_ONE_PROFILE.has(code)) this.#found.add(code, message, more);
    }
    if (samples.length === 0) return NO_ROWS;
    const origin = metadata.timeOrigin ?? now;
    this.#timeOrigin ??= origin;
    const shift = Number(origin - this.#timeOrigin);
    const placed = this.#tables.place(profile);
    const columns = profile.valueTypes.map(({ type, unit }) => this.#column(type, unit));
    if (this.#appended.samples === 0) this.#defaultValueType = columns[metadata.defaultValueType] ?? 0;
    const weights = this.#valueTypes.map(() => new Float64Array(samples.length));
    columns.forEach((column, valueType) => weights[column]!.set(sampleWeights(profile, valueType as ValueTypeIndex)));
    const time = new Float64Array(samples.length).fill(Number(now - this.#timeOrigin));
    for (let row = 0; row < samples.length; row++) {
      const own = samples.time?.[row] ?? Number.NaN;
      if (!Number.isNaN(own)) time[row] = own + shift;
      this.#newest = Math.max(this.#newest, time[row]!);
    }
    const stack = Int32Array.from(samples.stack, (row) => (row < 0 ? -1 : placed.stacks[row]!));
    const thread = Int32Array.from(samples.thread, (row) => placed.threads[row]!);
    this.#raw.push({ thread, stack, time, weights, samples: samples.length });
    this.#count(weights, samples.length);
    this.#fold();
    return { stack, time, weight: weights[this.#defaultValueType] ?? new Float64Array(samples.length) };
  }

  /** Returns the functions of a stack, each once, leaf first. */
  functionsOf(stack: number): readonly number[] {
    return this.#tables.functionsOf(stack);
  }

  /**
   * Returns another capture's samples in the store's functions, stacks and value types, so that its rows mean the same
   * as in snapshots; its times are its own. Null if it lacks the default value type.
   */
  adopt(profile: Profile): Profile | null {
    const { samples } = profile;
    const wanted = this.#valueTypes[this.#defaultValueType] ?? SAMPLE_COUNT;
    const isSame = (a: ValueType, b: ValueType): boolean => a.type === b.type && a.unit === b.unit;
    if (!profile.valueTypes.some((one) => isSame(one, wanted))) return null;
    const placed = this.#tables.place(profile);
    const weights = this.#valueTypes.map((own) => {
      const type = profile.valueTypes.findIndex((one) => isSame(one, own));
      return type < 0
        ? new Float64Array(samples.length)
        : Float64Array.from(sampleWeights(profile, type as ValueTypeIndex));
    });
    const part = {
      stack: Int32Array.from(samples.stack, (row) => (row < 0 ? -1 : placed.stacks[row]!)),
      thread: Int32Array.from(samples.thread, (row) => placed.threads[row]!),
      time: samples.time === null ? new Float64Array(samples.length).fill(Number.NaN) : samples.time,
      weights,
      samples: samples.length,
    };
    return { ...this.#toProfile([{ rows: part, at: 0 }], null), diagnostics: [] };
  }

  /** Returns the number of samples in the last `seconds`; null counts all. */
  count(seconds: number | null): number {
    const from = seconds === null ? -Infinity : this.#newest - seconds * SECOND;
    let samples = 0;
    for (const { rows, end } of this.#segments()) {
      if (end <= from) continue;
      if (rows.time === null || from === -Infinity) samples += rows.samples;
      else for (const time of rows.time) if (time > from) samples += 1;
    }
    return samples;
  }

  /** Forgets all samples. Indices of functions, stacks and threads stay. */
  reset(): void {
    this.#raw = [];
    this.#buckets = this.#buckets.map(() => new Map<number, LiveRows>());
    this.#newest = -Infinity;
    this.#appended = { samples: 0, weights: this.#valueTypes.map(() => 0) };
  }

  /** Returns the samples of the last `seconds`, of whole buckets; null returns all. */
  snapshot(seconds: number | null): LiveSnapshot {
    const from = seconds === null || this.#newest === -Infinity ? -Infinity : this.#newest - seconds * SECOND;
    const chosen = this.#segments().filter(({ end }) => end > from);
    let start = Infinity;
    const parts: { readonly rows: LiveRows; readonly at: number }[] = [];
    for (const { rows, start: begin, end } of chosen) {
      const kept = rows.time === null ? rows : after(rows, from);
      if (kept.stack.length === 0) continue;
      start = Math.min(start, rows.time === null ? begin : Math.max(from, earliest(kept.time!)));
      parts.push({ rows: kept, at: (begin + end) / 2 });
    }
    const range = parts.length === 0 ? null : { start, end: Math.max(start + 1, this.#newest) };
    const samples = parts.reduce((sum, { rows }) => sum + rows.samples, 0);
    return { profile: this.#toProfile(parts, range), samples, range };
  }

  #toProfile(parts: readonly { readonly rows: LiveRows; readonly at: number }[], range: LiveRange | null): Profile {
    const length = parts.reduce((sum, { rows }) => sum + rows.stack.length, 0);
    const stack = new Int32Array(length);
    const thread = new Int32Array(length);
    const time = new Float64Array(length);
    const weights = this.#valueTypes.map(() => new Float64Array(length));
    let at = 0;
    for (const { rows, at: middle } of parts) {
      stack.set(rows.stack, at);
      thread.set(rows.thread, at);
      if (rows.time === null) time.fill(middle, at, at + rows.stack.length);
      else time.set(rows.time, at);
      rows.weights.forEach((column, valueType) => weights[valueType]!.set(column, at));
      at += rows.stack.length;
    }
    return diagnoseUnresolved({
      ...this.#tables.finish(),
      samples: { length, stack, thread, event: null, time, cpu: null, labelSet: null, weights, labelSets: [] },
      valueTypes: this.#valueTypes.length === 0 ? [SAMPLE_COUNT] : [...this.#valueTypes],
      events: [],
      metadata: {
        ...UNKNOWN,
        ...this.#origin,
        defaultValueType: this.#defaultValueType as ValueTypeIndex,
        timeOrigin: this.#timeOrigin,
        durationNs: range === null ? null : range.end - range.start,
      },
      diagnostics: this.#diagnostics(),
    });
  }

  #diagnostics(): Diagnostic[] {
    const { stacks, functions, threads } = this.#tables.beyond;
    const of = (code: string, count: number, message: string): Diagnostic[] =>
      count === 0 ? [] : [{ code, severity: 'warning', message, count, first: null, remedy: null }];
    return [
      ...this.#found.list(),
      ...of('live-stacks-cut', stacks, 'Stacks beyond the most that a live session keeps were cut at a known caller.'),
      ...of('live-functions-joined', functions, 'Functions beyond the most that a live session keeps are one.'),
      ...of('live-threads-joined', threads, 'Threads beyond the most that a live session keeps are one.'),
    ];
  }

  #column(type: string, unit: string): number {
    const known = this.#valueTypes.findIndex((one) => one.type === type && one.unit === unit);
    if (known >= 0) return known;
    this.#appended.weights.push(0);
    return this.#valueTypes.push({ type, unit, event: -1, column: this.#valueTypes.length }) - 1;
  }

  #count(weights: readonly Float64Array[], samples: number): void {
    this.#appended.samples += samples;
    weights.forEach((column, valueType) => {
      let sum = 0;
      for (const weight of column) sum += weight;
      this.#appended.weights[valueType]! += sum;
    });
  }

  /** Returns all rows with the time that they cover, oldest level first. */
  #segments(): { readonly rows: LiveRows; readonly start: number; readonly end: number }[] {
    const buckets = this.#buckets.flatMap((level, at) =>
      [...level].map(([start, rows]) => ({ rows, start, end: start + this.#widths[at + 1]! })),
    );
    return [
      ...buckets.sort((a, b) => a.start - b.start),
      ...this.#raw.map((rows) => ({ rows, start: -Infinity, end: Infinity })),
    ];
  }

  /** Moves rows that are too old for their level into the next one. */
  #fold(): void {
    const [first, ...others] = this.#levels;
    if (first === undefined || others.length === 0) return;
    this.#foldRaw(first.keep);
    for (let at = 0; at + 1 < others.length; at++) {
      const width = this.#widths[at + 2]!;
      // Only whole buckets of the next level, so that each is complete when it appears.
      const until = Math.floor((this.#newest - others[at]!.keep * SECOND) / width) * width;
      for (const [start, rows] of this.#buckets[at]!) {
        if (start >= until) continue;
        this.#buckets[at]!.delete(start);
        this.#add(at + 1, Math.floor(start / width) * width, rows);
      }
    }
    this.#joinCoarsest();
  }

  #foldRaw(keep: number): void {
    const width = this.#widths[1]!;
    const until = Math.floor((this.#newest - keep * SECOND) / width) * width;
    const kept: LiveRows[] = [];
    for (const rows of this.#raw) {
      const time = rows.time!;
      if (earliest(time) >= until) {
        kept.push(rows);
        continue;
      }
      const byBucket = new Map<number, number[]>();
      const young: number[] = [];
      for (let row = 0; row < time.length; row++) {
        if (time[row]! >= until) young.push(row);
        else {
          const start = Math.floor(time[row]! / width) * width;
          const list = byBucket.get(start);
          if (list === undefined) byBucket.set(start, [row]);
          else list.push(row);
        }
      }
      for (const [start, list] of byBucket) this.#add(0, start, pick(rows, list));
      if (young.length > 0) kept.push(pick(rows, young));
    }
    this.#raw = kept;
  }

  #add(level: number, start: number, rows: LiveRows): void {
    const known = this.#buckets[level]!.get(start);
    this.#buckets[level]!.set(start, merge(known === undefined ? [rows] : [known, rows], this.#valueTypes.length));
  }

  #joinCoarsest(): void {
    const last = this.#buckets.length - 1;
    const coarsest = this.#buckets[last]!;
    if (coarsest.size <= MAX_COARSEST) return;
    const width = this.#widths[last + 1]! * 2;
    this.#widths[last + 1] = width;
    this.#buckets[last] = new Map();
    for (const [start, rows] of coarsest) this.#add(last, Math.floor(start / width) * width, rows);
  }
}

/** Diagnostics that do not apply to the whole: they are computed again, or apply to one second only. */
const OF_ONE_PROFILE = new Set(['unresolved-frames', 'no-samples']);

const SAMPLE_COUNT: ValueType = { type: 'samples', unit: 'count', event: -1, column: -1 };

const UNKNOWN: Omit<ProfileMetadata, keyof LiveOrigin | 'timeOrigin' | 'durationNs' | 'defaultValueType'> = {
  fileName: null,
  startTime: null,
  period: null,
  command: null,
  kernel: null,
  arch: null,
  cpuCount: null,
  comments: [],
};
