import type { CaptureDesign, SideMeasures } from '#core/compare/measures.ts';

/** mulberry32: a small seeded generator of numbers in [0, 1). */
export function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Box & Muller. */
export const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Knuth's method for small means, a rounded normal value for large ones; `deviation`: of the latter, as a multiple of Poisson's. */
export function poisson(mean: number, random: () => number, deviation = 1): number {
  if (mean > 30) return Math.max(0, Math.round(mean + deviation * Math.sqrt(mean) * normal(random)));
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count += 1;
  return count;
}

/** A program as a profiler sees it. */
export interface Program {
  /** Samples of each function in a capture, on average. */
  readonly rates: readonly number[];
  /** Deviation of a function's rate from run to run, relative. */
  readonly ownNoise: number;
  /** The same, of all functions of one group together; functions are in groups of three. */
  readonly groupNoise: number;
  /** Deviation from block to block of a run, relative. */
  readonly blockNoise: number;
  /** Of counts within a block, as a multiple of Poisson's; a sampler that ticks evenly has less than 1. */
  readonly deviation: number;
}

/** Time blocks of a capture, as the product has them. */
const BLOCKS = 8;

/** Captures of a program, values in samples: what counts and block sums say. */
export function simulateSide(program: Program, captures: number, random: () => number): SideMeasures {
  const rows = program.rates.length;
  const value = new Float64Array(rows * captures);
  const variance = new Float64Array(rows * captures);
  for (let capture = 0; capture < captures; capture++) {
    let shared = 0;
    program.rates.forEach((rate, row) => {
      if (row % 3 === 0) shared = normal(random);
      const ofRun = rate * Math.exp(program.ownNoise * normal(random) + program.groupNoise * shared);
      const at = row * captures + capture;
      let squares = 0;
      for (let block = 0; block < BLOCKS; block++) {
        const count = poisson(
          (ofRun / BLOCKS) * Math.exp(program.blockNoise * normal(random)),
          random,
          program.deviation,
        );
        value[at]! += count;
        squares += count ** 2;
      }
      variance[at] = (BLOCKS / (BLOCKS - 1)) * (squares - value[at]! ** 2 / BLOCKS);
    });
  }
  const design: CaptureDesign = { host: null, exposure: 1, freedom: BLOCKS - 1, isCount: true };
  return { rows, captures: Array.from({ length: captures }, () => design), value, variance, samples: value };
}

/** Samples by rank: few functions have most of them, many have hardly any. */
export const zipf = (functions: number, samples: number): number[] => {
  const shares = Array.from({ length: functions }, (_, rank) => 1 / (rank + 1) ** 1.3);
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => (samples * share) / sum);
};
