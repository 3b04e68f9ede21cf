import { describe, expect, it } from 'vitest';
import { compareSweeps } from '#core/load/compare-sweeps.ts';
import { createDecider, decide, LOOKS, type Decision } from '#core/load/decide.ts';
import { loadMetric, sweepOf, type LoadSweep } from '#core/load/sweep.ts';
import { NO_LATENCY, type LoadResult } from '#core/contract/load/result.ts';
import { normal, randomOf } from '../compare/simulate.ts';

const cpu = loadMetric('cpu');

const run = (perRequest: number): LoadResult => ({
  tool: 'wrk',
  target: null,
  concurrency: 50,
  seconds: 10,
  requests: 10_000,
  qps: 1000,
  success: 1,
  bytes: null,
  errors: [],
  latency: NO_LATENCY,
  notes: [],
  server: [{ name: 'app', pid: 1, cores: perRequest * 1000 }],
});
const side = (values: readonly number[]): LoadSweep => sweepOf('side', values.map(run));

/** Runs an experiment of up to the last look; `noise` is the deviation between runs. */
function experiment(change: number, noise: number, smallerThan: number | null, random: () => number) {
  const turn = (factor: number): number => 200e-6 * factor * (1 + noise * normal(random));
  const [before, after]: [number[], number[]] = [[], []];
  for (const look of LOOKS) {
    while (before.length < look) {
      before.push(turn(1));
      after.push(turn(1 + change));
    }
    const decision = decide({ before: side(before), after: side(after) }, { metric: cpu, smallerThan }, 50);
    if (decision !== null) return { decision, look };
  }
  return { decision: null, look: LOOKS.at(-1)! };
}

const many = (count: number, change: number, noise: number, smallerThan: number | null) => {
  const random = randomOf(20261130);
  return Array.from({ length: count }, () => experiment(change, noise, smallerThan, random));
};
const shareOf = (found: ReturnType<typeof many>, wanted: Decision | null): number =>
  found.filter(({ decision }) => decision === wanted).length / found.length;

describe('an experiment that goes on until it is decided', () => {
  it('calls a change of nothing in at most 2.5 %, however often it looks', () => {
    const found = many(600, 0, 0.04, null);
    // Two standard errors of 600 above 2.5 %.
    expect(1 - shareOf(found, null)).toBeLessThan(0.038);
  });

  it('says that a server against itself changed by less than 5 %, before its last look', () => {
    const found = many(200, 0, 0.02, 0.05);
    expect(shareOf(found, 'smaller')).toBeGreaterThan(0.95);
    expect(found.reduce((sum, { look }) => sum + look, 0) / found.length).toBeLessThan(16);
  });

  it('finds 5 % of CPU per request in at least 80 % within 10 minutes, with 4 % between runs', () => {
    // Two runs of 10 s and their warm-ups of 3 s take 26 s: 23 turns of each side, so the look after 20 is the last.
    const found = many(200, 0.05, 0.04, null).filter(({ decision, look }) => decision === 'grew' && look <= 20);
    expect(found.length / 200).toBeGreaterThan(0.8);
  });

  it('calls a change at the bound smaller than it in at most 2.5 %', () => {
    expect(shareOf(many(400, 0.05, 0.03, 0.05), 'smaller')).toBeLessThan(0.041);
  });

  it('calls a change of nothing in at most 2.5 % also at the best of five equal steps, and with the verdicts at the end in 5 %', () => {
    const random = randomOf(20261130);
    const steps = [10, 20, 50, 100, 200];
    const turn = (): LoadResult[] =>
      steps.map((concurrency) => {
        const qps = 1000 * (1 + 0.04 * normal(random));
        return { ...run(200e-6), concurrency, qps, requests: 10 * qps };
      });
    const errors = { looks: 0, any: 0 };
    for (let at = 0; at < 200; at++) {
      const sides: Record<'before' | 'after', LoadResult[]> = { before: [], after: [] };
      const decider = createDecider(
        { metric: loadMetric('qps'), smallerThan: null },
        () => false,
        () => undefined,
      );
      const sweeps = () => [sweepOf('before', sides.before), sweepOf('after', sides.after)] as const;
      for (let turns = 1, isOver = false; turns <= LOOKS.at(-1)! && !isOver; turns++) {
        sides.before.push(...turn());
        sides.after.push(...turn());
        isOver = decider.isDecided(...sweeps(), turns);
      }
      const isFalse = compareSweeps(...sweeps()).steps.some(({ metrics }) =>
        metrics.some(({ judgement: { verdict } }) => verdict === 'grew' || verdict === 'shrank'),
      );
      errors.looks += Number(decider.decision() !== null);
      errors.any += Number(decider.decision() !== null || isFalse);
    }
    // Two standard errors of 200 above 2.5 and 5 %.
    expect(errors.looks / 200).toBeLessThan(0.047);
    expect(errors.any / 200).toBeLessThan(0.081);
  });

  it('decides nothing without replicates or without CPU time', () => {
    const two = side([200e-6, 200e-6]);
    expect(decide({ before: two, after: two }, { metric: cpu, smallerThan: 0.05 }, 50)).toBeNull();
    expect(decide({ before: two, after: two }, { metric: loadMetric('p99'), smallerThan: null }, 50)).toBeNull();
    expect(decide({ before: two, after: two }, { metric: cpu, smallerThan: null }, 7)).toBeNull();
  });
});
