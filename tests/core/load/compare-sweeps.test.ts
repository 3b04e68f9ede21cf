import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareSweeps, FAMILY_TEXT } from '#core/load/compare-sweeps.ts';
import { stepChanges, stepsTable } from '#core/load/describe-load.ts';
import { judgeLoadCondition, parseLoadCondition } from '#core/load/fail-condition.ts';
import { NO_LATENCY, type LoadResult } from '#core/contract/load/result.ts';
import { htmlText } from '#core/export/markup.ts';
import { randomOf } from '../compare/simulate.ts';
import { readLoadResults } from '#core/load/read-load-results.ts';
import { shownKnee } from '#core/load/knee.ts';
import { createLoadText } from '#core/load/load-text.ts';
import { sweepCharts } from '#core/load/charts/sweeps.ts';
import { boundText, kneeOf, sweepOf, type LoadSweep } from '#core/load/sweep.ts';

interface Shape {
  readonly qps?: number;
  readonly success?: number;
  readonly p99?: number;
  readonly requests?: number;
}

const run = (
  concurrency: number,
  { qps = 1000, success = 1, p99 = 0.02, requests = 10_000 }: Shape = {},
): LoadResult => ({
  tool: 'wrk',
  target: 'http://a/',
  concurrency,
  seconds: 10,
  requests,
  qps,
  success,
  errors: [],
  bytes: null,
  latency: { ...NO_LATENCY, mean: concurrency / qps, percentiles: [{ percent: 99, seconds: p99 }] },
  notes: [],
});

const sweep = (...runs: LoadResult[]): LoadSweep => sweepOf('sweep', runs);
const verdictOf = (before: LoadSweep, after: LoadSweep, id: string): string | undefined =>
  compareSweeps(before, after).steps[0]!.metrics.find(({ metric }) => metric.id === id)?.judgement.verdict;

