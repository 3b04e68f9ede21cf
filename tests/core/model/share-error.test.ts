import { expect, test } from 'vitest';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { shareError } from '#core/model/share-error.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

test('is half of Wilson’s interval', () => {
  // 10 of 100: (0.0552, 0.1744), as statsmodels' proportion_confint(10, 100, method='wilson').
  expect(shareError(0.1, 100)! * 2).toBeCloseTo(0.174366 - 0.055229, 5);
  // 0 of 20: (0, 0.16113).
  expect(shareError(0, 20)! * 2).toBeCloseTo(0.161125, 5);
  expect(shareError(1, 20)).toBeCloseTo(shareError(0, 20)!, 12);
});

test('is unknown without samples or a share', () => {
  for (const [share, samples] of [
    [0.5, 0],
    [Number.NaN, 10],
    [-0.1, 10],
    [1.2, 10],
  ] as const) {
    expect(shareError(share, samples)).toBeNull();
  }
});

test('a view knows how unequally its samples weigh', () => {
  const spread = (text: string, unit = 'nanoseconds'): number | null => {
    const profile = profileFromText(text);
    const valueTypes = profile.valueTypes.map((one) => ({ ...one, type: 'cpu', unit }));
    return buildStackView({ ...profile, valueTypes }).weightSpread;
  };
  expect(spread('a 2\nb 2\na 2')).toBe(1);
  // Σw = 4, Σw² = 6, n = 3: 3 × 6 ÷ 16.
  expect(spread('a;b 1\na 1\nb 2')).toBe(1.125);
  // Counts: four samples of weight 1.
  expect(spread('a;b 1\na 1\nb 2', 'samples')).toBe(1);
});
