import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { checkImport } from '../../support/check-import.ts';
import { corpusRows, readCorpus, readExpected } from '../../support/corpus.ts';
import { foldedLines } from '../../support/folded-lines.ts';
import { corpus, needing } from '../../support/needing.ts';
import { rollUp } from '../../support/profile-rollup.ts';

checkImport({ path: 'ghcprof/exact.prof', format: 'ghcprof', isText: true });
checkImport({ path: 'ghcprof/shares.prof', format: 'ghcprof', isText: true });
checkImport({ path: 'ghcprof-json/small.json', format: 'ghcprof-json', isText: true });

const HEAD = ' Time and Allocation Profiling Report  (Final)\n\n';
const TABLE = 'COST CENTRE MODULE SRC    no.  entries  %time %alloc   %time %alloc  ticks     bytes\n\n';
const read = (text: string): Promise<Profile> => importProfile(byteSource(HEAD + text), { format: 'ghcprof' });

describe('GHC’s reports', () => {
  it.each([
    [
      'lines that are not rows',
      `${TABLE}MAIN        MAIN   <x>    1 0 0.0 0.2 100.0 100.0 0 20\noops\n`,
      'skipped-line',
      6,
    ],
    [
      'rows with too few numbers',
      `${TABLE}MAIN        MAIN   <x>    1 0 0.0 0.2 100.0 100.0 0 20\n x          M      <x>    1 0 0.0 0.2 100.0 100.0\n`,
      'skipped-line',
      6,
    ],
    [
      'numbers beyond 2^53',
      `${TABLE}MAIN        MAIN   <x>    1 0 0.0 0.2 1.0 1.0 0 9007199254740993\n`,
      'inexact-weight',
      5,
    ],
  ])('count %s', async (_, text, code, line) => {
    expect((await read(text)).diagnostics).toMatchObject([{ code, count: 1, first: { line } }]);
  });

  it('report ticks that do not add up', async () => {
    const total = 'total time  =  0.02 secs   (23 ticks @ 1000 us, 1 processor)\n\n';
    const profile = await read(`${total}${TABLE}MAIN        MAIN   <x>    1 0 0.0 0.2 100.0 100.0 1 20\n`);
    expect(profile.diagnostics).toMatchObject([{ code: 'totals-differ' }]);
  });

  it.each([
    ['a report without its table', 'total time = 1 secs\n', { line: 3 }],
    ['a table without rows', TABLE, { line: 4 }],
    ['a row that is too deep', `${TABLE}  x         M      <x>    1 0 0.0 0.2 100.0 100.0 0 20\n`, { line: 5 }],
  ])('refuse %s', async (_, text, location) => {
    await expect(read(text)).rejects.toMatchObject({ failure: 'malformed', location });
  });

  it.each([
    [
      'a cost centre that does not exist',
      { profile: { id: 8, entries: 1, alloc: 1, ticks: 1 } },
      'unknown cost centre 8',
    ],
    [
      'a node without ticks',
      { profile: { id: 1, entries: 1, alloc: 1 } },
      'ticks of a node of the profile is not a number',
    ],
    ['no profile', {}, 'profile is not an object'],
  ])('refuse JSON with %s', async (_, change, message) => {
    const file = { rts_arguments: [], cost_centres: [{ id: 1, label: 'MAIN' }], ...change };
    await expect(importProfile(byteSource(JSON.stringify(file)))).rejects.toMatchObject({
      failure: 'malformed',
      message: expect.stringContaining(message) as string,
    });
  });
});

/** Writes modules before the names, like inferno. */
function withModules(profile: Profile): Profile {
  const { strings, functions } = profile;
  const names = Array.from(
    { length: functions.length },
    (_, func) => `${strings[functions.module[func]!]!}.${strings[functions.name[func]!]!}`,
  );
  return { ...profile, strings: names, functions: { ...functions, name: Int32Array.from(names.keys()) } };
}

needing(corpus, () => {
  it('has all rows', () => expect(corpusRows('ghcprof')).toHaveLength(1));

  it.each(corpusRows('ghcprof'))('$path: stacks, self and total equal inferno’s', async (row) => {
    const profile = await importProfile(byteSource(readCorpus(row.path), row.path));
    expect(profile.diagnostics).toEqual([]);
    const sums = profile.valueTypes.map(({ type }, column) => [
      type,
      Math.round(rollUp(profile, column).sum * 10) / 10,
    ]);
    expect(sums.slice(0, 2)).toEqual([
      ['ticks', 23],
      ['alloc_space', 59_542_424],
    ]);
    // inferno counts tenths of a percent of the time.
    const tenths = (weights: ReadonlyMap<string, number>): Map<string, number> =>
      new Map([...weights].map(([name, weight]) => [name, Math.round(weight * 10)]));
    const { folded, self, total } = rollUp(withModules(profile), 3);
    for (const kind of ['inferno.folded', 'golden.folded']) {
      expect(tenths(folded)).toEqual(foldedLines(readExpected(row, kind)!));
    }
    for (const line of readExpected(row, 'selftotal.tsv')!.trimEnd().split('\n').slice(1)) {
      const [name, own, all] = line.split('\t');
      expect([tenths(self).get(name!) ?? 0, tenths(total).get(name!)], name).toEqual([Number(own), Number(all)]);
    }
  });
});
