import { describe, expect, test } from 'vitest';
import { patternsHere } from '#core/analyze/resolve-transforms.ts';
import type { CaptureFacts, Normalisation } from '#core/compare/capture-facts.ts';
import { parseFailCondition } from '#app/cli/fail-condition.ts';
import { conditionLines, judgeConditions, type ConditionResult } from '#app/cli/fail-evidence.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { captureOf, compareRaw } from '../../core/compare/captures.ts';

const capture = (text: string, facts: Partial<CaptureFacts> = {}) => captureOf(profileFromText(text), facts);

/** Three captures a side: `steady` stays, `work` grows by a half, `fresh` is new, `old` goes. */
const sides = {
  before: [400, 402, 398].map((work) => capture(`main;work ${work}\nmain;steady 500\nmain;old.isra.0 100`)),
  after: [600, 598, 602].map((work) => capture(`main;work ${work}\nmain;steady 501\nmain;fresh 100`)),
};

async function judge(text: string, { allowSingle = false, runs = 3 } = {}): Promise<ConditionResult> {
  const compare = (kind: Normalisation) => compareRaw(sides.before.slice(0, runs), sides.after.slice(0, runs), kind);
  const options = { allowSingle, patterns: patternsHere, shares: () => compare('share') };
  return (await judgeConditions([parseFailCondition(text)], await compare('raw'), options))[0]!;
}

describe('a condition is met', () => {
  test.each([
    ['self(work) > 40%', true],
    ['self(work) > 60%', false],
    ['self(work) < -1%', false],
    ['total(steady) > 0.1%', false],
    ['self(fresh) > 1000000%', true],
    ['self(old) < -99%', true],
    ['self(old) < -100%', false],
    ['self(work) > 199 abs', true],
    ['self(work) > 201 abs', false],
    ['self(work) > 9.9 pp', true],
    ['self(work) > 10.5 pp', false],
    ['self(steady|work) > 40%', true],
    ['self(isra) < -1%', true],
  ])('%s: %s', async (text, isMet) => {
    expect((await judge(text)).isMet).toBe(isMet);
  });

  test('by suggestive changes only where they are allowed', async () => {
    expect((await judge('self(work) > 40%', { runs: 1 })).isMet).toBe(false);
    expect((await judge('self(work) > 40%', { runs: 1, allowSingle: true })).isMet).toBe(true);
  });
});

describe('what is said', () => {
  const lines = async (...args: Parameters<typeof judge>): Promise<string[]> => conditionLines(await judge(...args));

  test('names who met it, with value, interval and verdict', async () => {
    const found = await lines('self(work|fresh) > 1%');
    expect(found).toHaveLength(2);
    expect(found[1]).toMatch(/^--fail-on self\(work\|fresh\) > 1%: work grew by 50\.0 % ± .*\(\+200 ± .*interval\)\.$/);
  });

  test('names at most five', async () => {
    const many = (weight: number) =>
      capture(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `main;f_${name} ${weight}`).join('\n'));
    const comparison = await compareRaw([100, 101, 99].map(many), [200, 201, 199].map(many));
    const options = { allowSingle: false, patterns: patternsHere, shares: () => Promise.resolve(comparison) };
    const [result] = await judgeConditions([parseFailCondition('self(f_) > 1%')], comparison, options);
    expect(conditionLines(result!)).toHaveLength(6);
    expect(conditionLines(result!)[5]).toBe('--fail-on self(f_) > 1%: and 2 more functions');
  });

  test('says what is missing where nobody did', async () => {
    expect(await lines('self(work) > 40%', { runs: 1 })).toEqual([
      '--fail-on self(work) > 40%: not met: work changed by +50.0 %, but its verdict is suggestive; record 2 more runs a side, or give --allow-single',
    ]);
    expect(await lines('self(work|steady) > 60%')).toEqual([
      '--fail-on self(work|steady) > 60%: not met; of 2 functions, work went farthest: +50.0 % (grew)',
    ]);
    expect(await lines('self(steady) > 0.1%')).toEqual([
      expect.stringMatching(/not met: steady changed by \+0\.2 %, but its verdict is noise$/),
    ]);
  });
});

test('a pattern that matches nothing is a usage error', async () => {
  await expect(judge('self(nowhere) > 1%')).rejects.toMatchObject({ exitCode: 2 });
});
