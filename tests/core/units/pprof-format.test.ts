import { expect, test } from 'vitest';
import { pprofShare, pprofTableUnit, pprofValue } from '#core/units/pprof-format.ts';

/** Output of measurement.ScaledLabel and measurement.Percentage of github.com/google/pprof. */
test.each([
  [0, 'bytes', 'auto', '0'],
  [1152, 'bytes', 'auto', '1.12kB'],
  [1408, 'bytes', 'auto', '1.38kB'],
  [1664, 'bytes', 'auto', '1.62kB'],
  [-1152, 'bytes', 'auto', '-1.12kB'],
  [4_810_000_000, 'nanoseconds', 'auto', '4.81s'],
  [30_000_000, 'nanoseconds', 's', '0.03s'],
  [7_200_000_000_000, 'nanoseconds', 'auto', '2hrs'],
  [42, 'count', 'auto', '42'],
  [42, 'requests', 'requests', '42requests'],
  [2048, 'kilobytes', 'auto', '2MB'],
])('%d %s in %s is %s', (value, unit, to, text) => {
  expect(pprofValue(value, unit, to)).toBe(text);
});

test.each([
  [0, 0, '    0%'],
  [1, 1, '  100%'],
  [9996, 10_000, '  100%'],
  [1, 3, '33.33%'],
  [-1, 3, '33.33%'],
  [1, 800, ' 0.12%'],
  [5, 10_000, ' 0.05%'],
  [1, 1_000_000_000, '1e-07%'],
  [999, 100_000, '    1%'],
])('%d of %d is %s', (value, total, text) => {
  expect(pprofShare(value, total)).toBe(text);
});

test.each([
  [10_000_000, 2_090_000_000, 's'],
  [10_000_000, 480_000_000, 'ms'],
  [0, 480_000_000, 'ms'],
])('a table of %d to %d ns is in %s', (smallest, largest, unit) => {
  expect(pprofTableUnit(smallest, largest, 'nanoseconds')).toBe(unit);
});

test('percentages, the weights of printed reports, have their sign', () => {
  expect(pprofValue(96.3, 'percent', pprofTableUnit(1.01, 100, 'percent'))).toBe('96.30%');
});
