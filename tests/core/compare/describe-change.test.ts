import { describe, expect, test } from 'vitest';
import type { Advice } from '#core/compare/statistics/advise-runs.ts';
import {
  adviceText,
  changeSentence,
  missingRuns,
  missingRunsText,
  relativeText,
} from '#core/compare/describe-change.ts';
import type { Judgement } from '#core/compare/statistics/judge.ts';
import { createValueText } from '#core/compare/value-text.ts';
import { createFormatter } from '#core/units/format.ts';

const perRequest = createValueText('en', { kind: 'per-request', unit: 'nanoseconds/request' }, 461_000);
const shares = createValueText('en', { kind: 'share', unit: 'share' }, 0.5);

const judged = (change: Partial<Judgement>): Judgement => {
  const { before = 0, after = 0 } = change;
  return {
    before,
    after,
    delta: after - before,
    relative: before > 0 ? (after - before) / before : null,
    interval: null,
    level: null,
    p: null,
    q: null,
    method: 'welch',
    verdict: 'noise',
    presence: 'both',
    ...change,
  };
};

const grew = judged({
  before: 412_000,
  after: 461_000,
  interval: [36_000, 62_000],
  level: 0.9962,
  verdict: 'grew',
});

describe('a change in a sentence', () => {
  test('states the change, its value and its interval', () => {
    expect(changeSentence('parse', grew, 'self', perRequest, null)).toBe(
      'parse grew by 11.9 % ± 3.2 %: self from 412 µs to 461 µs per request (+49 µs ± 13 µs, 99.62 % interval).',
    );
  });

  test('is reversed when the sides are swapped', () => {
    const shrank = judged({
      before: 461_000,
      after: 412_000,
      interval: [-62_000, -36_000],
      level: 0.95,
      verdict: 'shrank',
    });
    expect(changeSentence('parse', shrank, 'total', perRequest, null)).toBe(
      'parse shrank by 10.6 % ± 2.8 %: total from 461 µs to 412 µs per request (-49 µs ± 13 µs, 95 % interval).',
    );
  });

  test('states its reason for one run a side', () => {
    const text = changeSentence(
      'parse',
      { ...grew, verdict: 'suggestive', level: 0.95 },
      'self',
      perRequest,
      '1 run a side',
    );
    expect(text).toBe(
      'parse may have grown by 11.9 % ± 3.2 %: self from 412 µs to 461 µs per request (+49 µs ± 13 µs, 95 % interval; 1 run a side).',
    );
  });

  test.each([
    [{ after: 6800, verdict: 'grew', presence: 'only-after' }, 'f is new: self 0 before, 6.8 µs per request after'],
    [
      { before: 6800, verdict: 'shrank', presence: 'only-before' },
      'f is gone: self 6.8 µs per request before, 0 after',
    ],
    [{ after: 6800, verdict: 'suggestive', presence: 'only-after' }, 'f may be new: '],
    [{ before: 6800, verdict: 'noise', presence: 'only-before' }, 'f was seen only before, too rarely to judge: '],
    [
      { after: 6800, verdict: 'unknown', presence: 'only-after' },
      'f was seen only after, but its variation is unknown: ',
    ],
    [{ before: 5, after: 5 }, 'f did not change: self from 5 ns to 5 ns'],
    [{ interval: [0, 0], level: 0.95 }, 'f did not change: self 0 on both sides.'],
    [{ before: 1000, after: 1010, interval: [-20, 40], level: 0.95 }, 'f shows no clear change (+1.0 % ± 3.0 %): '],
    [{ before: 1000, after: 900, verdict: 'unknown' }, 'f differs by -10.0 %, but its variation is unknown: '],
  ] as const)('%o', (change, start) => {
    expect(changeSentence('f', judged(change), 'self', perRequest, null)).toContain(start);
  });

  test('uses percentage points for shares', () => {
    const share = judged({ before: 0.2, after: 0.25, interval: [0.04, 0.06], level: 0.95, verdict: 'grew' });
    expect(changeSentence('f', share, 'self', shares, null)).toBe(
      'f grew by 25.0 % ± 5.0 %: self from 20.00 % to 25.00 % (+5.00 pp ± 1.00 pp, 95 % interval).',
    );
  });

  test('has no percentages from a negative weight', () => {
    const odd = judged({ before: -1000, after: 1000, verdict: 'grew', interval: [1000, 3000], level: 0.95 });
    expect(changeSentence('f', odd, 'self', perRequest, null)).toContain(
      'f grew by 2 µs ± 1 µs: self from -1 µs to 1 µs',
    );
  });
});

test('is new from zero, and gone to zero', () => {
  expect(relativeText(judged({ after: 5, presence: 'only-after' }), perRequest)).toBe('new');
  expect(relativeText(judged({ before: 5, presence: 'only-before' }), perRequest)).toBe('gone');
  expect(relativeText(judged({ before: 5, after: 6 }), perRequest)).toBe('+20.0 %');
  expect(relativeText(judged({}), perRequest)).toBe('0.0 %');
  expect(relativeText(judged({ after: 5 }), perRequest)).toBe('from 0');
  expect(relativeText(judged({ before: -5, after: 6 }), perRequest)).toBe('from <0');
});

