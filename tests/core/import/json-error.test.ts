import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonErrorAt } from '#core/import/text/json-error.ts';

it.each([
  ['', 0],
  ['  ', 2],
  ['{"a":oops}', 5],
  ['{"a":1,}', 7],
  ['[1,]', 3],
  ['[1 2]', 3],
  ['{"a" 1}', 5],
  ['{a:1}', 1],
  ['[1]]', 3],
  ['[01]', 2],
  ['["a\nb"]', 1],
  ['["unfinished', 12],
  ['["\\', 3],
  ['["\\u00e', 7],
  ['["\\x"]', 1],
  ['["\\u00x0"]', 1],
  ['{"key', 5],
  ['[tru', 4],
  ['[trux', 1],
  ['[-', 2],
  ['[-a]', 1],
  ['[1.', 3],
  ['[1.a]', 2],
  ['[1e+', 4],
  ['[1e+a]', 2],
  ['["a\nb', 1],
  ['{"é":nul}', 5],
  ['[{"a":[1,{"b":}]}]', 14],
])('%s stops being JSON at %i', (text, at) => {
  expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
  expect(jsonErrorAt(text)).toBe(at);
});

it('finds that JSON ends too early wherever it is cut', () => {
  const text = JSON.stringify([{ 'k\u0001"é': [true, false, null, -1.5e-300, 0, 12, '\\'] }, 'a']);
  for (let end = 0; end < text.length; end++) expect(jsonErrorAt(text.slice(0, end))).toBe(end);
});

it.each([
  ['a string', `["${'a'.repeat(2 ** 24)}`],
  ['escapes', `["${'\\n'.repeat(2 ** 23)}`],
  ['a number', `[${'1'.repeat(2 ** 24)}`],
  ['blanks', `[${' '.repeat(2 ** 24)}`],
])('finds the end of text that ends within 16 MiB of %s', (_, text) => {
  expect(jsonErrorAt(text)).toBe(text.length);
});

it('finds no error in valid JSON before its end', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(jsonErrorAt(text)).toBe(text.length);
    }),
  );
});