describe('comparison', () => {
  const before = sweep(run(10, { qps: 1000 }), run(10, { qps: 1010 }), run(10, { qps: 990 }));
  it('says that the machine differed if other programs used or waited for more CPU on one side', () => {
    const others = (...cpus: number[]): LoadSweep => sweep(...cpus.map((otherCores) => ({ ...run(10), otherCores })));
    const idle = others(0.05, 0.1, 0.08, 0.06);
    expect(compareSweeps(idle, others(1.04, 0.95, 1.1, 1)).warnings).toEqual([
      'The machine differed between the sides: other programs used or waited for 0.07 CPUs before and 1.02 after, on average over the runs, which may be why values changed.',
    ]);
    expect(compareSweeps(others(1.04, 0.95, 1.1, 1), idle).warnings).toHaveLength(1);
    // Less than a tenth of a CPU, and two runs.
    expect(compareSweeps(idle, others(0.11, 0.13, 0.12, 0.14)).warnings).toEqual([]);
    expect(compareSweeps(others(0.05, 0.1), others(1, 1.1)).warnings).toEqual([]);
  });
  it('reports a change that is the same in every run', () => {
    const after = sweep(run(10, { qps: 1200 }), run(10, { qps: 1215 }), run(10, { qps: 1190 }));
    expect(verdictOf(before, after, 'qps')).toBe('grew');
    expect(verdictOf(before, after, 'mean')).toBe('shrank');
    expect(verdictOf(after, before, 'qps')).toBe('shrank');
  });
  it('finds no change between a sweep and itself', () => {
    for (const { judgement } of compareSweeps(before, before).steps[0]!.metrics) {
      expect(judgement).toMatchObject({ verdict: 'noise', delta: 0 });
    }
  });
  it('gives no verdict and no interval with one run a side', () => {
    const [one, other] = [sweep(run(10)), sweep(run(10, { qps: 2000 }))];
    expect(verdictOf(one, other, 'qps')).toBe('unknown');
    expect(compareSweeps(one, other).steps[0]!.metrics[0]!.judgement.interval).toBeNull();
  });
  it('reports a success rate that falls from 100 % to 0 % in all runs', () => {
    const failed = sweep(...[1, 2, 3].map(() => run(10, { success: 0 })));
    const fine = sweep(...[1, 2, 3].map(() => run(10)));
    expect(verdictOf(fine, failed, 'success')).toBe('shrank');
  });
  it('reports a latency that differs by more than rounding, even if it is equal in all runs of a side', () => {
    const [fast, slow] = [0.02, 0.04].map((p99) => sweep(...[1, 2, 3].map(() => run(10, { p99 }))));
    expect(verdictOf(fast!, slow!, 'p99')).toBe('grew');
    const rounded = sweep(...[1, 2, 3].map(() => run(10, { p99: 0.0201 })));
    expect(verdictOf(fast!, rounded, 'p99')).toBe('noise');
  });
  it('says which metrics were not tested, also if they are equal, and claims nothing of single runs', () => {
    const percentiles = [50, 75, 90, 99].map((percent) => ({ percent, seconds: 0.01 }));
    const reported = { ...run(10), latency: { ...NO_LATENCY, deviation: 0.001, max: 0.2, percentiles } };
    const equal = sweep(reported, reported, reported);
    const said = (id: string) => verdictOf(equal, equal, id);
    expect(['stdev', 'p75'].map(said)).toEqual(['not-tested', 'not-tested']);
    expect(['p50', 'p90', 'p99', 'max'].map(said)).toEqual(['noise', 'noise', 'noise', 'noise']);
    expect(verdictOf(sweep(reported), sweep(reported), 'p99')).toBe('unknown');
    expect(FAMILY_TEXT).toContain('p50, p90, p99, max, QPS per core and CPU per request');
  });
  it('pairs steps by concurrency and lists the others', () => {
    const { steps, onlyBefore, onlyAfter } = compareSweeps(sweep(run(1), run(2)), sweep(run(2), run(3)));
    expect([steps.map(({ concurrency }) => concurrency), onlyBefore, onlyAfter]).toEqual([[2], [1], [3]]);
  });
  it('leaves out metrics that a side lacks', () => {
    const lacking = sweep({ ...run(10), latency: NO_LATENCY });
    expect(compareSweeps(before, lacking).steps[0]!.metrics.map(({ metric }) => metric.id)).toEqual(['qps', 'success']);
  });
  it('warns of different tools', () => {
    expect(compareSweeps(before, sweep({ ...run(10), tool: 'hey' })).warnings).toEqual([
      'Tools differ: wrk before, hey after.',
    ]);
  });
});

/** docs/comparing.md: 1,000 comparisons of a server with itself have a false discovery in at most 65. */
it.each([3, 5, 10])('has few false discoveries between equal servers at %i runs a side', (runs) => {
  const random = randomOf(26);
  const noise = (size: number): number =>
    Math.exp(size * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));
  const side = (): LoadSweep =>
    sweep(
      ...Array.from({ length: runs }, () => noise(0.03)).flatMap((common) =>
        [10, 20, 50, 100, 200, 500].map((concurrency) =>
          run(concurrency, {
            qps: 1000 * common * noise(0.02),
            p99: Number((0.02 * noise(0.1)).toPrecision(3)),
            success: 1 - Math.floor(random() * 4) / 10_000,
          }),
        ),
      ),
    );
  let falsePositives = 0;
  for (let comparison = 0; comparison < 1000; comparison++) {
    const { steps } = compareSweeps(side(), side());
    const verdicts = steps.flatMap(({ metrics }) => metrics.map(({ judgement }) => judgement.verdict));
    if (verdicts.some((verdict) => verdict === 'grew' || verdict === 'shrank')) falsePositives += 1;
  }
  expect(falsePositives).toBeLessThanOrEqual(65);
});

/**
 * 20 repeats of wrk with 8 and 32 connections against samples/programs/apiserver on a busy machine, with and without
 * -dump in turns: reports in the order in which they ran.
 */
function recordedRepeats(name: string): LoadResult[][] {
  const results = readLoadResults(readFileSync(join(import.meta.dirname, '../../fixtures/load-repeats', name), 'utf8'));
  return Array.from({ length: results.length / 2 }, (_, repeat) => results.slice(2 * repeat, 2 * repeat + 2));
}

