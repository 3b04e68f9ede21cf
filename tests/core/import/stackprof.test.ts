import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { checkImport } from '../../support/check-import.ts';
import { corpusRows, readCorpus, readExpected } from '../../support/corpus.ts';
import { corpus, needing } from '../../support/needing.ts';
import { namesRootFirst, rollUp } from '../../support/profile-rollup.ts';

checkImport({ path: 'stackprof/wall.json', format: 'stackprof', isText: true });
checkImport({ path: 'stackprof/object.json', format: 'stackprof', isText: true });

const FRAMES = { 1: { name: 'a', file: 'a.rb', line: 1 }, 2: { name: 'b', file: 'b.rb', line: 2 } };
const read = (file: object): Promise<Profile> =>
  importProfile(byteSource(JSON.stringify({ mode: 'cpu', interval: 500, gc_samples: 0, frames: FRAMES, ...file })));

describe('stackprof files', () => {
  it('weigh a sample of processor time by the interval', async () => {
    const profile = await read({ raw: [2, 1, 2, 3, 1, 1, 1], samples: 4 });
    expect(profile.valueTypes.map(({ type, unit }) => `${type} ${unit}`)).toEqual([
      'cpu microseconds',
      'samples count',
    ]);
    expect([...rollUp(profile, 0).folded]).toEqual([
      ['a;b', 1500],
      ['a', 500],
    ]);
    expect(profile.samples.length).toBe(2);
  });

  it('only count samples in an unknown mode', async () => {
    const profile = await read({ mode: 'custom', raw: [1, 1, 3] });
    expect(profile.valueTypes.map(({ type }) => type)).toEqual(['samples']);
    expect(rollUp(profile, 0).sum).toBe(3);
  });

  it('report the number of samples without a stack', async () => {
    expect((await read({ raw: [1, 1, 3], samples: 5 })).diagnostics).toMatchObject([
      { code: 'stackless-samples', count: 2 },
    ]);
  });

  it.each([
    [{}, 'unsupported', /without stacks; record with `StackProf.run\(raw: true\)`/],
    [{ raw: [], interval: 1e308 }, 'malformed', /^the interval is 1e\+308$/],
    [{ raw: [], interval: 0 }, 'malformed', /^the interval is 0$/],
    [{ raw: [2, 1] }, 'malformed', /ends within a stack/],
    [{ raw: [1e9, 1, 1] }, 'malformed', /ends within a stack/],
    [{ raw: [1, 3, 1] }, 'malformed', /names a frame that does not exist/],
    [{ raw: [-1, 1, 1] }, 'malformed', /raw\[0\] is -1/],
    [{ raw: [1, 1, 2], raw_timestamp_deltas: [1] }, 'malformed', /more samples than the 1 times/],
    [{ raw: [1, 1, 'x'] }, 'malformed', /raw\[2\] is not a number/],
    [{ raw: [], frames: { 1: 2 } }, 'malformed', /frames\[1\] is not an object/],
  ])('refuse %j', async (file, failure, message) => {
    await expect(read(file)).rejects.toMatchObject({ failure, message: expect.stringMatching(message) });
  });
});

it('are refused as StackProf’s own dump, with how to convert it to JSON', async () => {
  const dump = Uint8Array.from([4, 8, 0x7b, 0x10, 0x3a, 0x0c, ...new TextEncoder().encode('version'), 0x66, 8]);
  await expect(importProfile(byteSource(dump))).rejects.toMatchObject({
    failure: 'unsupported',
    message: expect.stringContaining('stackprof --json'),
  });
});

needing(corpus, () => {
  const rows = corpusRows('other').filter(({ path }) => path.includes('stackprof'));
  describe('stackprof corpus', () => {
    it.each(rows)('$path: has the times of all stacks of speedscope', async (row) => {
      const profile = await importProfile(byteSource(readCorpus(row.path), row.path));
      const { profiles } = JSON.parse(readExpected(row, 'speedscope.json')!) as {
        profiles: { folded: Record<string, number> }[];
      };
      expect(Object.fromEntries(foldedOnTop(profile))).toEqual(profiles[0]!.folded);
    });
  });
});

/** Folds like speedscope, which puts a stack that is only a garbage collection on top of the one before. */
function foldedOnTop(profile: Profile): Map<string, number> {
  const sums = new Map<string, number>();
  let before: string[] = [];
  let beforeStack = -1;
  profile.samples.stack.forEach((stack, row) => {
    let names = namesRootFirst(profile, stack);
    const isCollection = names.length === 1 && names[0] === '(garbage collection)';
    if (isCollection) names = stack === beforeStack ? before : [...before, ...names];
    [before, beforeStack] = [names, stack];
    const key = names.join(';');
    sums.set(key, (sums.get(key) ?? 0) + profile.samples.weights[0]![row]!);
  });
  return sums;
}
