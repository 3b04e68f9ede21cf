import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { checkImport } from '../../support/check-import.ts';
import { corpusRows, readCorpus, readExpected } from '../../support/corpus.ts';
import { foldedLines, foldedText } from '../../support/folded-lines.ts';
import { corpus, needing } from '../../support/needing.ts';
import { rollUp } from '../../support/profile-rollup.ts';

checkImport({ path: 'pmcstat/graph.txt', format: 'pmcstat', isText: true });

const read = (text: string): Promise<Profile> => importProfile(byteSource(text));

describe('pmcstat call graphs', () => {
  it('have each event as a separate value type', async () => {
    const profile = await read('@ a [3 samples]\n100.0% [3]  f\n@ b [2 samples]\n100.0% [2]  f\n');
    expect(profile.valueTypes.map(({ type, unit }) => `${type} ${unit}`)).toEqual(['a samples', 'b samples']);
    expect([rollUp(profile, 0).sum, rollUp(profile, 1).sum]).toEqual([3, 2]);
    expect(profile.diagnostics).toEqual([]);
  });

  it('report callers with more samples than their callee', async () => {
    const profile = await read('@ a [3 samples]\n100.0% [3]  f\n 100.0% [4]  g\n');
    expect(profile.diagnostics).toMatchObject([{ code: 'uneven-counts', first: { line: 2 } }]);
  });

  it('take no extra time for rows of a megabyte that nearly match', async () => {
    const long = [' @ '.repeat(3e5), `${' '.repeat(1e6)}x`, `${' @ x'.repeat(2.5e5)} y`];
    const profile = await read(`@ a [3 samples]\n${long.map((name) => `1.0% [1]  f${name}\n`).join('')}`);
    expect(rollUp(profile, 0).sum).toBe(3);
  });

  it.each([
    ['@ a [3 samples]\n', 1, /no event has a function/],
    ['@ a [3 samples]\n  100.0% [3]  f\n', 2, /more than one level/],
    ['@ a [3 samples]\n100.0% [99999999999999999]  f\n', 2, /beyond/],
    ['@ a [3 samples]\n100.0% [3]  f\n@ a [3 samples]\n', 3, /repeated event/],
  ])('refuse %j with line %i', async (text, line, message) => {
    await expect(importProfile(byteSource(text), { format: 'pmcstat' })).rejects.toMatchObject({
      failure: 'malformed',
      message: expect.stringMatching(message),
      location: { line },
    });
  });
});

needing(corpus, () => {
  const rows = corpusRows('other').filter(({ path }) => path.includes('/pmcstat'));
  describe('pmcstat corpus', () => {
    it.each(rows)('$path: has the complete stacks of speedscope, and loses no listed sample', async (row) => {
      const profile = await importProfile(byteSource(readCorpus(row.path), row.path));
      const { profiles } = JSON.parse(readExpected(row, 'speedscope.json')!) as {
        profiles: { folded: Record<string, number> }[];
      };
      const ours = foldedLines(foldedText(profile));
      for (const [stack, weight] of Object.entries(profiles[0]!.folded)) expect(ours.get(stack), stack).toBe(weight);
      // The values of the two functions are in the listing.
      expect(Object.fromEntries(rollUp(profile, 0).self)).toEqual({
        zfs_lz4_compress: 7447,
        fletcher_2_native: 5156,
      });
      expect(rollUp(profile, 0).total.get('arc_buf_thaw')).toBe(1723);
      expect(profile.diagnostics.find(({ code }) => code === 'unlisted-functions')?.count).toBe(35_705 - 7447 - 5156);
    });
  });
});
