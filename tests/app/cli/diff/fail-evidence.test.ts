import { describe, expect, test } from 'vitest';
import { patternsHere } from '#core/analyze/transforms/resolve-transforms.ts';
import type { Normalisation } from '#core/contract/normalisation.ts';
import type { CaptureFacts } from '#core/compare/measure/capture-facts.ts';
import type { ComparedCapture } from '#core/compare/measure/measure-capture.ts';
import { parseFailCondition } from '#app/cli/diff/fail-condition.ts';
import { judgeConditions, type ConditionResult } from '#app/cli/diff/fail-evidence.ts';
import { conditionLines } from '#app/cli/diff/fail-lines.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { profileFromSketch } from '../../../support/sketch-profile.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';
import { captureOf, compareRaw } from '../../../core/compare/captures.ts';

const capture = (text: string, facts: Partial<CaptureFacts> = {}) => captureOf(profileFromText(text), facts);

interface Sides {
  readonly before: readonly ComparedCapture[];
  readonly after: readonly ComparedCapture[];
}

/**
 * Three captures per side: `steady` is unchanged, `work` grows by half, `fresh` is new, `old` disappears, `rare` has
 * only a few samples.
 */
const SIDES: Sides = {
  before: [4000, 4020, 3980].map((work) =>
    capture(`main;work ${work}\nmain;steady 5000\nmain;old.isra.0 1000\nmain;rare 4`),
  ),
  after: [6000, 5980, 6020].map((work) => capture(`main;work ${work}\nmain;steady 5010\nmain;fresh 1000\nmain;rare 8`)),
};

async function judge(text: string, { allowSingle = false, runs = 3, sides = SIDES } = {}): Promise<ConditionResult> {
  const compare = (kind: Normalisation) => compareRaw(sides.before.slice(0, runs), sides.after.slice(0, runs), kind);
  const options = { allowSingle, patterns: patternsHere, shares: () => compare('share') };
  return (await judgeConditions([parseFailCondition(text)], await compare('raw'), options))[0]!;
}
const statusOf = async (...args: Parameters<typeof judge>): Promise<string> => (await judge(...args)).status;

describe('a condition', () => {
  test.each([
    ['self(work) > 40%', 'failed'],
    ['self(work) > 60%', 'passed'],
    ['self(work) < -1%', 'passed'],
    ['total(steady) > 10%', 'passed'],
    // Its interval contains the limit.
    ['total(steady) > 0.1%', 'inconclusive'],
    ['self(work) > 50%', 'inconclusive'],
    // New functions count as infinite growth once they are judged as grew.
    ['self(fresh) > 1000000%', 'failed'],
    ['self(fresh) < -10%', 'passed'],
    ['self(old) < -90%', 'failed'],
    ['self(work) > 1700 abs', 'failed'],
    ['self(work) > 2300 abs', 'passed'],
    ['self(work) > 8 pp', 'failed'],
    ['self(work) > 12 pp', 'passed'],
    ['self(steady|work) > 40%', 'failed'],
    ['self(isra) < -1%', 'failed'],
    // One function beyond the limit decides, whatever else is undecided; with none beyond, one undecided does not.
    ['total(steady|work) > 0.1%', 'failed'],
    ['total(steady|old) > 0.1%', 'inconclusive'],
  ])('%s is %s', async (text, status) => {
    expect(await statusOf(text)).toBe(status);
  });

  test('is undecided with one run per side, unless intervals within these runs may decide', async () => {
    expect(await statusOf('self(work) > 20%', { runs: 1 })).toBe('inconclusive');
    expect(await statusOf('self(work) > 20%', { runs: 1, allowSingle: true })).toBe('failed');
    expect(await statusOf('self(work) > 90%', { runs: 1, allowSingle: true })).toBe('passed');
  });

  test('counts undecided functions with little weight, and passes', async () => {
    const result = await judge('self(rare|work) > 90%');
    expect([result.status, result.undecidedSmall, result.undecided]).toEqual(['passed', 1, []]);
    expect(conditionLines(result)).toContain(
      '--fail-on self(rare|work) > 90%: not counted: 1 undecided function with less than 2 % of either side',
    );
  });

  test('is inconclusive if the only matching function is undecided, however rare', async () => {
    expect(await statusOf('self(rare) > 50%')).toBe('inconclusive');
  });

  test('is inconclusive if nothing shows how much a value varies', async () => {
    const bytes = (weight: number) =>
      captureOf(profileFromSketch([{ stack: ['main', 'work'], weight }]), {}, 1 as ValueTypeIndex);
    const sides = { before: [bytes(4000)], after: [bytes(8000)] };
    const result = await judge('self(work) > 10%', { sides, allowSingle: true });
    expect([result.status, result.runsToSettle]).toEqual(['inconclusive', null]);
    expect(conditionLines(result)[0]).toMatch(/work \+100\.0 % \(no interval: .*\)$/);
  });

  test('is undecided in per cent of a negative value, and decided in its unit', async () => {
    const side = (...weights: readonly number[]) =>
      weights.map((weight) =>
        captureOf(
          profileFromSketch([
            { stack: ['main', 'work'], weight },
            { stack: ['main', 'other'], weight: 5000 },
          ]),
          {},
          1 as ValueTypeIndex,
        ),
      );
    const [negative, positive] = [side(-600, -610, -620), side(590, 600, 610)];
    for (const after of [negative, positive]) {
      const result = await judge('self(work) > 50%', { sides: { before: negative, after } });
      expect([result.status, result.runsToSettle]).toEqual(['inconclusive', null]);
      const lines = conditionLines(result);
      expect(lines[0]).toMatch(/inconclusive: work .*; before is negative and has no per cent$/);
      expect(lines[1]).toMatch(/inconclusive: give its limit in abs or pp$/);
    }
    expect(await statusOf('self(work) > 1000 abs', { sides: { before: negative, after: positive } })).toBe('failed');
    expect(await statusOf('self(work) > 1000 abs', { sides: { before: negative, after: negative } })).toBe('passed');
  });

  test('judges its functions as a separate family, independent of other functions', async () => {
    const others = (count: number, seed: number): string =>
      Array.from(
        { length: count },
        (_, place) => `main;other_${place} ${300 + ((place * 7919 + seed * 104_729) % 41)}`,
      ).join('\n');
    const side = (count: number, weights: readonly number[]) =>
      weights.map((weight, seed) => capture(`main;work ${weight}\n${others(count, seed + weight)}`));
    const levelBeside = async (count: number): Promise<number | null> => {
      const sides = { before: side(count, [10_000, 10_100, 9900]), after: side(count, [13_000, 13_100, 12_900]) };
      return (await judge('self(^work$) > 1%', { sides })).matched[0]!.family.level;
    };
    expect(await levelBeside(3)).toBe(await levelBeside(200));
  });
});

