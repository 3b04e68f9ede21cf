import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wrapText } from '#core/export/svg/wrap-text.ts';

it('breaks lines at spaces, and within words that are too long', () => {
  expect(wrapText('one two three', 7)).toEqual(['one two', 'three']);
  expect(wrapText('one abcdefghij two', 4)).toEqual(['one', 'abcd', 'efgh', 'ij', 'two']);
  expect(wrapText('fits', 4)).toEqual(['fits']);
  expect(wrapText(' ', 4)).toEqual([]);
  expect(wrapText('a😀😀', 2)).toEqual(['a', '😀', '😀']);
});

it('loses nothing but spaces, and no line is too wide', () => {
  const text = fc
    .array(fc.constantFrom('a', 'bcd', 'efghijklmnop', ' '), { maxLength: 60 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.integer({ min: 5, max: 30 }), (words, room) => {
      const lines = wrapText(words, 3 * room, (part) => 3 * part.length);
      fc.pre(lines.length < 40);
      expect(lines.join('').replaceAll(' ', '')).toBe(words.replaceAll(' ', ''));
      expect(lines.every((line) => line.length <= room && line === line.trim())).toBe(true);
    }),
  );
});

it('says how much of a text beyond 40 lines is left out', () => {
  const lines = wrapText('x'.repeat(50_000), 10);
  expect(lines).toHaveLength(40);
  expect(lines.at(-1)).toBe('… and 49,610 more characters');
});
