import { expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { checkImport } from '../../../support/check-import.ts';

checkImport({ path: 'flamebearer/single.json', format: 'flamebearer', isText: true });
checkImport({ path: 'flamebearer/diff.json', format: 'flamebearer', isText: true });

const read = (levels: unknown, more: object = {}) =>
  importProfile(byteSource(JSON.stringify({ flamebearer: { names: ['total', 'a'], levels, ...more }, metadata: {} })));

it.each([
  [[[0, 1, 0]], /levels\[0\] has 3 numbers, not 4/],
  [[[0, 1, 0, 2]], /the name of levels\[0\]\[0\] is 2, of 2 rows/],
  [[[0, 1, -1, 0]], /levels\[0\]\[0\] is negative/],
  [
    [
      [0, 1, 0, 0],
      [0, 2, 2, 1],
    ],
    /levels\[1\]\[0\] is not above a bar/,
  ],
  [[[0, '1', 0, 0]], /is not a number/],
])('refuses %j', async (levels, message) => {
  await expect(read(levels)).rejects.toMatchObject({ failure: 'malformed', message: expect.stringMatching(message) });
});

it('reports bars that do not add up', async () => {
  const { diagnostics } = await read([[0, 3, 3, 1]], { numTicks: 4 });
  expect(diagnostics.map(({ code }) => code)).toEqual(['inconsistent-total']);
});
