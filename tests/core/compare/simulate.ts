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

/** A program as a profiler sees it. Deviations are relative. */
export interface Program {
  /** Samples of each function in a capture, on average. Three functions each have a caller, and all callers one root. */
  readonly rates: readonly number[];
  /** Of a function's rate from run to run; `wild`: that of each tenth function. */
  readonly ownNoise: number;
  readonly wildNoise: number;
  /** The same, of the three functions of a caller together, and of all functions together. */
  readonly groupNoise: number;
  readonly globalNoise: number;
  /** From block to block of a run. */
  readonly blockNoise: number;
  /** Of counts within a block, as a multiple of Poisson's; a sampler that ticks evenly has less than 1. */
  readonly deviation: number;
}

/** Nothing but sampling varies. */
export const CALM = {
  ownNoise: 0,
  wildNoise: 0,
  groupNoise: 0,
  globalNoise: 0,
  blockNoise: 0,
  deviation: 1,
} as const satisfies Omit<Program, 'rates'>;

export interface SimulatedSide {
  readonly self: SideMeasures;
  /** Functions, their callers, the root. */
  readonly total: SideMeasures;
}

/** Time blocks of a capture, as the product has them. */
const BLOCKS = 8;
const CALLEES = 3;

/** Captures of a program, values in samples: what counts and block sums say. */
export function simulateSide(program: Program, captures: number, random: () => number): SimulatedSide {
  const functions = program.rates.length;
  const callers = Math.ceil(functions / CALLEES);
  const [self, total] = [new Counts(functions, captures), new Counts(functions + callers + 1, captures)];
  for (let capture = 0; capture < captures; capture++) {
    const ofAll = Math.exp(program.globalNoise * normal(random));
    let shared = 0;
    program.rates.forEach((rate, row) => {
      if (row % CALLEES === 0) shared = normal(random);
      const own = row % 10 === 1 ? program.wildNoise || program.ownNoise : program.ownNoise;
      const ofRun = ofAll * rate * Math.exp(own * normal(random) + program.groupNoise * shared);
      for (let block = 0; block < BLOCKS; block++) {
        const ofBlock = (ofRun / BLOCKS) * Math.exp(program.blockNoise * normal(random));
        const count = poisson(ofBlock, random, program.deviation);
        self.add(row, capture, block, count);
        for (const place of [row, functions + Math.floor(row / CALLEES), functions + callers]) {
          total.add(place, capture, block, count);
        }
      }
    });
  }
  return { self: self.measures(), total: total.measures() };
}

/** Counts by row, capture and block. */
class Counts {
  readonly #rows: number;
  readonly #captures: number;
  readonly #counts: Float64Array;

  constructor(rows: number, captures: number) {
    this.#rows = rows;
    this.#captures = captures;
    this.#counts = new Float64Array(rows * captures * BLOCKS);
  }

  add(row: number, capture: number, block: number, count: number): void {
    this.#counts[(row * this.#captures + capture) * BLOCKS + block]! += count;
  }

  measures(): SideMeasures {
    const value = new Float64Array(this.#rows * this.#captures);
    const variance = new Float64Array(value.length);
    for (let at = 0; at < value.length; at++) {
      const blocks = this.#counts.subarray(at * BLOCKS, (at + 1) * BLOCKS);
      value[at] = blocks.reduce((sum, count) => sum + count, 0);
      const squares = blocks.reduce((sum, count) => sum + count ** 2, 0);
      variance[at] = (BLOCKS / (BLOCKS - 1)) * (squares - value[at]! ** 2 / BLOCKS);
    }
    const design: CaptureDesign = { host: null, exposure: 1, freedom: BLOCKS - 1, isCount: true };
    const captures = Array.from({ length: this.#captures }, () => design);
    return { rows: this.#rows, captures, value, variance, samples: value };
  }
}

/** Samples by rank: few functions have most of them, many have hardly any. */
export const zipf = (functions: number, samples: number): number[] => {
  const shares = Array.from({ length: functions }, (_, rank) => 1 / (rank + 1) ** 1.3);
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => (samples * share) / sum);
};
