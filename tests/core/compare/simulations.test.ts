import { describe, expect, test, vi } from 'vitest';
import { judgeRows } from '#core/compare/judge.ts';
import { designComparison } from '#core/compare/measures.ts';
import { CALM, randomOf, simulateSide, zipf, type Program, type SimulatedSide } from './simulate.ts';

// A second or two of arithmetic each, more where others want the processor too.
vi.setConfig({ testTimeout: 180_000 });

type Column = keyof SimulatedSide;

const verdicts = (before: SimulatedSide, after: SimulatedSide, column: Column): string[] => {
  const design = designComparison(before[column].captures, after[column].captures);
  return judgeRows(design, before[column], after[column]).judgements.map(({ verdict }) => verdict);
};

const isCalled = (verdict: string): boolean => verdict === 'grew' || verdict === 'shrank';

/** Of so many comparisons of a program with itself, those that call any function's self or total grew or shrank. */
function falsePositives(program: Program, [before, after]: readonly [number, number], comparisons: number): number {
  const random = randomOf(before);
  let found = 0;
  for (let comparison = 0; comparison < comparisons; comparison++) {
    const sides = [simulateSide(program, before, random), simulateSide(program, after, random)] as const;
    if ((['self', 'total'] as const).some((column) => verdicts(...sides, column).some(isCalled))) found += 1;
  }
  return found;
}

describe('comparisons of a program with itself', () => {
  // Most functions have hardly any samples; rates differ from run to run and hang together within a caller.
  const noisy = { ...CALM, rates: zipf(60, 3000), ownNoise: 0.15, groupNoise: 0.1, blockNoise: 0.5 };
  const wild = { ...CALM, rates: zipf(12, 3000), ownNoise: 0.3, groupNoise: 0.2, blockNoise: 0.1 };
  // Everything slower or faster at once, as on a busy machine.
  const busy = { ...CALM, rates: zipf(60, 15_000), globalNoise: 0.05 };
  const mixed = { ...CALM, rates: zipf(60, 15_000), wildNoise: 0.2 };

  test('call something in at most 65 of 1,000', () => {
    const found = [noisy, wild, busy, mixed].flatMap((program, place) =>
      ([3, 5, 10] as const).map((captures) =>
        falsePositives(program, [captures, captures], place === 0 && captures === 3 ? 87 : 83),
      ),
    );
    const sum = found.reduce((total, one) => total + one, 0);
    expect(sum, `n = 3, 5, 10 of each: ${found.join(', ')}`).toBeLessThanOrEqual(65);
  });

  test.each([
    ['nothing but sampling varies', { ...CALM, rates: zipf(60, 3000) }, [5, 5]],
    ['one side has more captures', busy, [3, 10]],
  ] as const)('as rarely where %s', (_, program, captures) => {
    expect(falsePositives(program, captures, 100)).toBeLessThanOrEqual(9);
  });
});

describe('+10 % of a function with 5 % of the samples, five captures of 30 s at 499 Hz a side', () => {
  /** Found per 100 comparisons. */
  function power(program: Program): number {
    const random = randomOf(1);
    const grown = { ...program, rates: program.rates.map((rate, row) => (row === 0 ? rate * 1.1 : rate)) };
    let found = 0;
    for (let comparison = 0; comparison < 100; comparison++) {
      const sides = [simulateSide(program, 5, random), simulateSide(grown, 5, random)] as const;
      if (verdicts(...sides, 'self')[0] === 'grew') found += 1;
    }
    return found;
  }

  const program = (functions: number, processors: number, deviation: number): Program => {
    const samples = 30 * 499 * processors;
    return { ...CALM, rates: [0.05 * samples, ...zipf(functions - 1, 0.95 * samples)], deviation };
  };

  // The last one can not have more: see docs/comparing.md, "Power".
  test.each([
    [10, 1, 1, 80],
    [40, 1, 0.7, 80],
    [40, 2, 1, 80],
    [100, 2, 1, 80],
    [20, 1, 1, 60],
  ])(
    '%d functions, %d busy processors, %d times the deviation of Poisson: %d % or more',
    (functions, processors, deviation, least) => {
      expect(power(program(functions, processors, deviation))).toBeGreaterThanOrEqual(least);
    },
  );
});
