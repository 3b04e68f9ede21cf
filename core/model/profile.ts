import type { Diagnostic } from './diagnostics.ts';
import type { ValueTypeIndex } from './brand.ts';

/**
 * A profile as columns of typed arrays. Every importer produces one, every analysis reads one; it is read-only once
 * built. Rows refer to one another by index; the native file (core/model/native/read.ts) stores the columns as they
 * are.
 *
 * `checkProfile()` states the invariants. The main ones: every index is in range, `stacks.parent[i] < i`, all columns
 * of a table have the table's length.
 */
export interface Profile {
  /** Row 0 is always the empty string. */
  readonly strings: readonly string[];
  readonly functions: FunctionTable;
  readonly frames: FrameTable;
  readonly stacks: StackTable;
  readonly threads: ThreadTable;
  readonly samples: SampleTable;
  /** At least one, even in a profile without samples. */
  readonly valueTypes: readonly ValueType[];
  /**
   * Event names (perf's `cycles`, `cpu-clock:u`), which `samples.event` and `ValueType.event` refer to. Empty if the
   * format has no events.
   */
  readonly events: readonly string[];
  readonly metadata: ProfileMetadata;
  readonly diagnostics: readonly Diagnostic[];
}

/** Kind of a function's code; determines its colour and the unresolved share. */
export const FunctionKind = {
  unknown: 0,
  user: 1,
  kernel: 2,
  /** Compiled at run time (a perf map, V8, JVM). */
  jit: 3,
  /** Run by an interpreter (Python, Lua). */
  interpreted: 4,
  /** No symbol: `name` is `[module]` or `[unknown]`, and the frame holds the address. */
  unresolved: 5,
  /** Represents something that is not a function: GC, idle, `(root)`, truncated stacks. */
  synthetic: 6,
} as const;
export type FunctionKind = (typeof FunctionKind)[keyof typeof FunctionKind];

export interface FunctionTable {
  readonly length: number;
  /** → strings */
  readonly name: Int32Array;
  /**
   * → strings: binary, library, package or script that contains the code, as the tool printed it; 0 (empty) if unknown.
   */
  readonly module: Int32Array;
  /** → strings: source file; 0 if unknown. */
  readonly file: Int32Array;
  /** First line of the function, 1-based; 0 if unknown. */
  readonly line: Int32Array;
  /** {@link FunctionKind} */
  readonly kind: Uint8Array;
}

export interface FrameTable {
  readonly length: number;
  /** → functions */
  readonly func: Int32Array;
  /**
   * Instruction address, {@link NO_ADDRESS} if a frame has none. The column is absent if the format has no addresses.
   */
  readonly address: BigUint64Array | null;
  /** Line that was executing, 1-based; 0 if unknown. The column is absent if the format has no lines. */
  readonly line: Int32Array | null;
  /** 1 if the frame was inlined into its caller. */
  readonly inline: Uint8Array;
}

export const NO_ADDRESS = 0xffff_ffff_ffff_ffffn;

/** Rows are prefixes of stacks, root first: a row is one frame under its caller. `(parent, frame)` is unique. */
export interface StackTable {
  readonly length: number;
  /** → stacks, always smaller than the row's own index; −1 at the root. */
  readonly parent: Int32Array;
  /** → frames */
  readonly frame: Int32Array;
}

interface ThreadTable {
  readonly length: number;
  /** Process id; −1 if unknown. */
  readonly pid: Int32Array;
  /** Thread id; −1 if unknown. */
  readonly tid: Int32Array;
  /** → strings: the thread's name (perf's comm). */
  readonly name: Int32Array;
}

export interface SampleTable {
  readonly length: number;
  /** → stacks: the leaf; −1 if the sample has no stack. */
  readonly stack: Int32Array;
  /** → threads */
  readonly thread: Int32Array;
  /** → Profile.events; absent if the profile has no events. */
  readonly event: Uint8Array | null;
  /**
   * Nanoseconds after `metadata.timeOrigin`, NaN if a sample has none. Not necessarily ascending. The column is absent
   * if the format has no times.
   */
  readonly time: Float64Array | null;
  /**
   * Nanoseconds that a row covers if it sums samples over an interval, whose middle is `time`; 0 for a single sample. The
   * column is absent if every row is a single sample.
   */
  readonly duration?: Float64Array | null;
  /** CPU number, −1 if unknown. The column is absent if the format has no CPUs. */
  readonly cpu: Int16Array | null;
  /** → labelSets rows; −1 for none. The column is absent if no sample has labels. */
  readonly labelSet: Int32Array | null;
  /**
   * Weights, one column per distinct `ValueType.column`. Exact integers up to 2^53, or fractions if the format has
   * them.
   */
  readonly weights: readonly Float64Array[];
  readonly labelSets: readonly (readonly Label[])[];
}

/** A pprof label: either text or a number with its unit. */
export type Label =
  | { readonly key: string; readonly text: string }
  | { readonly key: string; readonly number: number; readonly unit: string };

/**
 * One way to weigh samples. A sample's weight is 0 if `event` is set and is not the sample's event; otherwise 1 if
 * `column` is −1 (the sample counts), otherwise `samples.weights[column]`. Use `sampleWeights()` instead of repeating
 * this rule.
 */
export interface ValueType {
  /** `cpu-clock`, `samples`, `alloc_space`…; unique together with `unit`. */
  readonly type: string;
  /** `count`, `nanoseconds`, `microseconds`, `bytes`… in pprof's vocabulary; see core/units. */
  readonly unit: string;
  /** → Profile.events; −1: all samples. */
  readonly event: number;
  /** → samples.weights; −1: each sample counts 1. */
  readonly column: number;
}

/** Facts about the capture. Unknown facts are absent, never invented. */
export interface ProfileMetadata {
  /** Importer id (`perf-script`, `folded`, `pprof`, …). */
  readonly format: string;
  readonly fileName: string | null;
  readonly defaultValueType: ValueTypeIndex;
  /** Time on the source's own clock that `samples.time` 0 corresponds to, in nanoseconds. */
  readonly timeOrigin: bigint | null;
  /** Wall clock time of the start, Unix epoch nanoseconds. */
  readonly startTime: bigint | null;
  readonly durationNs: number | null;
  /** Requested sampling frequency. */
  readonly rateHz: number | null;
  /** Weight units between samples, if the tool states them (pprof `period`). */
  readonly period: { readonly type: string; readonly unit: string; readonly value: number } | null;
  readonly tool: string | null;
  readonly toolVersion: string | null;
  /** Command line of the profiler as the file states it; inert text. */
  readonly command: string | null;
  /**
   * Path of the recorded program, if the file states that it recorded a single one: perf.data's first executable
   * mapping, pprof's first mapping.
   */
  readonly executable?: string;
  /** Build id of that program, as the file states it. */
  readonly executableBuildId?: string;
  readonly hostName: string | null;
  readonly kernel: string | null;
  readonly arch: string | null;
  readonly cpuCount: number | null;
  readonly comments: readonly string[];
  /** What was measured beside the samples, such as the event loop of a Node process. Absent: nothing. */
  readonly series?: readonly MeasuredSeries[];
}

/** Values on the time axis of the samples. */
export interface MeasuredSeries {
  readonly name: string;
  /** `milliseconds`, `count`; `ratio` is a share from 0 to 1. */
  readonly unit: string;
  /** Nanoseconds on the clock of {@link SampleTable.time}, ascending. */
  readonly at: readonly number[];
  /** As many as {@link at}; null: not known. */
  readonly values: readonly (number | null)[];
}
