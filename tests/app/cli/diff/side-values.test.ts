import { expect, test } from 'vitest';
import { nameFiles } from '#app/cli/diff/inputs.ts';
import { parseSideValues } from '#app/cli/diff/options.ts';

test.each([
  [[], undefined, undefined],
  [['cpu'], 'cpu', 'cpu'],
  [['before=1,2,after=3'], '1,2', '3'],
  [['after=3'], undefined, '3'],
  [['cpu', 'after=cpu/event=0x3c,umask=0/'], 'cpu', 'cpu/event=0x3c,umask=0/'],
  [['before='], '', undefined],
])('splits %j into a value for each side', (given, before, after) => {
  expect(parseSideValues(given)).toEqual({ before, after });
});

test('names files by the shortest path that distinguishes them', () => {
  const paths = ['/lib/a/raw.txt', '/lib/b/raw.txt', 'other/x.folded', '/old/b/raw.txt', 'raw.txt'];
  expect([...nameFiles(paths).values()].sort()).toEqual(
    ['a/raw.txt', 'lib/b/raw.txt', 'old/b/raw.txt', 'raw.txt', 'x.folded'].sort(),
  );
  expect(nameFiles(['./a', 'a'])).toEqual(
    new Map([
      ['./a', './a'],
      ['a', 'a'],
    ]),
  );
});