describe('the report', () => {
  const lines = async (...args: Parameters<typeof judge>): Promise<string[]> => conditionLines(await judge(...args));

  test('names the functions that failed it, with the interval that decided', async () => {
    expect(await lines('self(work|fresh) > 1%')).toEqual([
      expect.stringMatching(
        /^--fail-on self\(work\|fresh\) > 1%: failed: fresh is new: \+1,000 \(\+[\d.,]+ to \+[\d.,]+, 9\d\.?\d* % interval\)$/,
      ),
      expect.stringMatching(
        /^--fail-on self\(work\|fresh\) > 1%: failed: work \+50\.0 % \(\+4\d\.\d % to \+5\d\.\d %, 9\d\.?\d* % interval\)$/,
      ),
    ]);
    expect(await lines('self(work) > 8 pp')).toEqual([
      expect.stringMatching(/failed: work \+9\.\d\d pp \(\+\d\.\d\d pp to \+\d+\.\d\d pp, 96 % interval\)$/),
    ]);
  });

  test('prints an interval that excludes the limit exactly if it decides', async () => {
    for (const limit of [10, 40, 45, 48, 49, 50, 51, 52, 55, 60]) {
      const { matched } = await judge(`self(work) > ${limit}%`);
      const { state, interval } = matched[0]!;
      const where = interval![0] > limit ? 'beyond' : interval![1] < limit ? 'within' : 'undecided';
      expect(state).toBe(where);
    }
  });

  test('names at most five', async () => {
    const many = (weight: number) =>
      capture(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `main;f_${name} ${weight}`).join('\n'));
    const sides = { before: [1000, 1010, 990].map(many), after: [2000, 2010, 1990].map(many) };
    const said = await lines('self(f_) > 1%', { sides });
    expect(said).toHaveLength(6);
    expect(said[5]).toBe('--fail-on self(f_) > 1%: failed: and 2 more functions');
  });

  test('says what would decide it', async () => {
    expect(await lines('self(work) > 20%', { runs: 1 })).toEqual([
      expect.stringMatching(/^--fail-on self\(work\) > 20%: inconclusive: work \+50\.0 % \(.* interval\)$/),
      '--fail-on self(work) > 20%: inconclusive: record 2 more runs a side (3 in all) to settle it, or use --allow-single',
    ]);
    const close = await judge('self(work) > 47%');
    expect(close.status).toBe('inconclusive');
    expect(close.runsToSettle).toBeGreaterThan(3);
    expect(conditionLines(close)[1]).toMatch(/record \d+ more runs a side \(\d+ in all\) to settle it$/);
    expect((await lines('self(work) > 49.999%'))[1]).toMatch(
      /too noisy for a change of this size: even 100 runs a side/,
    );
  });

  test('asks for one host if the sides share none', async () => {
    const on = (host: string, side: readonly ComparedCapture[]) =>
      side.map((one) => ({ ...one, facts: { ...one.facts, host } }));
    const sides = { before: on('a', SIDES.before), after: on('b', SIDES.after) };
    expect((await lines('self(work) > 20%', { sides })).at(-1)).toMatch(
      /hosts differ: record both sides on the same host$/,
    );
  });

  test('says how far from the limit it passed', async () => {
    expect(await lines('self(work|steady) > 60%')).toEqual([
      expect.stringMatching(/: passed: of 2 functions, largest change: work \+50\.0 % \(/),
    ]);
  });
});

test.each([
  ['no symbol', 'record again with complete, symbolized stacks to settle it'],
  ['missing samples', 'record again as the captures’ warnings say, without missing samples, to settle it'],
] as const)('decides nothing if a verdict is withheld for %s', async (reason, advice) => {
  const comparison = await compareRaw(SIDES.before, SIDES.after);
  const withheld = comparison.self.map((of) => ({ ...of, verdict: 'unknown', withheld: reason }) as const);
  const options = { allowSingle: false, patterns: patternsHere, shares: () => Promise.resolve(comparison) };
  const [result] = await judgeConditions(
    [parseFailCondition('self(work) > 10%')],
    { ...comparison, self: withheld },
    options,
  );
  expect([result!.status, result!.runsToSettle]).toEqual(['inconclusive', null]);
  expect(conditionLines(result!)).toEqual([
    expect.stringMatching(new RegExp(`inconclusive: work \\+50\\.0 % \\(.* interval\\); withheld: ${reason}$`)),
    `--fail-on self(work) > 10%: inconclusive: ${advice}`,
  ]);
});

test('refuses a pattern that matches nothing as a usage error', async () => {
  await expect(judge('self(nowhere) > 1%')).rejects.toMatchObject({ exitCode: 2 });
});
