import { expect, test } from 'vitest';
import { methodText, rulesText } from '#core/compare/describe-comparison.ts';
import { DEFAULT_MATCH_RULES } from '#core/compare/match-rules.ts';

test('the method names its tests, or what it lacks', () => {
  expect(methodText(true, { before: 5, after: 4 })).toMatch(/^Welch's t over captures \(5 before, 4 after\)/);
  expect(methodText(false, { before: 1, after: 1 })).toMatch(/within this run only.*suggestive at most$/);
});

test('rules are named where they are not the usual ones', () => {
  expect(rulesText(DEFAULT_MATCH_RULES)).toBeNull();
  const user = [{ pattern: '^v\\d+_', ignoreCase: true, replacement: '' }];
  expect(rulesText({ off: ['addresses', 'module-unknown'], user, ignoreModules: true })).toBe(
    'rules off: Addresses, Unknown modules; /^v\\d+_/i becomes ""; modules ignored',
  );
});
