import { describe, expect, test } from 'vitest';
import { readMark } from '../../../../renderer/features/time/marks-form.tsx';
import { readRange } from '../../../../renderer/features/time/range-form.tsx';
import { rangeChipMeaning, rangeChipText, withoutTimeText } from '../../../../renderer/state/time/range-text.ts';
import type { Analysis } from '../../../../renderer/analysis/profile/protocol.ts';

const whole = { start: 5e9, end: 15e9 };

describe('readRange', () => {
  test('parses to the profile’s own time, clipped to the whole', () => {
    expect(readRange('1', '2.5', whole)).toEqual({ start: 6e9, end: 7.5e9 });
    expect(readRange('9', '100', whole)).toEqual({ start: 14e9, end: 15e9 });
  });

  test.each([
    ['x', '1', /Invalid start time/],
    ['1', '', /Invalid end time/],
    ['2', '2', /after the start/],
    ['11', '12', /from 0 to 10 seconds/],
  ])('%s to %s', (start, end, problem) => {
    expect(readRange(start, end, whole)).toMatch(problem);
  });
});

describe('readMark', () => {
  test('returns a moment or a range', () => {
    expect(readMark(' deploy ', '1', ' ', whole)).toEqual({ name: 'deploy', start: 6e9, end: null });
    expect(readMark('storm', '1', '99', whole)).toEqual({ name: 'storm', start: 6e9, end: 15e9 });
  });

  test.each([
    [' ', '1', '', /name/],
    ['a', 'soon', '', /Invalid start time/],
    ['a', '1', 'later', /Invalid end time/],
    ['a', '2', '1', /after the start/],
    ['a', '-1', '', /from 0 to 10 seconds/],
    ['a', '11', '', /from 0 to 10 seconds/],
  ])('%s at %s until %s', (name, start, end, problem) => {
    expect(readMark(name, start, end, whole)).toMatch(problem);
  });
});

describe('the range’s chip', () => {
  const analysis = { sampleCount: 50, withoutRange: { total: 9, sampleCount: 200 }, withoutTime: 0 } as Analysis;
  const range = { start: 6e9, end: 6.5e9 };

  test('shows its length and its share of the samples', () => {
    expect(rangeChipText(range, analysis)).toBe('time: 500 ms · 25.0 %');
    expect(rangeChipText(range, null)).toBe('time: 500 ms');
    expect(rangeChipMeaning(analysis)).toBe('Only samples in the selected time: 50 of 200 samples');
  });

  test('counts samples without a timestamp', () => {
    const some = { ...analysis, withoutTime: 7 };
    expect(withoutTimeText(some)).toBe('7 samples without a timestamp left out');
    expect(rangeChipMeaning(some)).toContain('; 7 samples without a timestamp left out');
  });
});
