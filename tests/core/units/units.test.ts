import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLoadText } from '#core/load/load-text.ts';
import { loadMetric } from '#core/load/sweep.ts';
import { countText, createFormatter, formatShare, formatValue } from '#core/units/format.ts';
import { convertUnit, findUnit, units } from '#core/units/units.ts';

describe('units', () => {
  test('have distinct spellings', () => {
    const spellings = units.flatMap(({ name, symbol, aliases }) => [
      ...new Set([name, symbol.toLowerCase(), ...aliases]),
    ]);
    expect(new Set(spellings).size).toBe(spellings.length);
  });

  test.each([
    ['us', 'microseconds'],
    ['µs', 'microseconds'],
    ['kB', 'kibibytes'],
    ['Milliseconds', 'milliseconds'],
    ['', 'count'],
  ])('%s is %s', (spelling, name) => {
    expect(findUnit(spelling)?.name).toBe(name);
  });

  test('do not include units that only their program knows', () => {
    for (const name of ['objects', 'GCU', '__proto__', 'constructor']) expect(findUnit(name)).toBe(null);
  });

  test('convert only within a dimension', () => {
    expect(convertUnit(1.5, 'seconds', 'nanoseconds')).toBe(1_500_000_000);
    expect(convertUnit(3, 'nanoseconds', 'microseconds')).toBe(0.003);
    expect(convertUnit(2, 'kilobytes', 'bytes')).toBe(2048);
    expect(convertUnit(7, 'objects', 'objects')).toBe(7);
    expect(() => convertUnit(1, 'seconds', 'bytes')).toThrow("seconds can't be converted to bytes");
    expect(() => convertUnit(1, 'objects', 'bytes')).toThrow(RangeError);
  });

  test('are the same after converting there and back', () => {
    const times = units.filter(({ dimension }) => dimension === 'time').map(({ name }) => name);
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...times), fc.constantFrom(...times), (value, from, to) => {
        expect(convertUnit(convertUnit(value, from, to), to, from)).toBeCloseTo(value, 3);
      }),
    );
  });
});

describe('countText', () => {
  test('one is singular, none and others are plural', () => {
    expect([0, 1, 1240].map((count) => countText(count, 'sample'))).toEqual(['0 samples', '1 sample', '1,240 samples']);
    expect([1, 2].map((count) => countText(count, 'entry', 'entries'))).toEqual(['1 entry', '2 entries']);
  });
});

describe('formatValue', () => {
  test('one sample is singular', () => {
    const { value } = createFormatter('en');
    expect([0, 1, 2, 1.5].map((weight) => value(weight, 'samples'))).toEqual([
      '0 samples',
      '1 sample',
      '2 samples',
      '1.5 samples',
    ]);
    expect([1, -1].map((delta) => value(delta, 'samples', { sign: 'always' }))).toEqual(['+1 sample', '-1 sample']);
  });

  test.each([
    [0, 'nanoseconds', '0 ns'],
    [7, 'nanoseconds', '7 ns'],
    [999.9, 'microseconds', '1 ms'],
    [999_400, 'nanoseconds', '999 µs'],
    [1_234_000_000, 'nanoseconds', '1.23 s'],
    [90, 'seconds', '90 s'],
    [599.9, 'seconds', '10 min'],
    [1800, 'seconds', '30 min'],
    [40_000, 'seconds', '11.1 h'],
    [0.5, 'nanoseconds', '0.5 ns'],
    [0.001_234, 'nanoseconds', '0.00123 ns'],
    [1023, 'bytes', '1,023 B'],
    [1024, 'bytes', '1 KiB'],
    [4_404_019, 'bytes', '4.2 MiB'],
    [1_048_575, 'bytes', '1 MiB'],
    [2 ** 60, 'bytes', '1,024 PiB'],
    [234_567, 'count', '234,567'],
    [1_234_567, 'count', '1.23 M'],
    [10e9, 'cycles', '10 G cycles'],
    [999_999_999, 'samples', '1 G samples'],
    [Number.MAX_SAFE_INTEGER, 'count', '9.01 P'],
    [12.3456, 'count', '12.346'],
    [0.000_012_34, 'count', '0.0000123'],
    [3, 'samples', '3 samples'],
    [1_500, 'objects', '1,500 objects'],
    [4000, 'hertz', '4 kHz'],
    [99, 'hertz', '99 Hz'],
    [-1_500_000, 'nanoseconds', '-1.5 ms'],
  ])('%d %s is %s', (value, unit, expected) => {
    expect(formatValue(value, unit)).toBe(expected);
  });

  test('groups digits and writes points like the locale', () => {
    expect(formatValue(234_567, 'count', 'de')).toBe('234.567');
    expect(formatValue(1_234_000_000, 'nanoseconds', 'de')).toBe('1,23 s');
  });

  test('gives deltas a sign, except zero', () => {
    const { value, share } = createFormatter('en');
    expect(value(1500, 'bytes', { sign: 'always' })).toBe('+1.46 KiB');
    expect(value(-3, 'count', { sign: 'always' })).toBe('-3');
    expect(value(0, 'count', { sign: 'always' })).toBe('0');
    expect(share(1, 8, { sign: 'always' })).toBe('+12.5 %');
  });
});

describe('formatShare', () => {
  test.each([
    [123, 1000, '12.3 %'],
    [1, 1, '100.0 %'],
    [0, 5, '0.0 %'],
    [1, 1_000_000, '<0.1 %'],
    [5, 0, '–'],
    [-1, 4, '-25.0 %'],
  ])('%d of %d is %s', (part, whole, expected) => {
    expect(formatShare(part, whole)).toBe(expected);
  });
});

test('shows what rounding leaves of a difference of equal values as 0', () => {
  const { value, share, number } = createFormatter('en');
  const signed = { sign: 'always' } as const;
  // 0.3 − 0.1 − 0.2 s in floating point.
  expect(value(0.3 - 0.1 - 0.2, 'seconds', signed)).toBe('0 ns');
  expect(value(1.1e-16, 'seconds')).toBe('0 ns');
  expect(share(-1.1e-16, 1, signed)).toBe('0.0 %');
  expect(number(-1.1e-16, signed)).toBe('0');
  expect([value(0.02, 'nanoseconds'), share(1, 1e12), number(0.000_02)]).toEqual(['0.02 ns', '<0.1 %', '0.00002']);
  const load = createLoadText('en');
  expect(load.delta(loadMetric('qps'), -0.01)).toBe('0');
  expect(load.delta(loadMetric('qps'), 12.34)).toBe('+12.3');
  expect(load.delta(loadMetric('p99'), -1.1e-16)).toBe('0 ns');
});
