import { expect, test } from 'vitest';
import { formatAge } from '#core/units/age.ts';

test.each([
  [0, 'now'],
  [-59_000, 'now'],
  [300_000, '5 min'],
  [3 * 86_400_000, '3 d'],
  [-3 * 86_400_000, 'in 3 d'],
])('formats an age of %i ms as %j', (milliseconds, text) => {
  expect(formatAge(milliseconds)).toBe(text);
});
