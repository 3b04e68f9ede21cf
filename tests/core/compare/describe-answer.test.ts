import { describe, expect, test } from 'vitest';
import { answerText, runsText } from '#core/compare/describe-answer.ts';
import type { Judgement } from '#core/compare/statistics/judge.ts';
import type { Sizes } from '#core/compare/statistics/judge-by-size.ts';
import type { Mover } from '#core/compare/top-movers.ts';
import { createValueText } from '#core/compare/value-text.ts';

const NAMES = ['parse', 'render', 'send'];
const nameOf = (func: number): string => NAMES[func]!;
const perSecond = { kind: 'per-second', unit: 'nanoseconds/second' } as const;
const text = createValueText('en', perSecond, 500);

const judged = (
  before: number,
  after: number,
  verdict: Judgement['verdict'],
  reach: number | null = 12,
): Judgement => ({
  before,
  after,
  delta: after - before,
  relative: before > 0 ? (after - before) / before : null,
  interval: reach === null ? null : [after - before - reach, after - before + reach],
  level: reach === null ? null : 0.95,
  p: null,
  q: null,
  method: 'welch',
  verdict,
  presence: before === 0 ? 'only-after' : after === 0 ? 'only-before' : 'both',
});
const mover = (func: number, judgement: Judgement): Mover => ({ func, column: 'self', judgement });
const sizes = (status: Sizes['status'], more: Partial<Sizes> = {}): Sizes => ({
  status,
  reason: null,
  ratio: 0.51,
  interval: [0.48, 0.54],
  whole: judged(400, 216, 'not-decided'),
  ...more,
});

const answer = (
  movers: readonly Mover[],
  { more = 0, of = null as Sizes | null, whole = judged(200, 216, 'grew', 6) },
) =>
  answerText(
    { whole, sizes: of, warnings: [], normalised: { kind: 'per-second' }, isReplicated: true },
    { movers, more },
    nameOf,
    text,
  );

const parse = mover(0, judged(100, 139, 'grew'));
const gone = mover(1, judged(80, 0, 'shrank'));
const slower = mover(2, judged(50, 60, 'grew'));

describe('the answer of a comparison', () => {
  test('names the largest change first and the total last', () => {
    expect(answer([parse], {})).toBe('parse grew by 39.0 % ± 12.0 %; total +8.0 % ± 3.0 %');
    expect(answer([gone], {})).toBe('render is gone; total +8.0 % ± 3.0 %');
  });

  test('counts the others that are as certain, and the way they went', () => {
    expect(answer([parse, slower], {})).toMatch(/; one other grew; /);
    expect(answer([parse, gone, slower], {})).toMatch(/; two others changed; /);
    expect(answer([parse, mover(1, judged(80, 40, 'suggestive'))], {})).not.toContain('other');
    expect(answer([parse, slower], { more: 4 })).toMatch(/; more than 1 other changed; /);
  });

  test('says that the total shows no clear change, and nothing of a total that is 100 % by definition', () => {
    expect(answer([parse], { whole: judged(200, 202, 'noise', 6) })).toMatch(/total \+1.0 % ± 3.0 %, no clear change$/);
    const whole = judged(1, 1, 'noise');
    const of = { whole, sizes: null, warnings: [], normalised: { kind: 'share' }, isReplicated: true } as const;
    expect(answerText(of, { movers: [parse], more: 0 }, nameOf, text)).not.toContain('total');
  });

  test('without a change says so', () => {
    expect(answer([], {})).toBe('No function’s change exceeds run-to-run noise; total +8.0 % ± 3.0 %');
    expect(answer([], { whole: judged(200, 202, 'noise', 6) })).toMatch(/^No change exceeds run-to-run noise; total /);
  });

  test('says load or machine first where size factors decide, and makes no statement about the total', () => {
    expect(answer([parse], { of: sizes('differs') })).toBe(
      '×0.54 in all: load or machine. Relative to the typical function, parse grew by 39.0 % ± 12.0 %',
    );
    expect(answer([], { of: sizes('undetermined') })).toMatch(/function, no change exceeds run-to-run noise$/);
    expect(answer([parse], { of: sizes('same') })).toMatch(/^parse grew .*; total/);
  });

  test('decides nothing as measured, or without a factor', () => {
    const undecided = '×0.54 in all: load or machine; no change is decided';
    expect(answer([parse], { of: sizes('differs', { asMeasured: true }) })).toBe(undecided);
    expect(answer([parse], { of: sizes('unknown', { reason: 'too few functions', ratio: null }) })).toBe(
      '×0.54 in all: load, machine or code; no change is decided',
    );
  });
});

test('the runs of a comparison say if there are too few for a verdict', () => {
  expect(runsText({ before: 5, after: 5 }, true)).toBe('5 + 5 runs');
  expect(runsText({ before: 1, after: 1 }, false)).toBe('1 + 1 runs, within this run only');
});
