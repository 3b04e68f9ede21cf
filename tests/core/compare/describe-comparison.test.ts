import { expect, test } from 'vitest';
import { methodName, methodText, rulesText } from '#core/compare/describe-comparison.ts';
import { DEFAULT_MATCH_RULES } from '#core/compare/match/match-rules.ts';

test('names the tests of the method, or what it lacks', () => {
  const design = { isReplicated: true, isPaired: false, sharesHost: true };
  expect(methodText(design, { before: 5, after: 4 })).toMatch(/^Welch's t over captures \(5 before, 4 after\)/);
  expect(methodText({ ...design, isPaired: true }, { before: 3, after: 3 })).toMatch(
    /^paired t over the differences between hosts/,
  );
  const single = { ...design, isReplicated: false };
  expect(methodText(single, { before: 1, after: 1 })).toMatch(
    /within this run only.*a change is called maybe at best$/,
  );
  expect(methodText({ ...single, sharesHost: false }, { before: 3, after: 3 })).toMatch(/hosts that may differ anyway/);
  expect([design, { ...design, isPaired: true }, single, { ...single, sharesHost: false }].map(methodName)).toEqual([
    "Welch's t",
    'paired t, host by host',
    'within this run only',
    'no host on both sides',
  ]);
});

test('names rules that differ from the default', () => {
  expect(rulesText(DEFAULT_MATCH_RULES)).toBeNull();
  const user = [{ pattern: '^v\\d+_', ignoreCase: true, replacement: '' }];
  expect(rulesText({ off: ['addresses', 'module-unknown'], user, ignoreModules: true })).toBe(
    'rules off: Addresses, Unknown modules; /^v\\d+_/i becomes ""; modules ignored',
  );
});
