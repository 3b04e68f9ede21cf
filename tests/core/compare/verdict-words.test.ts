import { describe, expect, test } from 'vitest';
import { maybeReason, runCounts, VERDICT_WORDS, verdictText } from '#core/compare/verdict-words.ts';
import { designComparison, type CaptureDesign } from '#core/compare/measure/measures.ts';

const on = (host: string | null): CaptureDesign => ({ host, exposure: 1, isTimed: true, isCount: true });
const reason = (before: readonly (string | null)[], after: readonly (string | null)[]): string | null => {
  const design = designComparison(before.map(on), after.map(on));
  return maybeReason(design, runCounts(design));
};

describe('a verdict', () => {
  test('has a sign if it has a direction, and its reason if it is maybe', () => {
    const words = (['grew', 'shrank', 'suggestive', 'noise', 'unknown', 'not-tested'] as const).map((verdict) =>
      verdictText({ verdict, delta: verdict === 'grew' ? 1 : -1 }, '1 run a side'),
    );
    expect(words).toEqual(['▲ grew', '▼ shrank', '▼ maybe (1 run a side)', 'no clear change', 'unknown', 'not tested']);
    expect(verdictText({ verdict: 'suggestive', delta: 1 }, null)).toBe('▲ maybe');
  });

  test('never shows the ids that only JSON has', () => {
    expect(Object.values(VERDICT_WORDS)).not.toContain('suggestive');
    expect(Object.values(VERDICT_WORDS)).not.toContain('noise');
  });
});

describe('the reason for maybe', () => {
  test.each([
    [['a'], ['a'], '1 run a side'],
    [['a', 'a'], ['a', 'a'], '2 runs a side'],
    [['a'], ['a', 'a', 'a'], '1 run before, 3 after'],
    [['a', 'a', 'a'], ['a', 'a'], '3 runs before, 2 after'],
    [['a', 'a', 'a'], ['a', 'a', 'a'], null],
    [['a', 'a', 'a'], ['b', 'b', 'b'], 'hosts differ'],
    [['a', 'a', 'b'], ['a', 'b', 'b'], 'too few runs per host'],
    // Captures of a host that only one side has are left out.
    [['a', 'b', 'b', 'b'], ['a'], '1 run a side'],
  ])('%o against %o: %s', (before, after, text) => {
    expect(reason(before, after)).toBe(text);
  });
});
