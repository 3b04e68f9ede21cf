import type {
  EventIndex,
  FrameIndex,
  FunctionIndex,
  StackIndex,
  StringIndex,
  ThreadIndex,
  ValueTypeIndex,
} from './brand.ts';
import { float64Column, int16Column, int32Column, uint8Column, type ColumnBuilder } from './intern/column.ts';
import { DiagnosticCounter } from './diagnostics.ts';
import { FrameRows } from './intern/frame-rows.ts';
import { FunctionKind, NO_ADDRESS, type Label, type Profile, type ProfileMetadata, type ValueType } from './profile.ts';
import { hashStack, StackRows } from './intern/stack-rows.ts';
import { StringRows } from './intern/string-rows.ts';

export interface FunctionKey {
  readonly name: string;
  readonly module?: string;
  readonly file?: string;
  /** 0, absent, or beyond 31 bits: unknown. */
  readonly line?: number;
  /**
   * Column of the function's first line, 1-based. It distinguishes functions that begin on the same line and is not
   * stored.
   */
  readonly column?: number;
  /** Where its code starts within a page. It distinguishes functions of one name (overloads) and is not stored. */
  readonly start?: number | undefined;
  readonly kind?: FunctionKind;
}

interface FrameKey {
  readonly func: FunctionIndex;
  /** Null or absent: none. */
  readonly address?: bigint | null | undefined;
  readonly line?: number;
  readonly inline?: boolean;
}

export interface SampleRow {
  /** The leaf; NO_STACK if the sample has none. */
  readonly stack: StackIndex;
  readonly thread: ThreadIndex;
  readonly event?: EventIndex | undefined;
  /** Nanoseconds after the metadata's `timeOrigin`. */
  readonly time?: number | undefined;
  /** Absent, negative, or beyond 15 bits: unknown. */
  readonly cpu?: number | undefined;
  readonly labelSet?: number | undefined;
}

/** By default, the samples of all events count, with the weights of the column at the type's own place. */
export type ValueTypeKey = Pick<ValueType, 'type' | 'unit'> & Partial<ValueType>;

/**
 * Builds a {@link Profile} row by row and interns everything that repeats. Optional columns (time, cpu, event,
 * addresses, labels) are created with their first value and are absent from a profile without any.
 */
export class ProfileBuilder {
  readonly diagnostics = new DiagnosticCounter();

  readonly #strings = new StringRows();

  readonly #functionRows = new Map<string, FunctionIndex>();
  readonly #functionName = int32Column();
  readonly #functionModule = int32Column();
  readonly #functionFile = int32Column();
  readonly #functionLine = int32Column();
  readonly #functionKind = uint8Column();

  readonly #frames = new FrameRows();
  readonly #stacks = new StackRows();

  readonly #threadRows = new Map<string, ThreadIndex>();
  readonly #threadPid = int32Column();
  readonly #threadTid = int32Column();
  readonly #threadName = int32Column();

  readonly #events: string[] = [];
  readonly #sampleStack = int32Column();
  readonly #sampleThread = int32Column();
  readonly #sampleEvent = new SparseColumn(uint8Column, 0);
  readonly #sampleTime = new SparseColumn(float64Column, Number.NaN);
  readonly #sampleCpu = new SparseColumn(int16Column, -1);
  readonly #sampleLabels = new SparseColumn(int32Column, -1);
  readonly #weights: ColumnBuilder<Float64Array>[];
  readonly #labelSets: Label[][] = [];
  readonly #labelRows = new Map<string, number>();
  readonly #labelTexts = new StringRows();

  /** `weightColumns` is the number of weights per sample; 0 if samples only count. */
  constructor(weightColumns = 0) {
    this.#weights = Array.from({ length: weightColumns }, float64Column);
  }

  get sampleCount(): number {
    return this.#sampleStack.length;
  }

  get stackCount(): number {
    return this.#stacks.length;
  }

  string(text: string): StringIndex {
    return this.#strings.rowOf(text) as StringIndex;
  }