/** docs/comparing.md: of 200 partitions of real runs, at most 16 have a false discovery. */
it.each([
  ['dump.txt', 3],
  ['dump.txt', 5],
  ['dump.txt', 10],
  ['no-dump.txt', 3],
  ['no-dump.txt', 5],
  ['no-dump.txt', 10],
])('has few false discoveries between halves of %s at %i runs a side', (name, runs) => {
  const repeats = recordedRepeats(name);
  const random = randomOf(26);
  let falsePositives = 0;
  for (let partition = 0; partition < 200; partition++) {
    const mixed = repeats
      .map((repeat) => ({ repeat, place: random() }))
      .sort((a, b) => a.place - b.place)
      .map(({ repeat }) => repeat);
    const side = (from: number): LoadSweep => sweep(...mixed.slice(from, from + runs).flat());
    const { steps } = compareSweeps(side(0), side(runs));
    const verdicts = steps.flatMap(({ metrics }) => metrics.map(({ judgement }) => judgement.verdict));
    if (verdicts.some((verdict) => verdict === 'grew' || verdict === 'shrank')) falsePositives += 1;
  }
  expect(falsePositives).toBeLessThanOrEqual(16);
});

it('finds the QPS that the dump middleware costs at each step of the recorded runs', () => {
  const [dump, noDump] = ['dump.txt', 'no-dump.txt'].map((name) => sweep(...recordedRepeats(name).flat()));
  const verdicts = compareSweeps(dump!, noDump!).steps.map(
    ({ metrics }) => metrics.find(({ metric }) => metric.id === 'qps')!.judgement.verdict,
  );
  expect(verdicts).toEqual(['grew', 'grew']);
});

describe('knee', () => {
  const runs = sweep(
    run(10, { qps: 100 }),
    run(20, { qps: 180 }),
    run(50, { qps: 220, success: 0.9 }),
    run(90, { qps: 180 }),
  );
  it('is the step with the highest QPS that succeeds', () => {
    expect(kneeOf(runs)?.concurrency).toBe(20);
    expect(kneeOf(runs, { leastSuccess: 0.9, mostLatency: null })?.concurrency).toBe(50);
  });
  it('respects a latency limit', () => {
    expect(kneeOf(runs, { leastSuccess: 0.99, mostLatency: 0.01 })).toBeNull();
    expect(kneeOf({ ...runs, bound: { leastSuccess: 0.9, mostLatency: null } })?.concurrency).toBe(50);
    expect(boundText({ bound: { leastSuccess: 0.999, mostLatency: 0.05 } })).toBe(
      'a success rate of at least 99.9 % and a p99 of at most 50 ms',
    );
  });
});

