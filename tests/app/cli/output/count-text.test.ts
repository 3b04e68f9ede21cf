import { expect, test } from 'vitest';
import { countText } from '#app/cli/output/count-text.ts';

test('one is singular, none and others are plural', () => {
  expect([0, 1, 1240].map((count) => countText(count, 'sample'))).toEqual(['0 samples', '1 sample', '1,240 samples']);
});