  function(key: FunctionKey): FunctionIndex {
    const name = this.string(key.name);
    const module = this.string(key.module ?? '');
    const file = this.string(key.file ?? '');
    const line = lineOf(key.line);
    const kind = key.kind ?? FunctionKind.unknown;
    const text = `${name} ${module} ${file} ${line} ${kind} ${key.column ?? ''} ${key.start ?? ''}`;
    const known = this.#functionRows.get(text);
    if (known !== undefined) return known;
    const row = this.#functionName.length as FunctionIndex;
    this.#functionRows.set(text, row);
    this.#functionName.push(name);
    this.#functionModule.push(module);
    this.#functionFile.push(file);
    this.#functionLine.push(line);
    this.#functionKind.push(kind);
    return row;
  }

  frame(key: FrameKey): FrameIndex {
    const address = key.address ?? NO_ADDRESS;
    return this.#frames.intern(
      key.func,
      Number(address >> 32n),
      Number(address & 0xffff_ffffn),
      lineOf(key.line),
      key.inline === true ? 1 : 0,
    ) as FrameIndex;
  }

  /** Like {@link frame}, with the address in two 32-bit halves. */
  frameAt(func: FunctionIndex, addressHigh: number, addressLow: number, inline: boolean): FrameIndex {
    return this.#frames.intern(func, addressHigh, addressLow, 0, inline ? 1 : 0) as FrameIndex;
  }

  /**
   * Returns `frame` with the line that was executing. A function without a file takes `file` as its own. A frame whose
   * line is in another file (a macro's, an inlined function's) gets no line, because lines refer to the function's
   * file.
   */
  frameAtSource(frame: FrameIndex, file: string, line: number, inline: boolean): FrameIndex {
    const func = this.#frames.functionOf(frame);
    const fileString = this.string(file);
    if (this.#functionFile.get(func) === 0) this.#functionFile.set(func, fileString);
    const ownLine = this.#functionFile.get(func) === fileString ? lineOf(line) : 0;
    return this.#frames.withLine(frame, ownLine, inline ? 1 : 0) as FrameIndex;
  }

  /** Returns the stack in which `parent` calls `frame` (NO_STACK: `frame` is the root). */
  stack(parent: StackIndex, frame: FrameIndex): StackIndex {
    return this.#stacks.intern(parent, frame, hashStack(this.#stacks.hashOf(parent), frame)) as StackIndex;
  }

  /**
   * Returns the stack of the first `depth` frames of `leafFirst`, by default of all; NO_STACK if there are none. Faster
   * than calling {@link stack} for each frame.
   */
  stackOf(leafFirst: Int32Array | readonly number[], depth = leafFirst.length): StackIndex {
    const frames = leafFirst instanceof Int32Array ? leafFirst : Int32Array.from(leafFirst);
    return this.#stacks.internAll(frames, depth) as StackIndex;
  }

  /** Ids that are negative, fractions, or beyond 31 bits are unknown (−1). */
  thread(statedPid: number, statedTid: number, name: string): ThreadIndex {
    const [pid, tid] = [idOf(statedPid), idOf(statedTid)];
    const text = `${pid} ${tid} ${name}`;
    const known = this.#threadRows.get(text);
    if (known !== undefined) return known;
    const row = this.#threadPid.length as ThreadIndex;
    this.#threadRows.set(text, row);
    this.#threadPid.push(pid);
    this.#threadTid.push(tid);
    this.#threadName.push(this.string(name));
    return row;
  }

  /** Returns an event's index; a profile has at most 255. */
  event(name: string): EventIndex {
    const known = this.#events.indexOf(name);
    if (known >= 0) return known as EventIndex;
    if (this.#events.length >= 255) throw new RangeError('more than 255 events');
    this.#events.push(name);
    return (this.#events.length - 1) as EventIndex;
  }

  labelSet(labels: Label[]): number {
    const key = labels.map((label) => this.#labelKey(label)).join(' ');
    const known = this.#labelRows.get(key);
    if (known !== undefined) return known;
    this.#labelRows.set(key, this.#labelSets.length);
    return this.#labelSets.push(labels) - 1;
  }

  /** Uses numbers in place of texts, so that a text of a megabyte is not copied for every sample that has it. */
  #labelKey(label: Label): string {
    const key = this.#labelTexts.rowOf(label.key);
    return 'text' in label
      ? `${key}:${this.#labelTexts.rowOf(label.text)}`
      : `${key}=${label.number}:${this.#labelTexts.rowOf(label.unit)}`;
  }

  /** Adds one sample. `weights` holds one value per weight column, in order. */
  sample(row: SampleRow, ...weights: number[]): void {
    const index = this.#sampleStack.length;
    this.#sampleStack.push(row.stack);
    this.#sampleThread.push(row.thread);
    if (row.event !== undefined) this.#sampleEvent.set(index, row.event);
    if (row.time !== undefined) this.#sampleTime.set(index, row.time);
    if (row.cpu !== undefined && row.cpu >= 0 && row.cpu < 2 ** 15) this.#sampleCpu.set(index, row.cpu);
    if (row.labelSet !== undefined) this.#sampleLabels.set(index, row.labelSet);
    for (let column = 0; column < this.#weights.length; column++) this.#weights[column]!.push(weights[column] ?? 0);
  }

  /**
   * Returns the profile. The builder is empty afterwards. Weight columns after the last one that a value type refers to
   * are left out.
   */
  finish(
    types: readonly ValueTypeKey[],
    metadata: Partial<ProfileMetadata> & Pick<ProfileMetadata, 'format'>,
  ): Profile {
    const valueTypes = types.map(({ type, unit, event = -1, column }, place) => ({
      type,
      unit,
      event,
      column: column ?? place,
    }));
    const sampleCount = this.sampleCount;
    const weightColumns = Math.max(0, ...valueTypes.map(({ column }) => column + 1));
    const functionCount = this.#functionName.length;
    const stackCount = this.#stacks.length;
    const threadCount = this.#threadPid.length;
    return {
      strings: this.#strings.list,
      functions: {
        length: functionCount,
        name: this.#functionName.finish(),
        module: this.#functionModule.finish(),
        file: this.#functionFile.finish(),
        line: this.#functionLine.finish(),
        kind: this.#functionKind.finish(),
      },
      frames: this.#frames.finish(),
      stacks: { length: stackCount, ...this.#stacks.finish() },
      threads: {
        length: threadCount,
        pid: this.#threadPid.finish(),
        tid: this.#threadTid.finish(),
        name: this.#threadName.finish(),
      },
      samples: {
        length: sampleCount,
        stack: this.#sampleStack.finish(),
        thread: this.#sampleThread.finish(),
        event: this.#sampleEvent.finish(sampleCount),
        time: this.#sampleTime.finish(sampleCount),
        cpu: this.#sampleCpu.finish(sampleCount),
        labelSet: this.#sampleLabels.finish(sampleCount),
        weights: this.#weights.slice(0, weightColumns).map((column) => column.finish()),
        labelSets: this.#labelSets,
      },
      valueTypes,
      events: this.#events,
      metadata: { ...UNKNOWN_METADATA, ...metadata },
      diagnostics: this.diagnostics.list(),
    };
  }
}

/** Beyond its column, a number would become another one. */
const MAX_INT = 2 ** 31 - 1;
const lineOf = (line = 0): number => (line > 0 && line <= MAX_INT ? Math.trunc(line) : 0);
const idOf = (id: number): number => (Number.isInteger(id) && id >= 0 && id <= MAX_INT ? id : -1);

/** Facts of which nothing is known. */
export const UNKNOWN_METADATA: Omit<ProfileMetadata, 'format'> = {
  fileName: null,
  defaultValueType: 0 as ValueTypeIndex,
  timeOrigin: null,
  startTime: null,
  durationNs: null,
  rateHz: null,
  period: null,
  tool: null,
  toolVersion: null,
  command: null,
  hostName: null,
  kernel: null,
  arch: null,
  cpuCount: null,
  comments: [],
};

/** A column that is created with its first value; rows before and between values hold `absent`. */
class SparseColumn<A extends Int32Array | Float64Array | Uint8Array | Int16Array> {
  readonly #create: () => ColumnBuilder<A>;
  readonly #absent: number;
  #column: ColumnBuilder<A> | null = null;

  constructor(create: () => ColumnBuilder<A>, absent: number) {
    this.#create = create;
    this.#absent = absent;
  }

  set(row: number, value: number): void {
    this.#column ??= this.#create();
    this.#fill(this.#column, row);
    this.#column.push(value as never);
  }

  finish(length: number): A | null {
    if (this.#column === null) return null;
    this.#fill(this.#column, length);
    return this.#column.finish();
  }

  #fill(column: ColumnBuilder<A>, length: number): void {
    while (column.length < length) column.push(this.#absent as never);
  }
}