describe('the knee that is shown', () => {
  const text = createLoadText('en');
  const steps = (...qps: (readonly [concurrency: number, qps: number])[]): LoadSweep =>
    sweep(
      ...qps.flatMap(([concurrency, mean]) =>
        [0.99, 1, 1.01].map((part) => run(concurrency, { qps: mean * part, success: mean < 50 ? 0.5 : 1 })),
      ),
    );
  const said = (of: LoadSweep): string => shownKnee(of, text).sentence;
  it('has a drop beyond it that exceeds its interval, or a step that misses the bound', () => {
    const found = steps([10, 1000], [20, 1800], [50, 1500]);
    expect(shownKnee(found, text).step?.concurrency).toBe(20);
    // 300 ± t(0.05 ÷ 3; 3.87) √((18² + 15²) ÷ 3)
    expect(said(found)).toBe(
      'knee: 20 connections (highest QPS with a success rate of at least 99 %; QPS is 300 ± 54.6 lower at 50 connections)',
    );
    expect(said(steps([10, 1000], [20, 40]))).toBe(
      'knee: 10 connections (highest QPS with a success rate of at least 99 %; beyond it, 20 connections do not meet that)',
    );
  });
  it('is not found on noise, at the last step, or with too few runs', () => {
    expect(said(steps([10, 1000], [20, 1010], [50, 1000]))).toBe(
      'no knee found: QPS does not fall by more than its interval beyond 20 connections',
    );
    expect(said(steps([10, 1000], [20, 1800]))).toBe('no knee found: QPS is highest at the last step, 20 connections');
    expect(said(sweep(run(10, { qps: 1000 }), run(20, { qps: 500 })))).toBe(
      'no knee found: it takes 3 runs of each step',
    );
    expect(said(sweep(run(10, { success: 0 })))).toBe('no knee found: no step has a success rate of at least 99 %');
    const sweeps = [{ role: 'only', sweep: steps([10, 1000], [20, 1010], [50, 1000]) }] as const;
    const [chart] = sweepCharts(sweeps, { locale: 'en', text, scale: 'log' });
    expect(htmlText(chart!.svg)).not.toContain('knee');
  });
  it('is found in at most 5 % of sweeps whose steps do not differ', () => {
    const random = randomOf(49);
    const noise = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const found = Array.from({ length: 1000 }, () => {
      const runs = [10, 20, 50, 100, 200].flatMap((one) =>
        [1, 2, 3].map(() => run(one, { qps: 1000 * (1 + 0.05 * noise()) })),
      );
      return shownKnee(sweep(...runs), text).step;
    });
    expect(found.filter((step) => step !== null).length).toBeLessThanOrEqual(50);
  });
});

describe('--fail-on', () => {
  const before = sweep(run(10, { p99: 0.02 }), run(10, { p99: 0.0202 }), run(10, { p99: 0.0198 }));
  const slower = sweep(run(10, { p99: 0.03 }), run(10, { p99: 0.0303 }), run(10, { p99: 0.0297 }));
  const judged = (text: string, after: LoadSweep) =>
    judgeLoadCondition(compareSweeps(before, after), parseLoadCondition(text));
  it('fails, passes or is inconclusive by the whole interval', () => {
    expect(judged('p99 > +10%', slower).status).toBe('failed');
    expect(judged('p99 > +90%', slower).status).toBe('passed');
    expect(judged('p99 > +50%', slower).status).toBe('inconclusive');
    expect(judged('p99 > +5ms', slower).status).toBe('failed');
    expect(judged('p99@10 > +10 %', slower).status).toBe('failed');
    expect(judged('success < -1pp', slower).status).toBe('passed');
  });
  it('is inconclusive if a step that reported the metric no longer does, and fails if another is beyond', () => {
    const two = sweep(...[10, 20].flatMap((step) => [run(step), run(step), run(step)]));
    const failing = { ...run(20, { qps: 0, success: 0 }), latency: NO_LATENCY };
    const judgedTwo = (text: string, after: LoadSweep) =>
      judgeLoadCondition(compareSweeps(two, after), parseLoadCondition(text));
    const failed = sweep(run(10), run(10), run(10), failing, failing, failing);
    const open = { status: 'inconclusive', missingAfter: [20] };
    expect(judgedTwo('p99 > +10%', failed)).toMatchObject(open);
    expect(judgedTwo('p99 > +10%', sweep(run(10), run(10), run(10)))).toMatchObject(open);
    expect(judgedTwo('p99@10 > +10%', failed)).toMatchObject({ status: 'passed', missingAfter: [] });
    expect(judgedTwo('p99@20 > +10%', failed)).toMatchObject({ ...open, steps: [] });
    const slow = { p99: 0.04 };
    expect(judgedTwo('p99 > +10%', sweep(run(10, slow), run(10, slow), run(10, slow)))).toMatchObject({
      status: 'failed',
      missingAfter: [20],
    });
  });
  it('is inconclusive if some runs no longer report the metric', () => {
    const failing = { ...run(10), latency: NO_LATENCY };
    const after = sweep(run(10), run(10), run(10), failing, failing, failing);
    expect(judged('p99 > +10%', after)).toMatchObject({ status: 'inconclusive', missingAfter: [10] });
  });
  it('is inconclusive if the same share of the runs lacks the metric on both sides, or only before', () => {
    const without = { ...run(10), latency: NO_LATENCY };
    const gaps = sweep(run(10), run(10), run(10), without);
    const whole = sweep(run(10), run(10), run(10), run(10));
    const judgedGaps = (one: LoadSweep, other: LoadSweep) =>
      judgeLoadCondition(compareSweeps(one, other), parseLoadCondition('p99 > +10%'));
    expect(judgedGaps(whole, whole)).toMatchObject({ status: 'passed', missingBefore: [], missingAfter: [] });
    expect(judgedGaps(gaps, gaps)).toMatchObject({ status: 'inconclusive', missingBefore: [10], missingAfter: [10] });
    expect(judgedGaps(gaps, whole)).toMatchObject({ status: 'inconclusive', missingBefore: [10], missingAfter: [] });
  });
  it('does not pass if half of the runs have a tail of seconds', () => {
    const read = (name: string): LoadSweep =>
      sweep(...readLoadResults(readFileSync(join(import.meta.dirname, '../../fixtures/load-repeats', name), 'utf8')));
    const comparison = compareSweeps(read('tail-before.txt'), read('tail-after.txt'));
    const { status, steps } = judgeLoadCondition(comparison, parseLoadCondition('p99 > +10%'));
    expect(status).toBe('inconclusive');
    expect(steps).toMatchObject([{ state: 'undecided' }]);
  });
  it('is inconclusive without replicates, or if only after has the step', () => {
    expect(judged('p99 > +10%', sweep(run(10, { p99: 9 })))).toMatchObject({
      status: 'inconclusive',
      steps: [{ runsToSettle: 3 }],
    });
    const more = sweep(...slower.steps[0]!.runs, run(99));
    expect(judged('p99@99 > +10%', more)).toMatchObject({ status: 'inconclusive', steps: [], missingAfter: [] });
  });
  it('refuses a step that neither side has, and names the steps', () => {
    const more = sweep(...slower.steps[0]!.runs, run(99));
    expect(() => judged('p99@98 > +10%', more)).toThrow(
      expect.objectContaining({ message: 'neither side has a step @98', remedy: 'the steps are 10, 99' }) as Error,
    );
  });
  it.each(['p98 > +10%', 'p99 = 10%', 'p99 > 10', 'p99 > 5pp', 'qps < -100%', 'success > 5ms', '', 'p99 > +'])(
    'refuses %j',
    (text) => {
      expect(() => parseLoadCondition(text)).toThrow(
        expect.objectContaining({ remedy: expect.any(String) as string }) as Error,
      );
    },
  );
});

