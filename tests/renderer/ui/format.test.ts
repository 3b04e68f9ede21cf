import { describe, expect, it } from 'vitest';
import { age, clock } from '../../../renderer/ui/format.ts';

describe('clock', () => {
  it.each([
    [0, '0:00'],
    [7_999, '0:07'],
    [750_000, '12:30'],
    [3_723_000, '1:02:03'],
  ])('%i ms is %s', (milliseconds, text) => {
    expect(clock(milliseconds)).toBe(text);
  });
});

describe('age', () => {
  it.each([
    [59_000, 'now'],
    [5 * 60_000, '5 min'],
    [3 * 3_600_000, '3 h'],
    [12 * 86_400_000, '12 d'],
  ])('%i ms ago is %s', (past, text) => {
    expect(age(1e12 - past, 1e12)).toBe(text);
  });
});
