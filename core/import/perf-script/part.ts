import type { Profile } from '../../model/profile.ts';
import type { ByteKeys } from './byte-keys.ts';

/**
 * What one thread made of a stretch of `perf script` text that begins after a blank line and ends with a newline. Plain data: it passes
 * between threads. `PerfScriptSession.absorb` adds it to the text before, with the result that reading on would have had.
 *
 * A blank line ends every sample, so a stretch can be read alone but for four things, which are carried as they were found: what is
 * counted once per distinct name or line of the whole input, what is numbered by its first sight, line numbers, and times.
 */
export interface PerfScriptPart {
  /** Samples, stacks and names; times after the part's own origin, diagnostics without those of thread names. */
  readonly profile: Profile;
  /** Of the text. */
  readonly lines: number;
  /** 1-based within the part; 0: none was skipped. */
  readonly firstSkipped: number;
  readonly sawEvent: boolean;
  readonly comments: readonly string[];
  readonly frames: FramesOfPart;
  readonly samples: SamplesOfPart;
}

export interface FramesOfPart {
  /** Distinct names and modules that are not valid UTF-8, as they were read. */
  readonly latin1Names: readonly string[];
  readonly latin1Modules: readonly string[];
  /** Lines without a module, which took that of the frame below when they were first seen. */
  readonly moduleless: ByteKeys;
  /** By such line. */
  readonly takenModules: readonly string[];
}

export interface SamplesOfPart {
  /** What stands before time and event on the samples' lines, once each. */
  readonly threadKeys: ByteKeys;
  /** By thread key: the line of its first sight where its name is not valid UTF-8, else 0. */
  readonly latin1Lines: Int32Array;
  readonly eventKeys: ByteKeys;
  /** By event key, which is also their order. */
  readonly events: readonly EventOfPart[];
  /** null: no sample has a time. */
  readonly times: TimesOfPart | null;
}

export interface EventOfPart {
  readonly name: string;
  /** → events of the profile */
  readonly index: number;
  readonly hasPeriod: boolean;
  readonly samplesWithoutPeriod: number;
}

export interface TimesOfPart {
  readonly originSeconds: number;
  readonly originNanoseconds: number;
  /** Nanoseconds after the origin. */
  readonly first: number;
  readonly last: number;
}

/** The buffers that a part's columns lie in, to move them to another thread. */
export function buffersOfPart({ profile, frames, samples }: PerfScriptPart): ArrayBuffer[] {
  const columns = [
    ...columnsOf(profile.functions),
    ...columnsOf(profile.frames),
    ...columnsOf(profile.stacks),
    ...columnsOf(profile.threads),
    ...columnsOf(profile.samples),
    ...profile.samples.weights,
    ...[frames.moduleless, samples.threadKeys, samples.eventKeys].flatMap(columnsOf),
    samples.latin1Lines,
  ];
  return [...new Set(columns.map(({ buffer }) => buffer as ArrayBuffer))];
}

function columnsOf(table: object): ArrayBufferView[] {
  return Object.values(table).filter((column): column is ArrayBufferView => ArrayBuffer.isView(column));
}