describe('values of a table', () => {
  test('use one unit and one number of decimals', () => {
    expect([461_000, 1, 0, -20].map(perRequest.column)).toEqual(['461.00 µs', '<0.01 µs', '0 µs', '-0.02 µs']);
    expect([461_000, 0.1, -0.1, 0].map(perRequest.columnDelta)).toEqual([
      '+461.00 µs',
      '<+0.01 µs',
      '>-0.01 µs',
      '0 µs',
    ]);
  });

  test('have fractions for counts per second, and none for raw counts', () => {
    const perSecond = createValueText('en', { kind: 'per-second', unit: 'samples/second' }, 1234.5);
    expect([1234.5678, 3, 0.01].map(perSecond.column)).toEqual(['1,234.6 samples', '3.0 samples', '<0.1 samples']);
    expect(perSecond.per).toBe(' per second');
    const odd = createValueText('en', { kind: 'per-second', unit: '\u202eGCU\n/second' }, 12);
    expect(odd.value(2)).toBe('2 \ufffdGCU␊');
    const raw = createValueText('en', { kind: 'raw', unit: 'a/b' }, 12);
    expect([12, 2.5].map(raw.column)).toEqual(['12 a/b', '2.5 a/b']);
    expect(raw.per).toBe('');
  });

  test('keep hundredths for shares', () => {
    expect([0.12345, 0.00001].map(shares.column)).toEqual(['12.35 %', '<0.01 %']);
    expect([0.12345, -0.001].map(shares.columnDelta)).toEqual(['+12.35 pp', '-0.10 pp']);
  });
});

describe('advice', () => {
  const formatter = createFormatter('en');
  const advice: Advice = {
    seen: { change: 0.032, runs: 17, moreRuns: 12 },
    small: { change: 0.05, runs: 9, moreRuns: 4 },
    smallest: 0.068,
    level: 0.992,
    seconds: 30,
    within: 1,
    between: 3,
    moreRunsNotLonger: true,
  };
  const say = (changed: Partial<Advice> = {}): string =>
    adviceText({ ...advice, ...changed }, 'parse', 'self', formatter);
  const tooMany = { runs: null, moreRuns: null };

  test('names the runs for the observed change and for 5 %, their length and what helps', () => {
    expect(say()).toBe(
      '12 more runs of 30 s a side would show the +3.2 % seen in its self. 4 more runs of 30 s a side would show a change of 5 % (80 % power at the 99.2 % level of its family). 75.0 % of the variance is between runs: record more runs, not longer ones.',
    );
    expect(say({ between: 0.5, moreRunsNotLonger: false })).toContain(
      '33.3 % of the variance is between runs: longer runs help too.',
    );
  });

  test('states the hidden change instead of an impractical number of runs', () => {
    expect(say({ seen: { change: 0.002, ...tooMany }, small: { change: 0.05, ...tooMany } })).toMatch(
      /^Changes below 6\.8 % of parse \(self\) are hidden by this noise \(80 % power/,
    );
    expect(say({ seen: { change: 0.002, ...tooMany } })).toMatch(
      /^4 more runs of 30 s a side would show a change of 5 %\. Changes below 6\.8 % of parse \(self\) are hidden/,
    );
  });

  test('states what is unknown with one run a side', () => {
    expect(say({ seen: { change: 0.2, runs: 3, moreRuns: 2 }, between: null, seconds: null })).toMatch(
      /^2 more runs a side would show the \+20\.0 % seen in its self\. .* Run-to-run noise is not known yet, so it may take more\.$/,
    );
  });

  test('states no hidden change without replicates', () => {
    const single = { between: null, smallest: null };
    expect(say({ ...single, small: { change: 0.05, ...tooMany } })).toMatch(
      /^12 more runs of 30 s .* in its self\. Even 100 runs a side would not show a change of 5 % \(80 % power/,
    );
    expect(say({ ...single, seen: { change: 0.002, ...tooMany } })).toMatch(
      /^Even 100 runs a side would not show the \+0\.2 % seen in its self\. 4 more runs/,
    );
  });

  test('says if the runs are enough, and if no number can be given', () => {
    expect(say({ seen: null, small: { change: 0.05, runs: 3, moreRuns: 0 } })).toMatch(
      /^These runs are enough to show a change of 5 % \(/,
    );
    expect(adviceText(null, 'parse', 'self', formatter)).toContain('No number of runs can be given for self');
  });

  test('counts the runs that a verdict lacks', () => {
    expect(missingRuns({ before: 1, after: 1 })).toBe(2);
    expect(missingRuns({ before: 5, after: 2 })).toBe(1);
    expect(missingRuns({ before: 3, after: 4 })).toBe(0);
    expect(missingRunsText({ before: 1, after: 2 })).toBe('2 more runs per side');
    expect(missingRunsText({ before: 5, after: 2 })).toBe('1 more run after');
    expect(missingRunsText({ before: 3, after: 3 })).toBeNull();
  });
});
