import type { ValueTypeIndex } from '../model/brand.ts';
import { diagnoseUnresolved } from '../import/stacks/unresolved-frames.ts';
import { diagnostic, DiagnosticCounter, type Diagnostic } from '../model/diagnostics.ts';
import { UNKNOWN_METADATA } from '../model/profile-builder.ts';
import type { Profile, ProfileMetadata, ValueType } from '../model/profile.ts';
import { countSamples, isSampleCount } from '../model/sample-counts.ts';
import { sampleWeights } from '../model/weights.ts';
import { GrowingTables, TABLE_LIMITS, type TableLimits } from './growing-tables.ts';
import { AgingRows, LIVE_LEVELS, type LiveLevel, type LiveSegment } from './aging-rows.ts';
import { between, earliest, merge, type LiveRange, type LiveRows, type TimedWeights } from './rows.ts';
import { joinRows, spreadOverSeconds } from './spans.ts';

export type { LiveRange, TimedWeights };

const SECOND = 1e9;

const NO_ROWS: TimedWeights = { stack: new Int32Array(0), time: new Float64Array(0), weight: new Float64Array(0) };

/** Origin of a profile's samples, as stated by {@link LiveStore.snapshot}. */
export type LiveOrigin = Pick<ProfileMetadata, 'format' | 'rateHz' | 'tool' | 'toolVersion' | 'hostName'>;

/** What a piece without times of its own covers, in nanoseconds of the source's clock. */
export interface LiveSpan {
  readonly start: bigint;
  readonly end: bigint;
}

export interface LiveSnapshot {
  /** Empty if no samples have arrived. Rows of buckets have their samples' weights and the bucket's duration. */
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
  readonly #origin: LiveOrigin;
  readonly #tables: GrowingTables;
  readonly #valueTypes: ValueType[] = [];
  /** Diagnostics of the appended profiles since the start. */
  readonly #found = new DiagnosticCounter();
  readonly #rows: AgingRows;
  /** The first profile's. */
  #defaultValueType = 0;
  #timeOrigin: bigint | null = null;
  #newest = -Infinity;
  #appended: { samples: number; weights: number[] } = { samples: 0, weights: [] };

  constructor(origin: LiveOrigin, levels: readonly LiveLevel[] = LIVE_LEVELS, limits: TableLimits = TABLE_LIMITS) {
    this.#origin = origin;
    this.#tables = new GrowingTables(limits);
    this.#rows = new AgingRows(levels);
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
    return this.#rows.segments().reduce((sum, { rows }) => sum + rows.stack.length, 0);
  }

