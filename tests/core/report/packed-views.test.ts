import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_VIEW_WORD } from '#core/contract/limits.ts';
import { viewFromWord, viewToWord } from '#core/report/packed-views.ts';

test('a view is restored from its word, which needs no quoting', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (view) => {
      const word = viewToWord({ view })!;
      expect(word).toMatch(/^[\w-]+$/);
      expect(viewFromWord(word)).toEqual(JSON.parse(JSON.stringify({ view })));
    }),
  );
});

test.each(['', 'nonsense', '====', '__proto__', 'eJw', 'ü', 'A'.repeat(MAX_VIEW_WORD + 1)])('refuses %s', (word) => {
  expect(viewFromWord(word)).toBeUndefined();
});

test('a view too large for a command line has no word', () => {
  let seed = 1;
  const noise = Array.from({ length: MAX_VIEW_WORD }, () => (seed = (seed * 48_271) % 2_147_483_647));
  expect(viewToWord(noise)).toBeNull();
});
