import { describe, expect, test } from 'vitest';
import { shareScale, weightScale, type AxisScale } from '#core/units/axis-scale.ts';

const first = ({ step, text }: AxisScale, count = 4): string[] =>
  Array.from({ length: count }, (_, place) => text(place * step));

describe('ticks of weights', () => {
  test.each([
    ['nanoseconds', 5.9e9, 0.4e9, ['0 s', '0.5 s', '1.0 s', '1.5 s']],
    ['nanoseconds', 5.9e9, 0.6e9, ['0 s', '1 s', '2 s', '3 s']],
    ['nanoseconds', 357e6, 40e6, ['0 ms', '50 ms', '100 ms', '150 ms']],
    ['milliseconds', 5900, 150, ['0 s', '0.2 s', '0.4 s', '0.6 s']],
    ['bytes', 3 * 1024 ** 2, 1024 ** 2 / 5, ['0 MiB', '0.2 MiB', '0.4 MiB', '0.6 MiB']],
    ['count', 1352, 90, ['0', '100', '200', '300']],
    ['samples', 2e6, 3e5, ['0 M samples', '0.5 M samples', '1.0 M samples', '1.5 M samples']],
    ['GCU', 10, 0.3, ['0 GCU', '1 GCU', '2 GCU', '3 GCU']],
  ])('%s up to %d, %d apart', (unit, largest, least, texts) => {
    expect(first(weightScale('en', unit)(largest, least))).toEqual(texts);
  });

  test('are never closer than requested, and at most 2.5 times as far apart', () => {
    const choose = weightScale('en', 'nanoseconds');
    for (let least = 1; least < 1e12; least *= 1.37) {
      const { step } = choose(5e12, least);
      expect(step).toBeGreaterThanOrEqual(least * (1 - 1e-8));
      expect(step).toBeLessThanOrEqual(least * 2.5 * (1 + 1e-8));
    }
  });

  test('have distinct labels, however close the axis is', () => {
    const choose = weightScale('en', 'nanoseconds');
    for (let least = 1; least < 1e9; least *= 3) {
      const { step, text } = choose(9e9, least);
      expect(text(1000 * step)).not.toBe(text(1001 * step));
    }
  });

  test('have fractions for counts divided by something', () => {
    expect(first(weightScale('en', 'count', 0)(2, 0.3))).toEqual(['0', '0.5', '1.0', '1.5']);
  });

  test('follow the locale', () => {
    expect(first(weightScale('de', 'nanoseconds')(5.9e9, 0.4e9), 2)).toEqual(['0 s', '0,5 s']);
  });

  test('work for shares', () => {
    expect(first(shareScale('en')(1, 0.08))).toEqual(['0 %', '10 %', '20 %', '30 %']);
    expect(first(shareScale('en')(1, 0.002), 2)).toEqual(['0 %', '0.2 %']);
  });
});
