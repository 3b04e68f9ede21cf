import { CALM, judgeSides, randomOf, simulateSide, zipf, type Program } from './simulate.ts';

/** Noise of simulated programs, by its name in docs/comparing.md. */
export const NOISES: Readonly<Record<string, Partial<Program>>> = {
  Poisson: {},
  'overdispersed: 15 % each, 10 % of a caller': { ownNoise: 0.15, groupNoise: 0.1 },
  'overdispersed: all together 5 %': { globalNoise: 0.05 },
  'overdispersed: one function in ten 20 %': { wildNoise: 0.2 },
  'bursts of 5 in 3 % of functions': { burst: { size: 5, part: 0.03 } },
  'bursts of 5 in 10 %': { burst: { size: 5, part: 0.1 } },
  'bursts of 5 in 30 %': { burst: { size: 5, part: 0.3 } },
  'bursts of 10 in 3 %': { burst: { size: 10, part: 0.03 } },
  'bursts of 10 in 10 %': { burst: { size: 10, part: 0.1 } },
  'bursts of 10 in 30 %': { burst: { size: 10, part: 0.3 } },
  'three phases, aligned': { phases: 'aligned' },
  'three phases, shifted between runs': { phases: 'shifted' },
  'warm-up in the first tenth': { warmUp: 0.1 },
  'drift of 2 % a run, and within runs': { drift: 0.02 },
};

export const PROGRAMS: Readonly<Record<string, readonly number[]>> = {
  '12 functions, 3,000 samples': zipf(12, 3000),
  '60 functions, 3,000 samples': zipf(60, 3000),
  '60 functions, 15,000 samples': zipf(60, 15_000),
};

const isCalled = ({ verdict }: { readonly verdict: string }): boolean => verdict === 'grew' || verdict === 'shrank';

/**
 * Compares a program with itself and counts the comparisons in which any function's self or total grew or shrank.
 * `seed` is 0 for the tests.
 */
export function falsePositives(
  noise: Partial<Program>,
  rates: readonly number[],
  [before, after]: readonly [number, number],
  comparisons: number,
  seed = 0,
): number {
  const random = randomOf(seed + before);
  const program = { ...CALM, ...noise, rates };
  let found = 0;
  for (let comparison = 0; comparison < comparisons; comparison++) {
    const { self, total } = judgeSides(simulateSide(program, before, random), simulateSide(program, after, random));
    if (self.some(isCalled) || total.some(isCalled)) found += 1;
  }
  return found;
}

/** Counts the comparisons that find that the first function grew. It has 5 % of the samples and grows by `change`. */
export function power(
  noise: Partial<Program>,
  { functions, samples, captures, change }: { functions: number; samples: number; captures: number; change: number },
  comparisons: number,
): number {
  const random = randomOf(1);
  const rates = [0.05 * samples, ...zipf(functions - 1, 0.95 * samples)];
  const program = { ...CALM, ...noise, rates };
  const grown = { ...program, rates: rates.map((rate, row) => (row === 0 ? rate * (1 + change) : rate)) };
  let found = 0;
  for (let comparison = 0; comparison < comparisons; comparison++) {
    const { self } = judgeSides(simulateSide(program, captures, random), simulateSide(grown, captures, random));
    if (self[0]!.verdict === 'grew') found += 1;
  }
  return found;
}
