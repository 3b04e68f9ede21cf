import type { NamedFunctions } from '#core/analyze/function-ref.ts';
import { captureQuality } from '#core/model/capture-quality.ts';
import type { Profile } from '#core/model/profile.ts';
import { heaviestFunctions } from './heaviest-functions.ts';
import type { FunctionNames, OpenedProfile } from './protocol.ts';

/** What the window keeps of a profile: names, threads, facts; no samples. */
export function describeProfile(profile: Profile): OpenedProfile {
  const { threads, samples } = profile;
  const perThread = new Float64Array(threads.length);
  for (const thread of samples.thread) perThread[thread]! += 1;
  return {
    metadata: profile.metadata,
    valueTypes: profile.valueTypes.map(({ type, unit }) => ({ type, unit })),
    threads: Array.from({ length: threads.length }, (_, row) => ({
      pid: threads.pid[row]!,
      tid: threads.tid[row]!,
      name: profile.strings[threads.name[row]!]!,
      samples: perThread[row]!,
    })),
    functions: functionNamesOf(profile),
    heaviest: heaviestFunctions(profile),
    diagnostics: profile.diagnostics,
    quality: captureQuality(profile),
    sampleCount: samples.length,
    hasTime: samples.time !== null,
    hasLabels: samples.labelSet !== null,
  };
}

export const functionNamesOf = (table: NamedFunctions): FunctionNames => functionsFrom(table, 0, 0);

/** What transforms made, at the end of the viewed functions; null: nothing. */
export function madeFunctions(profile: Profile, viewed: NamedFunctions): FunctionNames | null {
  if (viewed.functions === profile.functions) return null;
  return functionsFrom(viewed, profile.functions.length, profile.strings.length);
}

/** Columns are copied: a view would take all of its memory along into the window, of a native file the whole file. */
function functionsFrom({ strings, functions }: NamedFunctions, first: number, firstString: number): FunctionNames {
  const from = <C extends Int32Array | Uint8Array>(column: C): C => column.slice(first) as C;
  return {
    length: functions.length - first,
    strings: firstString === 0 ? strings : strings.slice(firstString),
    name: from(functions.name),
    module: from(functions.module),
    file: from(functions.file),
    line: from(functions.line),
    kind: from(functions.kind),
  };
}
