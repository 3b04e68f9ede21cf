import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { sampleWeights } from '#core/model/weights.ts';
import { byteSource } from '../../support/byte-source.ts';
import { corpusRows, readCorpus, readExpected, type CorpusRow } from '../../support/corpus.ts';
import { corpus, needing } from '../../support/needing.ts';
import { namesRootFirst } from '../../support/profile-rollup.ts';

/** speedscope 1.25's result for a file. */
interface Oracle {
  readonly profiles: readonly {
    readonly name: string;
    readonly weightUnit: string;
    readonly totalNonIdleWeight: number;
    readonly frames: readonly { readonly name: string; readonly self: number; readonly total: number }[];
    readonly folded: Readonly<Record<string, number>>;
  }[];
}

const importRow = (row: CorpusRow): Promise<Profile> => importProfile(byteSource(readCorpus(row.path), row.path));
const speedscope = (row: CorpusRow): Oracle => JSON.parse(readExpected(row, 'speedscope.json')!) as Oracle;

needing(corpus, () => {
  it('has all rows', () => {
    expect(corpusRows('speedscope')).toHaveLength(6);
    expect(corpusRows('cpuprofile')).toHaveLength(3);
    expect(corpusRows('heapprofile')).toHaveLength(2);
    expect(corpusRows('chrome-trace')).toHaveLength(27);
  });
});

/** Returns a name as other tools have it, which give functions without one no place; see {@link ANONYMOUS}. */
const withoutPlace = (name: string): string => name.replace(/^\(anonymous\) .*/, '(anonymous)');

const namesOf = (profile: Profile, stack: number): string[] => namesRootFirst(profile, stack).map(withoutPlace);

/** Returns the weight per folded stack of the samples of `threads`, without stacks of no time. */
function folded(profile: Profile, weights: Float64Array, threads: (thread: number) => boolean): Map<string, number> {
  const sums = new Map<string, number>();
  for (let row = 0; row < weights.length; row++) {
    if (!threads(profile.samples.thread[row]!)) continue;
    const name = namesOf(profile, profile.samples.stack[row]!).join(';');
    sums.set(name, (sums.get(name) ?? 0) + weights[row]!);
  }
  return new Map([...sums].filter(([name, weight]) => name !== '' && weight !== 0));
}

function expectSame(found: ReadonlyMap<string, number>, expected: Readonly<Record<string, number>>): void {
  expect([...found.keys()].sort()).toEqual(Object.keys(expected).sort());
  for (const [stack, weight] of Object.entries(expected)) expect(found.get(stack), stack).toBeCloseTo(weight, 6);
}

const byDefault = (profile: Profile): Float64Array => sampleWeights(profile, profile.metadata.defaultValueType);

function mapNames(
  stacks: Readonly<Record<string, number>>,
  rename: (stack: string) => string,
): Readonly<Record<string, number>> {
  const renamed = new Map<string, number>();
  for (const [stack, weight] of Object.entries(stacks)) {
    renamed.set(rename(stack), (renamed.get(rename(stack)) ?? 0) + weight);
  }
  renamed.delete('');
  return Object.fromEntries(renamed);
}

describe.each(corpusRows('speedscope').filter((row) => readExpected(row, 'speedscope.json') !== null))(
  'speedscope corpus: $path',
  (row) => {
    it('has the stacks and weights of every profile', async () => {
      const profile = await importRow(row);
      expect(profile.threads.length).toBe(speedscope(row).profiles.length);
      speedscope(row).profiles.forEach(({ folded: expected }, thread) => {
        expectSame(
          folded(profile, byDefault(profile), (one) => one === thread),
          expected,
        );
      });
    });
  },
);

describe('files that speedscope refuses', () => {
  const rows = corpusRows('speedscope').filter(({ path }) => path.endsWith('/incomplete-trace.json'));
  it.each(rows)('$path: frames that were never closed last to the end, with a diagnostic', async (row) => {
    const profile = await importRow(row);
    expect(profile.diagnostics).toMatchObject([{ code: 'unfinished', severity: 'warning', count: 1 }]);
    expect([...folded(profile, byDefault(profile), () => true)]).toEqual([['A', 100]]);
  });
});

