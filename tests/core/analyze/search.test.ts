import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { functionNames, matchNames, PatternError, searchWeight } from '#core/analyze/search.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { weightOf } from '../../support/naive-analysis.ts';
import { profileFromSketch, sketches } from '../../support/sketch-profile.ts';

describe('matchFunctions', () => {
  const names = ['malloc', 'std::vector<int>::push_back', 'été', '__proto__', '💥x'];

  test.each([
    ['alloc$', false, ['malloc']],
    ['MALLOC', false, []],
    ['MALLOC', true, ['malloc']],
    ['vector<int>', false, ['std::vector<int>::push_back']],
    ['^.x$', false, ['💥x']],
    // These patterns are valid only without the Unicode flag.
    ['push\\_back', false, ['std::vector<int>::push_back']],
    ['^\\p{L}+$', false, ['malloc', 'été']],
  ])('%s (ignore case: %s)', (pattern, ignoreCase, expected) => {
    const matched = matchNames(names, pattern, { ignoreCase });
    expect(names.filter((_, index) => matched[index] === 1)).toEqual(expected);
  });

  test('refuses an invalid regular expression in one line', () => {
    expect(() => matchNames(names, 'a(b')).toThrow(PatternError);
    expect(() => matchNames(names, 'a(b')).toThrow(/^not a regular expression: Unterminated group: a\(b$/);
    expect(() => matchNames(names, 'x'.repeat(20_000))).toThrow(/longer than/);
  });
});

describe('searchWeight', () => {
  test('counts each stack once', () => {
    fc.assert(
      fc.property(sketches, fc.constantFrom('a', '[ab]', '^$', '.', 'proto'), (samples, pattern) => {
        const profile = profileFromSketch(samples);
        const view = buildStackView(profile, wholeProfile(profile, 1 as ValueTypeIndex));
        const result = searchWeight(view, matchNames(functionNames(profile), pattern));
        const hits = samples.filter(({ stack }) => stack.some((name) => new RegExp(pattern).test(name)));
        expect(result.weight).toBe(weightOf(hits));
        expect(result.share).toBe(view.total === 0 ? 0 : weightOf(hits) / view.total);
      }),
    );
  });
});
