import type { Profile } from '../model/profile.ts';

/** Facts of a profile beyond stacks of names and their weights, in the words used when a format loses them. */
const FACTS = {
  valueTypes: 'all value types but one',
  typeNames: 'the name of the value type',
  times: 'times of samples',
  cpus: 'CPUs of samples',
  labels: 'labels of samples',
  threadIds: 'ids of threads',
  modules: 'modules',
  files: 'files',
  functionLines: 'lines of functions',
  frameLines: 'lines within functions',
  addresses: 'addresses',
  inlining: 'which frames were inlined',
  kinds: 'kinds of code',
  capture: 'host, command and tool',
} as const;

export type ExportedFact = keyof typeof FACTS;

/** Returns the facts of this profile that a format can't store, given those that it carries. */
export function lossesOf(profile: Profile, carried: readonly ExportedFact[]): string[] {
  const lost = (Object.keys(FACTS) as ExportedFact[]).filter((fact) => !carried.includes(fact) && has(profile, fact));
  return lost.map((fact) => FACTS[fact]);
}

function has({ samples, frames, functions, threads, valueTypes, metadata }: Profile, fact: ExportedFact): boolean {
  switch (fact) {
    case 'valueTypes':
      return valueTypes.length > 1;
    case 'typeNames':
      // All formats use this name for counts.
      return valueTypes.some(({ type, unit }) => type !== 'samples' || unit !== 'count');
    case 'times':
      return samples.time !== null;
    case 'cpus':
      return samples.cpu !== null;
    case 'labels':
      return samples.labelSet !== null;
    case 'threadIds':
      return threads.pid.some((pid) => pid >= 0) || threads.tid.some((tid) => tid >= 0);
    case 'modules':
      return functions.module.some((module) => module !== 0);
    case 'files':
      return functions.file.some((file) => file !== 0);
    case 'functionLines':
      return functions.line.some((line) => line !== 0);
    case 'frameLines':
      return frames.line !== null;
    case 'addresses':
      return frames.address !== null;
    case 'inlining':
      return frames.inline.includes(1);
    case 'kinds':
      return functions.kind.some((kind) => kind !== 0);
    case 'capture': {
      const { hostName, kernel, arch, cpuCount, command, tool, toolVersion } = metadata;
      return [hostName, kernel, arch, cpuCount, command, tool, toolVersion].some((known) => known !== null);
    }
  }
}
