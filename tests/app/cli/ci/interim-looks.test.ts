import { describe, expect, test } from 'vitest';
import { decideLook, looksAt, type JudgedCondition } from '#app/cli/ci/interim-looks.ts';
import { simulateGate, type SimulatedGate } from './simulate-gate.ts';

const RUNS = 100;
/** The gate of docs/comparing.md: contention varies whole runs by 3 %, each function by 1 %. */
const CONTENDED: SimulatedGate = {
  functions: 12,
  samples: 10_000,
  globalNoise: 0.03,
  ownNoise: 0.01,
  change: 1,
  pairs: [10, 30],
};

const failedOf = (gate: SimulatedGate, seed: number): number =>
  Array.from({ length: RUNS }, (_, run) => simulateGate(gate, seed + run)).filter(
    ({ decision }) => decision === 'failed',
  ).length;

describe('simulated pull requests under contention', () => {
  test('without a change pass in at least 95 of 100', () => {
    expect(failedOf(CONTENDED, 20_261_129)).toBeLessThanOrEqual(5);
  });

  test('with +5 % of a function of 20 % fail in at least 80 of 100', () => {
    expect(failedOf({ ...CONTENDED, change: 1.05 }, 20_261_129)).toBeGreaterThanOrEqual(80);
  });
});

test('looks at up to three even numbers of pairs, so that each step is A B B A', () => {
  expect(looksAt(10, 30)).toEqual([10, 18, 30]);
  expect(looksAt(4, 4)).toEqual([4]);
  expect(looksAt(5, 5)).toEqual([6]);
});

const judged = (
  status: JudgedCondition['status'],
  ...matched: readonly (readonly [state: 'beyond' | 'within' | 'undecided', q: number | null, contrast?: number])[]
): JudgedCondition => ({
  condition: { comparison: '>' },
  status,
  matched: matched.map(([state, q, contrast = 1]) => ({ state, family: { q, share: 0.2, contrast } })),
});

describe('a look', () => {
  const strict = { looks: 3, isLast: false, passesUndecided: false };
  const growth = { looks: 3, isLast: false, passesUndecided: true };
  const last = { isLast: true };

  test('fails only at its part of the error; what is not confirmed by the end is inconclusive', () => {
    expect(decideLook([judged('failed', ['beyond', 0.016])], strict)).toBe('failed');
    expect(decideLook([judged('failed', ['beyond', 0.03])], strict)).toBeNull();
    expect(decideLook([judged('failed', ['beyond', 0.03])], { ...strict, ...last })).toBe('inconclusive');
    expect(decideLook([judged('failed', ['beyond', 0.03])], { ...strict, ...last, looks: 1 })).toBe('failed');
  });

  test('passes a limit that is shown to hold, early only at its part of the error', () => {
    expect(decideLook([judged('passed', ['within', 0.001, -1])], strict)).toBe('passed');
    expect(decideLook([judged('passed', ['within', 0.03, -1])], strict)).toBeNull();
    expect(decideLook([judged('passed', ['within', 0.03, -1])], { ...strict, ...last })).toBe('passed');
    expect(decideLook([judged('inconclusive', ['undecided', 0.4])], { ...strict, ...last })).toBe('inconclusive');
  });

  test('without limits goes on as long as a function may have grown, and then passes', () => {
    expect(decideLook([judged('inconclusive', ['undecided', 0.3])], growth)).toBeNull();
    expect(decideLook([judged('inconclusive', ['undecided', 0.3, -1])], growth)).toBe('passed');
    expect(decideLook([judged('inconclusive', ['undecided', 0.95])], growth)).toBe('passed');
    expect(decideLook([judged('inconclusive', ['undecided', 0.3])], { ...growth, ...last })).toBe('passed');
    expect(decideLook([judged('failed', ['beyond', 0.001])], growth)).toBe('failed');
  });
});