  /**
   * Appends the samples of a profile. Those without a time get that of `now`, in nanoseconds of the source's clock;
   * formats without times have only those. If the profile is the sum of a `span`, times are not used, and it is null if
   * the span has no samples. Returns the added rows; the rows of a span are spread over its seconds.
   */
  append(profile: Profile | null, now: bigint, span: LiveSpan | null = null): TimedWeights {
    if (span !== null && this.#newest !== -Infinity) this.#newest = Math.max(this.#newest, this.#rangeOf(span).end);
    if (profile === null) return NO_ROWS;
    const { samples, metadata } = profile;
    for (const { code, message, ...more } of profile.diagnostics) {
      if (!OF_ONE_PROFILE.has(code)) this.#found.add(code, message, more);
    }
    if (samples.length === 0) return NO_ROWS;
    const origin = span?.start ?? metadata.timeOrigin ?? now;
    this.#timeOrigin ??= origin;
    const placed = this.#place(profile);
    const columns = profile.valueTypes.map(({ type, unit }) => this.#column(type, unit));
    if (this.#appended.samples === 0) this.#defaultValueType = columns[metadata.defaultValueType] ?? 0;
    // Rows of equal stacks are summed later, so a value type keeps the number of their samples.
    const isCounted = profile.valueTypes.some(isSampleCount);
    const counts = isCounted ? -1 : this.#column(SAMPLE_COUNT.type, SAMPLE_COUNT.unit);
    const weights = this.#valueTypes.map((_, column) =>
      new Float64Array(samples.length).fill(column === counts ? 1 : 0),
    );
    columns.forEach((column, valueType) => weights[column]!.set(sampleWeights(profile, valueType as ValueTypeIndex)));
    const rows = { ...placed, weights };
    return span === null
      ? this.#appendTimed(rows, samples.time, Number(origin - this.#timeOrigin), Number(now - this.#timeOrigin))
      : this.#appendSpan(rows, countSamples(profile), this.#rangeOf(span));
  }

  /** Returns the stacks and threads of a profile's samples in the growing tables. */
  #place(profile: Profile): Pick<LiveRows, 'stack' | 'thread'> {
    const { stacks, threads } = this.#tables.place(profile);
    const { stack, thread } = profile.samples;
    return { stack: stack.map((row) => (row < 0 ? -1 : stacks[row]!)), thread: thread.map((row) => threads[row]!) };
  }

  #appendTimed(
    rows: Pick<LiveRows, 'stack' | 'thread' | 'weights'>,
    own: Float64Array | null,
    shift: number,
    now: number,
  ): TimedWeights {
    const { length } = rows.stack;
    const time = new Float64Array(length).fill(now);
    for (let row = 0; row < length; row++) {
      const at = own?.[row] ?? Number.NaN;
      if (!Number.isNaN(at)) time[row] = at + shift;
      this.#newest = Math.max(this.#newest, time[row]!);
    }
    this.#rows.push({ ...rows, time, samples: length, span: null }, this.#newest);
    this.#count(rows.weights, length);
    return { stack: rows.stack, time, weight: rows.weights[this.#defaultValueType] ?? new Float64Array(length) };
  }

  #appendSpan(rows: Pick<LiveRows, 'stack' | 'thread' | 'weights'>, samples: number, span: LiveRange): TimedWeights {
    const summed = { ...merge([{ ...rows, time: null, samples, span }], this.#valueTypes.length), span };
    this.#newest = Math.max(this.#newest, span.end);
    this.#rows.push(summed, this.#newest);
    this.#count(rows.weights, samples);
    return spreadOverSeconds(summed, this.#defaultValueType, span);
  }

  #rangeOf({ start, end }: LiveSpan): LiveRange {
    const origin = this.#timeOrigin ?? start;
    return { start: Number(start - origin), end: Math.max(Number(start - origin) + 1, Number(end - origin)) };
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
    const placed = this.#place(profile);
    const weights = this.#valueTypes.map((own) => {
      const type = profile.valueTypes.findIndex((one) => isSame(one, own));
      return type < 0 ? new Float64Array(samples.length) : sampleWeights(profile, type as ValueTypeIndex);
    });
    const part = {
      ...placed,
      time: samples.time ?? new Float64Array(samples.length).fill(Number.NaN),
      weights,
      samples: samples.length,
      span: null,
    };
    return { ...this.#toProfile([{ rows: part, start: 0, end: 0 }], null), diagnostics: [] };
  }

  /**
   * Returns the number of samples in the last `seconds` before `until`, in nanoseconds after the time origin. Null: all
   * seconds; until the newest sample.
   */
  count(seconds: number | null, until: number | null = null): number {
    const { from, to } = this.#limits(seconds, until);
    let samples = 0;
    for (const { rows, start, end } of this.#rows.segments()) {
      if (end <= from || start > to) continue;
      if (rows.time === null || (from === -Infinity && end <= to)) samples += rows.samples;
      else for (const time of rows.time) if (time > from && time <= to) samples += 1;
    }
    return samples;
  }

  #limits(seconds: number | null, until: number | null): { readonly from: number; readonly to: number } {
    const to = Math.min(until ?? Infinity, this.#newest);
    return { from: seconds === null || to === -Infinity ? -Infinity : to - seconds * SECOND, to };
  }

  /** Forgets all samples. Indices of functions, stacks and threads stay. */
  reset(): void {
    this.#rows.clear();
    this.#newest = -Infinity;
    this.#appended = { samples: 0, weights: this.#valueTypes.map(() => 0) };
  }

  /** Returns the samples of the last `seconds`, of whole buckets; null returns all. */
  snapshot(seconds: number | null, until: number | null = null): LiveSnapshot {
    const parts = this.#partsOf(seconds, until);
    const start = parts.reduce((least, part) => Math.min(least, part.start), Infinity);
    const range = parts.length === 0 ? null : { start, end: Math.max(start + 1, this.#limits(seconds, until).to) };
    const samples = parts.reduce((sum, { rows }) => sum + rows.samples, 0);
    return { profile: this.#toProfile(parts, range), samples, range };
  }

  /** Returns the rows of such a window, of whole buckets, each of which is spread over its seconds. */
  rowsOf(seconds: number | null, until: number | null = null): TimedWeights {
    return joinRows(
      this.#partsOf(seconds, until).map(({ rows, start, end }) =>
        spreadOverSeconds(rows, this.#defaultValueType, { start, end }),
      ),
    );
  }

  #partsOf(seconds: number | null, until: number | null): LiveSegment[] {
    const { from, to } = this.#limits(seconds, until);
    const parts: LiveSegment[] = [];
    for (const { rows, start, end } of this.#rows.segments()) {
      if (end <= from || start > to) continue;
      const kept = rows.time === null ? rows : between(rows, from, to);
      if (kept.stack.length === 0) continue;
      parts.push({
        rows: kept,
        start: rows.time === null ? start : Math.max(from, earliest(kept.time!)),
        end,
      });
    }
    return parts;
  }

  #toProfile(parts: readonly LiveSegment[], range: LiveRange | null): Profile {
    const length = parts.reduce((sum, { rows }) => sum + rows.stack.length, 0);
    const stack = new Int32Array(length);
    const thread = new Int32Array(length);
    const time = new Float64Array(length);
    const duration = new Float64Array(length);
    const weights = this.#valueTypes.map(() => new Float64Array(length));
    let at = 0;
    for (const { rows, start, end } of parts) {
      stack.set(rows.stack, at);
      thread.set(rows.thread, at);
      if (rows.time === null) {
        time.fill((start + end) / 2, at, at + rows.stack.length);
        duration.fill(end - start, at, at + rows.stack.length);
      } else time.set(rows.time, at);
      rows.weights.forEach((column, valueType) => weights[valueType]!.set(column, at));
      at += rows.stack.length;
    }
    return diagnoseUnresolved({
      ...this.#tables.finish(),
      samples: {
        length,
        stack,
        thread,
        event: null,
        time,
        ...(parts.some(({ rows }) => rows.time === null) ? { duration } : {}),
        cpu: null,
        labelSet: null,
        weights,
        labelSets: [],
      },
      valueTypes: this.#valueTypes.length === 0 ? [SAMPLE_COUNT] : [...this.#valueTypes],
      events: [],
      metadata: {
        ...UNKNOWN_METADATA,
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
      count === 0 ? [] : [diagnostic(code, message, { count })];
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
}

/** Diagnostics that do not apply to the whole: they are computed again, or apply to one second only. */
const OF_ONE_PROFILE = new Set(['unresolved-frames', 'no-samples']);

const SAMPLE_COUNT: ValueType = { type: 'samples', unit: 'count', event: -1, column: -1 };