describe('the table of steps', () => {
  const text = createLoadText('en');
  const three = (one: LoadResult): LoadResult[] => [one, one, one];
  const failing = { ...run(20, { qps: 500 }), errors: [{ kind: 'status' as const, detail: '503', count: 2 }] };
  const slow = sweep(...three(run(10)), ...three(failing));
  it('has means over the runs, the knee, and errors', () => {
    expect(stepsTable(slow, text)).toEqual({
      names: 1,
      header: ['Connections', 'Runs', 'QPS', 'success', 'mean', 'p99', 'Errors'],
      rows: [
        ['10 (knee)', '3', '1,000', '100.00 %', '10 ms', '20 ms', ''],
        ['20', '3', '500', '100.00 %', '40 ms', '20 ms', 'status 503: 6'],
      ],
    });
  });
  it('has a row for each metric of each step that both sides have', () => {
    const { header, rows } = stepChanges(compareSweeps(slow, sweep(...three(run(10, { qps: 2000 })))), text);
    expect(header).toEqual(['Step', 'Metric', 'Before → after', 'Δ']);
    expect(rows.map(([step, metric, sides]) => [step, metric, sides])).toEqual([
      ['10 connections', 'QPS', '1,000 → 2,000'],
      ['10 connections', 'success', '100.00 % → 100.00 %'],
      ['10 connections', 'mean', '10 ms → 5 ms'],
      ['10 connections', 'p99', '20 ms → 20 ms'],
    ]);
    expect(rows[0]![3]).toMatch(/^\+100\.0 % ± .*: ▲ grew$/);
  });
});
