import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonErrorAt } from '#core/import/text/json-session.ts';

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
  ['["unfinished', 1],
  ['{"é":nul}', 5],
  ['[{"a":[1,{"b":}]}]', 14],
])('%s stops being JSON at %i', (text, at) => {
  expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
  expect(jsonErrorAt(text)).toBe(at);
});

it('finds no error in valid JSON before its end', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(jsonErrorAt(text)).toBe(text.length);
    }),
  );
});
