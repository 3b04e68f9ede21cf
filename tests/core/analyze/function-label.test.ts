import { expect, test } from 'vitest';
import { shortenMiddle } from '#core/analyze/function-label.ts';

test.each([
  ['short', 10, 'short'],
  ['abcdefghij', 10, 'abcdefghij'],
  ['abcdefghij', 5, 'ab…ij'],
  ['abcdefghij', 4, 'ab…j'],
  ['abcdefghij', 1, '…'],
  ['abcdefghij', 0, ''],
  // A surrogate pair is removed whole and never cut in two.
  ['💥💥💥💥', 4, '💥…'],
])('%s in %i characters', (name, length, expected) => {
  expect(shortenMiddle(name, length)).toBe(expected);
});
