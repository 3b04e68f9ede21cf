import { NO_STACK, type FrameIndex, type FunctionIndex, type StackIndex } from '../../model/brand.ts';
import { malformed, unsupported } from '../../model/failure.ts';
import { reportNewerFormat } from '../../model/newer-format.ts';
import { ProfileBuilder, type ValueTypeKey } from '../../model/profile-builder.ts';
import { FunctionKind, type Profile } from '../../model/profile.ts';
import {
  arrayAt,
  arrayOrNone,
  finite,
  lineOf,
  numberAt,
  numberOr,
  objectAt,
  textOr,
  type JsonObject,
} from '../text/json-value.ts';

/** How a mode weighs samples, in addition to counting them. */
interface Mode {
  readonly type: string;
  readonly unit: string;
  /** Returns the weight of a sample taken `delta` microseconds after the previous one; null if unknown. */
  readonly weigh: (delta: number | null, interval: number) => number;
}

/**
 * A signal occurs each `interval` microseconds of processor time or of wall-clock time; each `interval`th object is a
 * sample.
 */
const MODES = new Map<string, Mode>([
  ['cpu', { type: 'cpu', unit: 'microseconds', weigh: (_, interval) => interval }],
  ['wall', { type: 'wall', unit: 'microseconds', weigh: (delta, interval) => delta ?? interval }],
  ['object', { type: 'alloc_objects', unit: 'count', weigh: (_, interval) => interval }],
]);

const NEWEST_VERSION = 1.2;

/** Builds the profile of a stackprof file. */
export function buildStackprof(json: unknown): Profile {
  const file = objectAt(json, 'the file');
  if (file['raw'] === undefined) {
    throw unsupported('a stackprof file without stacks; record with `StackProf.run(raw: true)`');
  }
  const modeName = textOr(file['mode'], '');
  const mode = MODES.get(modeName) ?? null;
  const interval = numberOr(file['interval'], 1);
  if (mode !== null && (interval <= 0 || interval > Number.MAX_SAFE_INTEGER)) {
    throw malformed(`the interval is ${interval}`);
  }
  const builder = new ProfileBuilder(2);
  const version = numberOr(file['version'], 0);
  reportNewerFormat(builder.diagnostics, { format: 'stackprof file', version, newest: NEWEST_VERSION });
  const samples = new RawSamples(builder, file, mode, interval);
  samples.addAll();
  const missed = Math.max(0, Math.trunc(numberOr(file['missed_samples'], 0)));
  if (missed > 0) builder.diagnostics.add('lost-samples', 'StackProf missed samples.', { count: missed });
  const stackless = numberOr(file['samples'], 0) - samples.count;
  if (stackless > 0) {
    builder.diagnostics.add('stackless-samples', 'StackProf counted samples without keeping their stacks.', {
      count: stackless,
    });
  }
  return builder.finish(valueTypesOf(mode), {
    format: 'stackprof',
    tool: 'stackprof',
    period: mode === null ? null : { type: mode.type, unit: mode.unit, value: interval },
    timeOrigin: samples.timeOrigin,
  });
}

function valueTypesOf(mode: Mode | null): ValueTypeKey[] {
  const counts = { type: 'samples', unit: 'count', column: 1 };
  return mode === null ? [counts] : [{ type: mode.type, unit: mode.unit }, counts];
}

/** `raw` holds, for each stack, its number of frames, the frames, root first, and the number of consecutive samples. */
class RawSamples {
  readonly #builder: ProfileBuilder;
  readonly #raw: readonly unknown[];
  /** Lines that ran, in place of the frames of `raw`; empty if there are none. */
  readonly #lines: readonly unknown[];
  /** Microseconds since the previous sample, and on the machine's clock, by sample; empty if there are none. */
  readonly #deltas: readonly unknown[];
  readonly #timestamps: readonly unknown[];
  readonly #functions: ReadonlyMap<number, FunctionIndex>;
  readonly #thread;
  readonly #mode: Mode | null;
  readonly #interval: number;
  #clock = 0;
  count = 0;