/** Name that speedscope gives anonymous functions, in heap profiles only: `(anonymous index.js:107)`. */
const ANONYMOUS = /\(anonymous [^;]*:-?\d+\)/g;

describe.each(corpusRows('heapprofile'))('heapprofile corpus: $path', (row) => {
  it('has the bytes of every stack; V8’s (root) is not a frame', async () => {
    const profile = await importRow(row);
    expect(profile.valueTypes).toMatchObject([{ type: 'inuse_space', unit: 'bytes' }]);
    const expected = mapNames(speedscope(row).profiles[0]!.folded, (stack) =>
      stack.replace(/^\(root\);?/, '').replaceAll(ANONYMOUS, '(anonymous)'),
    );
    expectSame(
      folded(profile, byDefault(profile), () => true),
      expected,
    );
  });
});

const isV8 = (row: CorpusRow): boolean => Buffer.from(readCorpus(row.path)).includes('"cpuProfile"');

describe.each(corpusRows('chrome-trace'))('chrome-trace corpus: $path', (row) => {
  it('has the stacks and times of every thread', async () => {
    const profile = await importRow(row);
    const oracle = speedscope(row);
    expect(profile.threads.length).toBe(oracle.profiles.length);
    if (isV8(row)) {
      // If V8 wrote samples late, speedscope stretches the samples before them, so its times differ.
      if (profile.diagnostics.some(({ code }) => code === 'reordered-samples')) return;
      return expectUntilNext(profile, oracle);
    }
    const expected = new Map<string, number>();
    for (const { folded: stacks } of oracle.profiles) {
      for (const [stack, time] of Object.entries(mapNames(stacks, (name) => name.replaceAll(' {}', '')))) {
        expected.set(stack, (expected.get(stack) ?? 0) + time);
      }
    }
    expectSame(
      folded(profile, byDefault(profile), () => true),
      Object.fromEntries(expected),
    );
  });
});

describe.each(corpusRows('cpuprofile'))('cpuprofile corpus: $path', (row) => {
  it('has the times and counts of the independent count', async () => {
    const profile = await importRow(row);
    const truth = readExpected(row, 'truth.json');
    if (truth === null) return;
    const expected = JSON.parse(truth) as { samples: number; sum_timeDeltas_us: number; hitCount_sum: number };
    const file = JSON.parse(readCorpus(row.path).toString()) as {
      timeDeltas: number[];
      startTime: number;
      endTime: number;
    };
    expect(sum(file.timeDeltas)).toBe(expected.sum_timeDeltas_us);
    // The time before the first sample is no sample's; the last one lasts until the end.
    const time = file.endTime - file.startTime - file.timeDeltas[0]!;
    const sums = profile.valueTypes.map((_, type) => sum(sampleWeights(profile, type as ValueTypeIndex)));
    expect(sums).toEqual([time, expected.samples, expected.hitCount_sum]);
  });

  it('has the samples of every function', async () => {
    const counts = readExpected(row, 'sample-counts.tsv');
    if (counts === null) return;
    const profile = await importRow(row);
    const { self, total } = rollUpByPlace(profile, sampleWeights(profile, 1 as ValueTypeIndex));
    const lines = counts.trimEnd().split('\n').slice(1);
    const expected = lines.map((line) => line.split('\t')).filter(([name]) => name !== '(root)');
    expect(new Set(total.keys())).toEqual(new Set(expected.map(([name, place]) => placeOf(name!, place!))));
    const [selfSums, totalSums] = [new Map<string, number>(), new Map<string, number>()];
    for (const [name, place, ownSamples, allSamples] of expected) {
      const key = placeOf(name!, place!);
      selfSums.set(key, (selfSums.get(key) ?? 0) + Number(ownSamples));
      totalSums.set(key, Math.max(totalSums.get(key) ?? 0, Number(allSamples)));
    }
    for (const [key, samples] of selfSums) expect(self.get(key) ?? 0, key).toBe(samples);
    for (const [key, samples] of totalSums) expect(total.get(key), key).toBeGreaterThanOrEqual(samples);
  });

  it('has the times of speedscope, which counts each sample until the next one', async () => {
    const profile = await importRow(row);
    if (row.path.endsWith('/example.cpuprofile')) {
      const weights = byDefault(profile).slice();
      weights[weights.length - 1] = 0;
      expectSame(
        folded(profile, weights, () => true),
        speedscope(row).profiles[0]!.folded,
      );
    } else expectUntilNext(profile, speedscope(row));
  });
});

