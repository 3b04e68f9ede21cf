import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { sampleWeights } from '#core/model/weights.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { corpusRows, readCorpus, readExpected, type CorpusRow } from '../../../support/corpus.ts';
import { corpus, needing } from '../../../support/needing.ts';

/** Result of an independent walk of the tables, by thread. Weights count if there are any. */
interface Truth {
  readonly thread: string;
  readonly samples: number;
  readonly null_stacks: number;
  readonly functions: readonly { readonly name: string; readonly self: number; readonly total: number }[];
}

const rows = corpusRows('gecko');
const importRow = (row: CorpusRow): Promise<Profile> => importProfile(byteSource(readCorpus(row.path), row.path));

needing(corpus, () => {
  it('has all rows', () => expect(rows).toHaveLength(8));

  it('has the times of the Firefox Profiler, to which another process of the recording starts later', async () => {
    const names = ['gecko-1.json', 'processed-1.json', 'processed-2.json'];
    const [raw, ...processed] = await Promise.all(
      names.map((name) => importRow(rows.find(({ path }) => path.endsWith(`/${name}`))!)),
    );
    expect(Math.max(...raw!.samples.time!)).toBe(1_006e6);
    for (const { samples } of processed) expect(samples.time).toEqual(raw!.samples.time);
  });
});

describe.each(rows)('gecko corpus: $path', (row) => {
  it('has the self and total of every function of every thread', async () => {
    const profile = await importRow(row);
    const truth = (JSON.parse(readExpected(row, 'truth.json')!) as Truth[]).filter(({ samples }) => samples > 0);
    const weights = sampleWeights(profile, 0 as ValueTypeIndex);
    const threads = [...new Set(profile.samples.thread)];
    // The reference omits the process that is listed as a text among the threads.
    expect(threads).toHaveLength(row.path.endsWith('/gecko-1.json') ? truth.length + 1 : truth.length);
    truth.forEach((expected, place) => {
      const own = Array.from(profile.samples.thread.keys()).filter(
        (at) => profile.samples.thread[at] === threads[place],
      );
      expect(own).toHaveLength(expected.samples);
      expect(own.filter((at) => profile.samples.stack[at]! < 0)).toHaveLength(expected.null_stacks);
      expectFunctions(profile, own, weights, expected);
    });
  });
});

function expectFunctions(profile: Profile, samples: readonly number[], weights: Float64Array, expected: Truth): void {
  const { functions, frames, stacks, strings } = profile;
  const self = new Map<string, number>();
  const total = new Map<string, number>();
  const add = (map: Map<string, number>, key: string, weight: number): void =>
    void map.set(key, (map.get(key) ?? 0) + weight);
  for (const at of samples) {
    const names: string[] = [];
    for (let stack = profile.samples.stack[at]!; stack >= 0; stack = stacks.parent[stack]!) {
      names.push(strings[functions.name[frames.func[stacks.frame[stack]!]!]!]!);
    }
    if (names.length > 0) add(self, names[0]!, weights[at]!);
    for (const name of new Set(names)) add(total, name, weights[at]!);
  }
  // The reference uses whole raw locations, so several columns or lines of one function are added up.
  const byName = new Map<string, { self: number; totals: number[] }>();
  for (const { name, self: ownWeight, total: allWeight } of expected.functions) {
    const key = name.replace(/^(.*?) \(.*:\d+\)$/s, '$1') || '(anonymous)';
    const known = byName.get(key) ?? { self: 0, totals: [] };
    byName.set(key, { self: known.self + ownWeight, totals: [...known.totals, allWeight] });
  }
  expect([...total.keys()].sort()).toEqual([...byName.keys()].sort());
  for (const [name, { self: ownWeight, totals }] of byName) {
    expect(self.get(name) ?? 0, `self of ${name}`).toBeCloseTo(ownWeight, 6);
    if (totals.length === 1) expect(total.get(name), `total of ${name}`).toBeCloseTo(totals[0]!, 6);
  }
}
