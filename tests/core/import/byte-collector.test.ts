import { expect, test } from 'vitest';
import { ByteCollector } from '#core/import/text/byte-collector.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

test.each([
  ['nothing', null],
  ['what comes', 6],
  ['less', 3],
  ['more', 9],
  ['a piece alone', 2],
  ['an implausible size', 2 ** 40],
])('returns a complete input that stated %s', (_, expected) => {
  const collector = new ByteCollector('a test');
  if (expected !== null) collector.expect(expected);
  const piece = bytes(1, 2);
  collector.push(piece);
  // A source may reuse its memory.
  piece.set([3, 4]);
  collector.push(piece);
  collector.push(bytes());
  collector.push(bytes(5, 6));
  expect(collector.finish()).toEqual(bytes(1, 2, 3, 4, 5, 6));
  expect(collector.finish()).toHaveLength(0);
});

test('refuses an input beyond the bound, whatever was expected', () => {
  const collector = new ByteCollector('a test', 3);
  collector.expect(8);
  collector.push(bytes(1, 2));
  expect(() => collector.push(bytes(3, 4))).toThrow('a test of more than 0 MiB');
});