/** Returns `name file:line`, because the model has no columns. */
const placeOf = (name: string, place: string): string => `${name} ${place.replace(/:\d+$/, '').replace(/:0$/, ':')}`;

function rollUpByPlace(
  profile: Profile,
  weights: Float64Array,
): { self: Map<string, number>; total: Map<string, number> } {
  const self = new Map<string, number>();
  const total = new Map<string, number>();
  const add = (map: Map<string, number>, key: string, weight: number): void =>
    void map.set(key, (map.get(key) ?? 0) + weight);
  const { functions, frames, stacks, strings } = profile;
  for (let row = 0; row < weights.length; row++) {
    if (weights[row] === 0) continue;
    const keys: string[] = [];
    for (let stack = profile.samples.stack[row]!; stack >= 0; stack = stacks.parent[stack]!) {
      const func = frames.func[stacks.frame[stack]!]!;
      const name = withoutPlace(strings[functions.name[func]!]!);
      keys.push(`${name} ${strings[functions.file[func]!]!}:${functions.line[func] || ''}`);
    }
    if (keys.length > 0) add(self, keys[0]!, weights[row]!);
    for (const key of new Set(keys)) add(total, key, weights[row]!);
  }
  return { self, total };
}

/** Functions that speedscope puts on top of the stack that ran before. */
const ON_TOP: ReadonlySet<string> = new Set(['(garbage collector)', '(program)']);

/** Returns whether a frame belongs to a script that V8 makes up; speedscope leaves it out. */
const isMadeUp = ({ functions, frames, stacks, strings }: Profile, stack: number): boolean =>
  stack >= 0 && strings[functions.file[frames.func[stacks.frame[stack]!]!]!] === 'native dummy.js';

/**
 * Compares the times. speedscope gives each sample the time until the next one, none to the last, and leaves out idle
 * time.
 */
function expectUntilNext(profile: Profile, oracle: Oracle): void {
  const { samples } = profile;
  const expected = new Map<string, number>();
  for (const { folded: stacks } of oracle.profiles) {
    for (const [stack, time] of Object.entries(mapNames(stacks, (name) => name.replaceAll(ANONYMOUS, '(anonymous)')))) {
      expected.set(stack, (expected.get(stack) ?? 0) + time);
    }
  }
  const found = new Map<string, number>();
  let stack: string[] = [];
  for (let row = 0; row < samples.length && !Number.isNaN(samples.time![row]!); row++) {
    const names = namesOf(profile, samples.stack[row]!);
    const isOnTop = names.length === 1 && ON_TOP.has(names[0]!);
    const known = stack.indexOf(names[0]!);
    if (isOnTop) stack = known < 0 ? [...stack, names[0]!] : stack.slice(0, known + 1);
    else stack = names[0] === '(idle)' || isMadeUp(profile, samples.stack[row]!) ? [] : names;
    const time = ((samples.time![row + 1] ?? samples.time![row]!) - samples.time![row]!) / 1000;
    if (time > 0 && stack.length > 0) found.set(stack.join(';'), (found.get(stack.join(';')) ?? 0) + time);
  }
  expectSame(found, Object.fromEntries(expected));
}

const sum = (weights: Iterable<number>): number => [...weights].reduce((total, weight) => total + weight, 0);
