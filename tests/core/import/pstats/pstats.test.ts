import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { checkImport } from '../../../support/check-import.ts';

// cProfile of Python 3.11: `leaf` is called by `a` (twice) and by `b`; `even` and `odd` call one another.
checkImport({ path: 'pstats/work.pstats', format: 'pstats', isText: false });

/** `round(tt * 1e9)` of Python's own `pstats.Stats(FILE).stats`. */
const SELF = {
  '<built-in method builtins.sorted>': 6512,
  "<method 'disable' of '_lsprof.Profiler' objects>": 942,
  a: 7063,
  b: 13_145,
  even: 4249,
  leaf: 23_998_384,
  main: 27_983,
  odd: 2153,
};

const bytes = readFileSync(join(import.meta.dirname, '../../../fixtures/import/pstats/work.pstats'));
const read = (content: Uint8Array) => importProfile(byteSource(content), { format: 'pstats' });

it('has the self times of pstats.Stats, in nanoseconds', async () => {
  const { samples, stacks, frames, functions, strings } = await read(bytes);
  const self = new Map<string, number>();
  samples.weights[0]!.forEach((weight, row) => {
    const name = strings[functions.name[frames.func[stacks.frame[samples.stack[row]!]!]!]!]!;
    self.set(name, (self.get(name) ?? 0) + weight);
  });
  expect(Object.fromEntries([...self].toSorted(([a], [b]) => (a < b ? -1 : 1)))).toEqual(SELF);
});

it.each([
  ['{0', /there is no function/],
  ['{)\x03z\x01ai\0\0\0\0z\x01b)\x01N0', /the times of a function: not 5 values/],
  [')\x01'.repeat(20), /nest deeper/],
  ['{r\x07\0\0\0', /a reference to no value/],
  ['[\xff\xff\xff\x7f', /ends within a list/],
  ['{x', /a value that no profile has/],
])('refuses %j', async (text, message) => {
  const content = Uint8Array.from(text, (unit) => unit.charCodeAt(0));
  await expect(read(content)).rejects.toMatchObject({ failure: 'malformed', message: expect.stringMatching(message) });
});

it('is refused or read with any byte damaged', async () => {
  for (let at = 0; at < bytes.length; at++) {
    const damaged = Uint8Array.from(bytes);
    damaged[at]! ^= 1 << (at % 8);
    await read(damaged).catch((error: unknown) => expect(error, `byte ${at}`).toMatchObject({ name: 'ImportFailure' }));
  }
});