  constructor(builder: ProfileBuilder, file: JsonObject, mode: Mode | null, interval: number) {
    this.#builder = builder;
    this.#thread = builder.thread(-1, -1, '');
    this.#raw = arrayAt(file['raw'], 'raw');
    const lines = arrayOrNone(file['raw_lines'], 'raw_lines');
    this.#lines = lines.length === this.#raw.length ? lines : [];
    this.#deltas = arrayOrNone(file['raw_timestamp_deltas'], 'raw_timestamp_deltas');
    this.#timestamps = arrayOrNone(file['raw_sample_timestamps'], 'raw_sample_timestamps');
    this.#functions = addFunctions(builder, objectAt(file['frames'], 'frames'));
    this.#mode = mode;
    this.#interval = interval;
  }

  /** Time of the first sample, in nanoseconds; null if the file has no clock. */
  get timeOrigin(): bigint | null {
    const microseconds = numberOr(this.#timestamps[0], Number.NaN);
    return Number.isSafeInteger(microseconds) ? BigInt(microseconds) * 1000n : null;
  }

  addAll(): void {
    for (let at = 0; at < this.#raw.length;) {
      const depth = this.#wholeAt(at);
      if (at + depth + 1 >= this.#raw.length) throw malformed(`raw ends within a stack (raw[${at}])`);
      const stack = this.#stackAt(at + 1, depth);
      this.#add(stack, this.#wholeAt(at + depth + 1));
      at += depth + 2;
    }
  }

  #wholeAt(at: number): number {
    const value = numberAt(this.#raw[at], `raw[${at}]`);
    if (Number.isSafeInteger(value) && value >= 0) return value;
    throw malformed(`raw[${at}] is ${value}, where a number of frames or samples is expected`);
  }

  #stackAt(start: number, depth: number): StackIndex {
    let stack = NO_STACK;
    for (let at = start; at < start + depth; at++) stack = this.#builder.stack(stack, this.#frameAt(at));
    return stack;
  }

  #frameAt(at: number): FrameIndex {
    const func = this.#functions.get(numberAt(this.#raw[at], `raw[${at}]`));
    if (func === undefined) throw malformed(`raw[${at}] names a frame that does not exist`);
    return this.#builder.frame({ func, line: lineOf(this.#lines[at]) });
  }

  /** Adds samples with times one by one, others as a single sample. */
  #add(stack: StackIndex, samples: number): void {
    const times = Math.max(this.#deltas.length, this.#timestamps.length);
    const end = this.count + samples;
    if (times > 0 && end > times) throw malformed(`there are more samples than the ${times} times`);
    if (times === 0) {
      const weight = (this.#mode?.weigh(null, this.#interval) ?? 0) * samples;
      this.#builder.sample({ stack, thread: this.#thread }, weight, samples);
      this.count = end;
    }
    while (this.count < end) {
      this.#addTimed(stack, this.count);
      this.count += 1;
    }
  }

  #addTimed(stack: StackIndex, row: number): void {
    const delta = this.#deltas.length > 0 ? numberAt(this.#deltas[row], `raw_timestamp_deltas[${row}]`) : null;
    const weight = this.#mode?.weigh(delta, this.#interval) ?? 0;
    this.#builder.sample({ stack, thread: this.#thread, time: this.#timeAt(row, delta ?? 0) }, weight, 1);
  }

  /** Returns nanoseconds since the first sample, or since the start if there are only deltas. */
  #timeAt(row: number, delta: number): number | undefined {
    this.#clock += delta;
    const [first, stamp] = [numberOr(this.#timestamps[0], 0), numberOr(this.#timestamps[row], Number.NaN)];
    return finite((this.#timestamps.length > 0 ? stamp - first : this.#clock) * 1000);
  }
}

function addFunctions(builder: ProfileBuilder, frames: JsonObject): Map<number, FunctionIndex> {
  const functions = new Map<number, FunctionIndex>();
  for (const [id, value] of Object.entries(frames)) {
    const frame = objectAt(value, `frames[${id.slice(0, 40)}]`);
    const file = textOr(frame['file'], '');
    const name = textOr(frame['name'], '') || '(unknown)';
    const kind = file === '' && /^\(.*\)$/.test(name) ? FunctionKind.synthetic : FunctionKind.interpreted;
    functions.set(Number(id), builder.function({ name, file, line: lineOf(frame['line']), kind }));
  }
  return functions;
}
