import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { checkImport } from '../../support/check-import.ts';
import { corpusRows, readCorpus, readExpected } from '../../support/corpus.ts';
import { corpus, needing } from '../../support/needing.ts';
import { rollUp } from '../../support/profile-rollup.ts';

checkImport({ path: 'safari/recording.json', format: 'safari', isText: true });

const read = (recording: object): Promise<Profile> =>
  importProfile(byteSource(JSON.stringify({ version: 1, recording: { instrumentTypes: [], ...recording } })));

describe('recordings of Safari', () => {
  it('have no time origin if the clock is out of range', async () => {
    const trace = { timestamp: 1e308, stackFrames: [] };
    const profile = await read({ startTime: 1e308, sampleStackTraces: [trace], sampleDurations: [1] });
    expect(profile.metadata.timeOrigin).toBeNull();
  });

  it.each([
    [{}, 'unsupported', /without samples of scripts/],
    [{ sampleStackTraces: [{ stackFrames: [] }], sampleDurations: [1e9] }, 'malformed', /beyond 2\^53 ns/],
    [{ sampleStackTraces: [{}], sampleDurations: [] }, 'malformed', /1 samples and 0 durations/],
    [
      { sampleStackTraces: [{}], sampleDurations: [1] },
      'malformed',
      /sampleStackTraces\[0\]\.stackFrames is not an array/,
    ],
    [
      { sampleStackTraces: [{ stackFrames: [7] }], sampleDurations: [1] },
      'malformed',
      /a frame of .*\[0\] is not an object/,
    ],
    [
      { sampleStackTraces: [{ stackFrames: [] }], sampleDurations: ['1'] },
      'malformed',
      /sampleDurations\[0\] is not a number/,
    ],
  ])('refuse %j', async (recording, failure, message) => {
    await expect(read(recording)).rejects.toMatchObject({ failure, message: expect.stringMatching(message) });
  });
});

needing(corpus, () => {
  const rows = corpusRows('other').filter(({ path }) => path.includes('html-recording'));
  describe('Safari corpus', () => {
    it.each(rows)('$path: has every stack of speedscope', async (row) => {
      const profile = await importProfile(byteSource(readCorpus(row.path), row.path));
      const { profiles } = JSON.parse(readExpected(row, 'speedscope.json')!) as {
        profiles: { folded: Record<string, number> }[];
      };
      const theirs = Object.entries(profiles[0]!.folded).map(
        ([stack, seconds]) => [stack.replaceAll(/\(anonymous [^;]*:-?\d+\)/g, '(anonymous)'), seconds] as const,
      );
      const ours = rollUp(profile, 0).folded;
      expect([...ours.keys()].filter((stack) => stack !== '').sort()).toEqual(theirs.map(([stack]) => stack).sort());
      for (const [stack, seconds] of theirs) expect(ours.get(stack)! / 1e9, stack).toBeCloseTo(seconds, 8);
      expect(profile.samples.length).toBe(23);
      expect(profile.diagnostics).toMatchObject([{ code: 'skipped-records', count: 37 + 2 }]);
    });
  });
});
