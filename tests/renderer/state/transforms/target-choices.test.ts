import { expect, test } from 'vitest';
import { functionChoices, matchChoices, moduleChoices } from '../../../../renderer/state/transforms/target-choices.ts';
import type { FunctionNames, FunctionRows } from '../../../../renderer/analysis/profile/protocol.ts';

const strings = ['', '__proto__', '/lib/libc.so', 'malloc\u001b[31m', 'free'];
const functions: FunctionNames = {
  length: 3,
  strings,
  name: Int32Array.of(1, 3, 4),
  module: Int32Array.of(0, 2, 2),
  file: new Int32Array(3),
  line: new Int32Array(3),
  kind: new Uint8Array(3),
};
const rows: FunctionRows = {
  func: Int32Array.of(0, 1, 2),
  self: Float64Array.of(1, 5, 2),
  total: Float64Array.of(8, 5, 9),
};
const shown = (choices: readonly { name: string; detail: string; weight: number }[]) =>
  choices.map(({ name, detail, weight }) => `${name}|${detail}|${weight}`);

test('lists functions, heaviest first, with control characters visible', () => {
  const choices = functionChoices(functions, rows);
  expect(shown(choices)).toEqual(['free|libc.so|9', '__proto__||8', 'malloc␛[31m|libc.so|5']);
  expect(choices[1]!.value()).toEqual({ name: '__proto__', module: '', file: '', line: 0 });
});

test('lists modules by self weight', () => {
  const choices = moduleChoices(functions, rows);
  expect(shown(choices)).toEqual(['libc.so|/lib/libc.so|7', '(unknown)||1']);
  expect(choices.map(({ value }) => value())).toEqual(['/lib/libc.so', '']);
});

test('finds words in any order and case', () => {
  const choices = functionChoices(functions, rows);
  expect(shown(matchChoices(choices, 'LIBC mal'))).toEqual(['malloc␛[31m|libc.so|5']);
  expect(matchChoices(choices, ' ')).toHaveLength(3);
  expect(matchChoices(choices, 'constructor')).toEqual([]);
});
