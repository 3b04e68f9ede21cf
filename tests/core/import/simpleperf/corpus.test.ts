import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { demangle } from '#core/symbols/demangle/demangle.ts';
import { FunctionKind, type Profile } from '#core/model/profile.ts';
import { sampleWeights } from '#core/model/weights.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { corpusRows, readCorpus, readExpected, type CorpusRow } from '../../../support/corpus.ts';
import { corpus, needing } from '../../../support/needing.ts';

/** Output of the Firefox Profiler's command line, by thread. */
interface Oracle {
  readonly threads: readonly {
    readonly pid: string;
    readonly tid: number;
    readonly thread: string;
    readonly weightType: string;
    readonly functions: readonly { name: string; lib: string | null; self: number; total: number }[];
  }[];
}

const rows = corpusRows('android');
const importRow = (row: CorpusRow): Promise<Profile> => importProfile(byteSource(readCorpus(row.path), row.path));

needing(corpus, () => {
  it('has all rows', () => expect(rows).toHaveLength(2));
});

describe.each(rows)('simpleperf corpus: $path', (row) => {
  it('has the self and total of every function of every thread', async () => {
    const profile = await importRow(row);
    const { threads } = JSON.parse(readExpected(row, 'firefox-profiler-cli.json')!) as Oracle;
    for (const { pid, tid, thread, weightType, functions } of threads) {
      const ours = functionsOf(profile, tid, weightsOf(profile, weightType));
      expect(ours, `${thread} ${tid}`).toEqual(theirFunctions(functions));
      const index = profile.threads.tid.indexOf(tid);
      if (index < 0) continue;
      expect(profile.threads.pid[index]).toBe(Number(pid));
      expect(profile.strings[profile.threads.name[index]!]).toBe(thread);
    }
    const known = new Set(threads.map(({ tid }) => tid));
    expect([...profile.threads.tid].every((tid) => known.has(tid))).toBe(true);
  });
});

/**
 * Returns the tool's functions. Its first function is listed twice, for the first sample and for all others, so both
 * are added up. Our names are demangled.
 */
function theirFunctions(functions: Oracle['threads'][number]['functions']): string[] {
  const weights = new Map<string, [number, number]>();
  for (const { name, lib, self, total } of functions) {
    const key = `${lib ?? ''} ${demangle(name) ?? name}`;
    const [otherSelf, otherTotal] = weights.get(key) ?? [0, 0];
    weights.set(key, [otherSelf + self, otherTotal + total]);
  }
  return [...weights].map(([name, [self, total]]) => `${name}: ${self} ${total}`).toSorted();
}

/**
 * Returns the weights that the tool uses: milliseconds of cpu-clock, if the recording has it, otherwise the number of
 * samples of all events.
 */
function weightsOf(profile: Profile, weightType: string): Float64Array {
  if (weightType === 'samples') return countsButLast(profile);
  const index = profile.valueTypes.findIndex(({ type, unit }) => type === 'cpu-clock' && unit === 'nanoseconds');
  return sampleWeights(profile, index as ValueTypeIndex).map((weight) => weight / 1e6);
}

/** Counts all samples except the last, at which the tool's range ends. */
function countsButLast({ samples }: Profile): Float64Array {
  const times = samples.time!;
  const last = times.indexOf(times.reduce((latest, time) => Math.max(latest, time)));
  return new Float64Array(samples.length).fill(1).fill(0, last, last + 1);
}

/** Writes `module name: self total` of one thread. The tool names unresolved frames by address and keeps them apart. */
function functionsOf(profile: Profile, tid: number, weights: Float64Array): string[] {
  const { samples, stacks, frames, functions, strings } = profile;
  const self = new Map<string, number>();
  const total = new Map<string, number>();
  const add = (map: Map<string, number>, key: string, weight: number): void =>
    void map.set(key, (map.get(key) ?? 0) + weight);
  for (let sample = 0; sample < samples.length; sample++) {
    const weight = weights[sample]!;
    if (weight === 0 || profile.threads.tid[samples.thread[sample]!] !== tid) continue;
    const names: string[] = [];
    for (let stack = samples.stack[sample]!; stack >= 0; stack = stacks.parent[stack]!) {
      const frame = stacks.frame[stack]!;
      const func = frames.func[frame]!;
      const module = strings[functions.module[func]!]!;
      const isUnresolved = functions.kind[func] === FunctionKind.unresolved;
      const address = `${module.slice(module.lastIndexOf('/') + 1)}+0x${frames.address![frame]!.toString(16)}`;
      names.push(`${module} ${isUnresolved ? address : strings[functions.name[func]!]!}`);
    }
    if (names.length > 0) add(self, names[0]!, weight);
    for (const name of new Set(names)) add(total, name, weight);
  }
  return [...total].map(([name, weight]) => `${name}: ${self.get(name) ?? 0} ${weight}`).toSorted();
}
