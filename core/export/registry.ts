import type { ValueTypeIndex } from '../model/brand.ts';
import { writeNative } from '../model/native/write.ts';
import type { Profile } from '../model/profile.ts';
import type { StoredNames } from './round-trip.ts';
import { firefoxLosses, writeFirefox } from './firefox.ts';
import { foldedLosses, writeFolded } from './folded.ts';
import { withoutInlineMark } from './ranked-names.ts';
import { NO_STACK_NAME } from './folded-text.ts';
import { writeJson } from './json.ts';
import { writeOtlpJson } from './otlp-json.ts';
import { otlpLosses, writeOtlp } from './otlp.ts';
import { pprofLosses, writePprof } from './pprof.ts';
import { speedscopeLosses, writeSpeedscope } from './speedscope.ts';

/** One row of the registry: a format that Flamebench writes. */
export interface Exporter {
  /** Stable id, the argument of `convert --to`. */
  readonly id: string;
  readonly label: string;
  /** Without the dot. */
  readonly extension: string;
  /** False: binary, not to be written to a terminal. */
  readonly isText: boolean;
  /** Writes only one value type: the chosen one, or the profile's default. */
  readonly oneValueType: boolean;
  readonly keeps: string;
  readonly loses: string;
  /** What `convert --verify` compares once the file is read again; null: Flamebench does not read the format. */
  readonly stores: StoredNames | null;
  /** Facts of this profile that the format can't store, such as `labels of samples`; absent if it stores everything. */
  losses?(profile: Profile, valueType: ValueTypeIndex): readonly string[];
  /** Calls `write` with chunks in order; a chunk may be reused after `write` returns. */
  write(profile: Profile, options: ExportOptions, write: (chunk: Uint8Array) => void): void;
}

interface ExportOptions {
  readonly valueType?: ValueTypeIndex;
  /** Comments at the start of folded text; see `FoldedOptions`. Other formats store the profile's own comments. */
  readonly header?: readonly string[];
}

/** What both encodings have in common. */
const OTLP = {
  oneValueType: false,
  keeps:
    'all value types, samples with times; stacks with addresses, modules, files, lines and inlined frames; labels, threads, host',
  loses:
    'CPUs of samples, fractions of weights, the default value type, kinds of code but user and kernel, kernel, command and tool',
  stores: { keepsModules: true },
  losses: otlpLosses,
} as const;

export const exporters: readonly Exporter[] = [
  {
    id: 'folded',
    label: 'Folded stacks',
    extension: 'folded',
    isText: true,
    oneValueType: true,
    keeps: 'stacks by function name with their weights; the thread name as root frame where there is one',
    loses: 'times, modules, files, addresses, lines, labels, ids of threads, all value types but one',
    stores: { keepsModules: false, threadsAsRoots: { unnamed: NO_STACK_NAME }, nameOf: withoutInlineMark },
    losses: foldedLosses,
    write: writeFolded,
  },
  {
    id: 'pprof',
    label: 'pprof',
    extension: 'pb',
    isText: false,
    oneValueType: false,
    keeps:
      'all value types, stacks with addresses, modules, files, lines and inlined frames; labels, threads as labels',
    loses: 'times and CPUs of samples, fractions of weights, kinds of code, host, command and tool',
    stores: { keepsModules: true },
    losses: pprofLosses,
    write: (profile, { valueType }, write) =>
      writePprof(profile, valueType ?? profile.metadata.defaultValueType, write),
  },
  {
    id: 'otlp',
    label: 'OpenTelemetry profiles (OTLP)',
    extension: 'otlp',
    isText: false,
    ...OTLP,
    write: (profile, _options, write) => writeOtlp(profile, write),
  },
  {
    id: 'otlp-json',
    label: 'OpenTelemetry profiles as JSON (OTLP)',
    extension: 'otlp.json',
    isText: true,
    ...OTLP,
    write: (profile, _options, write) => writeOtlpJson(profile, write),
  },
  {
    id: 'speedscope',
    label: 'speedscope',
    extension: 'speedscope.json',
    isText: true,
    oneValueType: true,
    keeps: 'a profile for each thread; stacks with files or modules, lines of functions, weights',
    loses:
      'all value types but one, addresses, inlining, lines within functions, labels, ids of threads, times of samples, kinds of code',
    stores: { keepsModules: false },
    losses: speedscopeLosses,
    write: (profile, { valueType }, write) =>
      writeSpeedscope(profile, valueType ?? profile.metadata.defaultValueType, write),
  },
  {
    id: 'firefox',
    label: 'Firefox Profiler',
    extension: 'profile.json',
    isText: true,
    oneValueType: true,
    keeps: 'threads, samples with times and weights; stacks with addresses, modules, files, lines and inlined frames',
    loses: 'all value types but one, labels, CPUs, addresses beyond 2^53, kinds of code but user, kernel and JIT',
    stores: { keepsModules: true },
    losses: firefoxLosses,
    write: (profile, { valueType }, write) =>
      writeFirefox(profile, valueType ?? profile.metadata.defaultValueType, write),
  },
  {
    id: 'json',
    label: 'Flamebench document as JSON',
    extension: 'json',
    isText: true,
    oneValueType: false,
    keeps: 'everything',
    loses: 'nothing',
    stores: null,
    write: (profile, _options, write) => writeJson(profile, write),
  },
  {
    id: 'native',
    label: 'Flamebench native file',
    extension: 'flamebench',
    isText: false,
    oneValueType: false,
    keeps: 'everything',
    loses: 'nothing',
    stores: { keepsModules: true },
    write(profile, _options, write) {
      for (const chunk of writeNative(profile)) write(chunk);
    },
  },
];
