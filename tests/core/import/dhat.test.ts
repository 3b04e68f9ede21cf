import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { checkImport } from '../../support/check-import.ts';
import { corpusRows, readCorpus, readExpected } from '../../support/corpus.ts';
import { corpus, needing } from '../../support/needing.ts';
import { rollUp } from '../../support/profile-rollup.ts';

checkImport({ path: 'dhat/heap.dhat.json', format: 'dhat', isText: true });
checkImport({ path: 'dhat/units.json', format: 'dhat', isText: true });

const read = (change: object): Promise<Profile> => {
  const file = { dhatFileVersion: 2, pps: [{ tb: 1, tbk: 1, fs: [1] }], ftbl: ['[root]', '0x1: f (a.c:1)'], ...change };
  return importProfile(byteSource(JSON.stringify(file)));
};

describe('DHAT', () => {
  it('accepts any text as a frame', async () => {
    const profile = await read({ ftbl: ['[root]', '<script>'] });
    expect([...rollUp(profile, 0).folded]).toEqual([['<script>', 1]]);
  });

  it.each([
    ['another version', { dhatFileVersion: 3 }, 'unsupported', 'version 3'],
    ['a frame that does not exist', { pps: [{ tb: 1, tbk: 1, fs: [9] }] }, 'malformed', 'is 9, of 2 rows'],
    ['a point without frames', { pps: [{ tb: 1, tbk: 1 }] }, 'malformed', 'pps[0].fs is not an array'],
    ['a point without bytes', { pps: [{ tbk: 1, fs: [1] }] }, 'malformed', 'pps[0].tb is not a number'],
    [
      'text in place of a number',
      { pps: [{ tb: 1, tbk: 1, gb: '7', fs: [1] }] },
      'malformed',
      'pps[0].gb is not a number',
    ],
    ['points that are not a list', { pps: {} }, 'malformed', 'pps is not an array'],
  ])('refuses %s', async (_, change, failure, message) => {
    await expect(read(change)).rejects.toMatchObject({ failure, message: expect.stringContaining(message) as string });
  });
});

interface Oracle {
  readonly threads: readonly {
    readonly thread: string;
    readonly functions: readonly { readonly name: string; readonly self: number; readonly total: number }[];
  }[];
}

/** Value types for which the Firefox Profiler creates threads. */
const THREADS = new Map([
  ['Total Bytes', 'alloc_space'],
  ['Maximum Bytes', 'max_space'],
  ['Bytes at Global Max', 'peak_space'],
  ['Bytes at End', 'end_space'],
]);

needing(corpus, () => {
  it('has all rows', () => expect(corpusRows('dhat')).toHaveLength(1));

  it.each(corpusRows('dhat'))('$path: self and total of every function equal the Firefox Profiler’s', async (row) => {
    const profile = await importProfile(byteSource(readCorpus(row.path), row.path));
    const { threads } = JSON.parse(readExpected(row, 'firefox-profiler-cli.json')!) as Oracle;
    expect(threads.map(({ thread }) => thread)).toEqual([...THREADS.keys()]);
    for (const { thread, functions } of threads) {
      const ours = rollUp(
        profile,
        profile.valueTypes.findIndex(({ type }) => type === THREADS.get(thread)),
      );
      // The Firefox Profiler distinguishes addresses within a function, and its root is the command.
      const self = new Map<string, number>();
      const total = new Map<string, number>();
      for (const { name, self: own, total: all } of functions.filter(({ name }) => name !== profile.metadata.command)) {
        self.set(name, (self.get(name) ?? 0) + own);
        total.set(name, (total.get(name) ?? 0) + all);
      }
      for (const [name, weight] of self) expect(ours.self.get(name) ?? 0, name).toBe(weight);
      for (const [name, weight] of total) expect(ours.total.get(name), name).toBe(weight);
      expect(ours.sum).toBe(functions.reduce((sum, { self: own }) => sum + own, 0));
    }
  });
});
