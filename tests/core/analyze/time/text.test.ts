import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTime, parseTimeRange, timeRangeText, timeText } from '#core/analyze/time/text.ts';

describe('parseTime', () => {
  test.each([
    ['0', 0],
    ['12.5', 12.5e9],
    ['.5', 0.5e9],
    ['5.', 5e9],
    [' 250ms ', 250e6],
    ['3 us', 3000],
    ['3µs', 3000],
    ['7ns', 7],
    ['1.5min', 90e9],
    ['2h', 7200e9],
    ['1:02.5', 62.5e9],
    ['90:00', 5400e9],
    ['1:00:00', 3600e9],
    ['0.000000001', 1],
    ['4.35', 4_350_000_000],
    ['0.1ns', 0.1],
    ['-1.5', -1.5e9],
  ])('parses %s', (text, nanoseconds) => {
    expect(parseTime(text)).toBe(nanoseconds);
  });

  test.each([
    '',
    '.',
    'now',
    '1,5',
    '1:60',
    '1:2:60',
    '1:60:00',
    '1:2:3:4',
    '5 parsecs',
    '1..2',
    'NaN',
    'Infinity',
    '__proto__',
    '1e999',
    '1e',
    'e5',
    '9'.repeat(1000),
  ])('refuses %s', (text) => {
    expect(parseTime(text)).toBe(null);
  });
});

describe('time as text', () => {
  test.each([
    [0, '0'],
    [1, '0.000000001'],
    [1_500_000_000, '1.5'],
    [36_000_000_000_000, '36000'],
    [-2_000_000_001, '-2.000000001'],
    [1.5, '1.5ns'],
  ])('writes %d ns', (nanoseconds, text) => {
    expect(timeText(nanoseconds)).toBe(text);
  });

  test('parses back to the same number', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: 0, max: 1e15 }), fc.double({ min: 1e-6, max: 1e14, noNaN: true })),
        (nanoseconds) => {
          expect(parseTime(timeText(nanoseconds))).toBe(nanoseconds);
        },
      ),
    );
  });
});

describe('parseTimeRange', () => {
  const whole = { start: 5e9, end: 15e9 };

  test('counts from the first sample; sides can be omitted', () => {
    expect(parseTimeRange('1..2.5', whole)).toEqual({ start: 6e9, end: 7.5e9 });
    expect(parseTimeRange('..250ms', whole)).toEqual({ start: 5e9, end: 5.25e9 });
    expect(parseTimeRange('0:02 ..', whole)).toEqual({ start: 7e9, end: 15e9 });
    expect(parseTimeRange('..', whole)).toEqual(whole);
  });

  test('reports what is wrong', () => {
    expect(parseTimeRange('1-2', whole)).toBe('no-range');
    expect(parseTimeRange('1..2..3', whole)).toBe('no-range');
    expect(parseTimeRange('x..2', whole)).toBe('bad-start');
    expect(parseTimeRange('1..y', whole)).toBe('bad-end');
    expect(parseTimeRange('2..2', whole)).toBe('empty');
    expect(parseTimeRange('3..2', whole)).toBe('empty');
  });

  test('parses the output of timeRangeText', () => {
    expect(parseTimeRange(timeRangeText({ start: 1, end: 2_500_000_001 }), { start: 0, end: 9e9 })).toEqual({
      start: 1,
      end: 2_500_000_001,
    });
  });
});
