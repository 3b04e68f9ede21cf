import type { JudgedMetrics, MeasuredPair } from '#core/compare/statistics/judge-metrics.ts';
import { judgeMetrics } from '#core/compare/statistics/judge-metrics.ts';
import type { CaptureDesign, SideMeasures } from '#core/compare/measure/measures.ts';
import { COARSE_BLOCKS } from '#core/compare/measure/measured-capture.ts';
import { COARSE_FREEDOM, FINE_BLOCKS, SuccessiveDifferences } from '#core/compare/statistics/sampling-variance.ts';

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
  /** Of counts within a run, as a multiple of Poisson's; a sampler that ticks evenly has less than 1. */
  readonly deviation: number;
  /** Samples that come at once, and the part of functions whose samples do. */
  readonly burst: { readonly size: number; readonly part: number };
  /** When a function runs. `aligned`: in one of three phases, each a third of a run; `shifted`: so, from another point in each run. */
  readonly phases: 'none' | 'aligned' | 'shifted';
  /** Part of a run in which every fourth function runs five times as often, and the others half as often. */
  readonly warmUp: number;
  /** From one pair of runs to the next, of all rates; and of every second function from the begin to the end of a run. */
  readonly drift: number;
}

/** Nothing but sampling varies. */
export const CALM = {
  ownNoise: 0,
  wildNoise: 0,
  groupNoise: 0,
  globalNoise: 0,
  deviation: 1,
  burst: { size: 1, part: 0 },
  phases: 'none',
  warmUp: 0,
  drift: 0,
} as const satisfies Omit<Program, 'rates'>;

export interface SimulatedSide {
  /** Functions, their callers, the root. */
  readonly self: SideMeasures;
  readonly total: SideMeasures;
  readonly whole: SideMeasures;
}

const CALLEES = 3;
const PHASES = 3;
const FINE_PER_BLOCK = FINE_BLOCKS / COARSE_BLOCKS;

/** Captures of a program, values in samples: what counts and blocks say. */
export function simulateSide(program: Program, captures: number, random: () => number): SimulatedSide {
  const functions = program.rates.length;
  const callers = Math.ceil(functions / CALLEES);
  const rows = functions + callers + 1;
  const [self, total, whole] = [new Counts(rows, captures), new Counts(rows, captures), new Counts(1, captures)];
  const block = new Float64Array(FINE_BLOCKS);
  for (let capture = 0; capture < captures; capture++) {
    const ofAll = Math.exp(program.globalNoise * normal(random) + program.drift * capture);
    const shift = program.phases === 'shifted' ? random() : 0;
    let shared = 0;
    program.rates.forEach((rate, row) => {
      if (row % CALLEES === 0) shared = normal(random);
      const own = row % 10 === 1 ? program.wildNoise || program.ownNoise : program.ownNoise;
      const ofRun = ofAll * rate * Math.exp(own * normal(random) + program.groupNoise * shared);
      block.fill(0);
      // By a prime, so that bursts are of frequent functions and rare ones.
      const size = (row * 37) % 100 < 100 * program.burst.part ? program.burst.size : 1;
      for (let left = poisson(ofRun / size, random, program.deviation); left > 0; left--) {
        const at = (timeOf(program, row, random) + shift) % 1;
        block[Math.floor(at * FINE_BLOCKS)]! += size;
      }
      self.add(row, capture, block);
      for (const place of [row, functions + Math.floor(row / CALLEES), functions + callers]) {
        total.add(place, capture, block);
      }
      whole.add(0, capture, block);
    });
  }
  return { self: self.measures(), total: total.measures(), whole: whole.measures() };
}

/** When an event of a function happens: 0 to 1. */
function timeOf({ phases, warmUp, drift }: Program, row: number, random: () => number): number {
  const at = random();
  if (phases !== 'none') return ((row % PHASES) + at) / PHASES;
  if (warmUp > 0) {
    const weight = row % 4 === 0 ? 5 : 0.5;
    const early = (warmUp * weight) / (warmUp * weight + 1 - warmUp);
    return at < early ? (at / early) * warmUp : warmUp + ((at - early) / (1 - early)) * (1 - warmUp);
  }
  // Twice as often at the end as at the begin: the inverse of the integral of (2 + 2 t) ÷ 3.
  return drift > 0 && row % 2 === 0 ? Math.sqrt(1 + 3 * at) - 1 : at;
}

/** What the product says of both sides. */
export function judgeSides(before: SimulatedSide, after: SimulatedSide): JudgedMetrics {
  const pair = (column: keyof SimulatedSide): MeasuredPair => ({ before: before[column], after: after[column] });
  return judgeMetrics({ self: pair('self'), total: pair('total'), whole: pair('whole') });
}

/** Counts by block, row and capture. */
class Counts {
  readonly #rows: number;
  readonly #captures: number;
  readonly #size: number;
  readonly #counts: Float64Array;

  constructor(rows: number, captures: number) {
    this.#rows = rows;
    this.#captures = captures;
    this.#size = rows * captures;
    this.#counts = new Float64Array(this.#size * FINE_BLOCKS);
  }

  add(row: number, capture: number, blocks: Float64Array): void {
    const at = row * this.#captures + capture;
    for (let block = 0; block < FINE_BLOCKS; block++) {
      if (blocks[block] !== 0) this.#counts[block * this.#size + at]! += blocks[block]!;
    }
  }

  measures(): SideMeasures {
    const size = this.#size;
    const [value, squares, coarse] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
    const differences = new SuccessiveDifferences(size);
    for (let block = 0; block < FINE_BLOCKS; block++) {
      const counts = this.#counts.subarray(block * size, (block + 1) * size);
      differences.add(counts);
      const isLast = block % FINE_PER_BLOCK === FINE_PER_BLOCK - 1;
      for (let at = 0; at < size; at++) {
        value[at]! += counts[at]!;
        coarse[at]! += counts[at]!;
        if (!isLast) continue;
        squares[at]! += coarse[at]! ** 2;
        coarse[at] = 0;
      }
    }
    for (let at = 0; at < size; at++) {
      coarse[at] = (COARSE_BLOCKS / COARSE_FREEDOM) * (squares[at]! - value[at]! ** 2 / COARSE_BLOCKS);
    }
    const design: CaptureDesign = { host: null, exposure: 1, isTimed: true, isCount: true };
    const captures = Array.from({ length: this.#captures }, () => design);
    const sampling = { count: value, coarse, fine: differences.variances() };
    return { rows: this.#rows, captures, value, sampling, samples: value };
  }
}

/** Samples by rank: few functions have most of them, many have hardly any. */
export const zipf = (functions: number, samples: number): number[] => {
  const shares = Array.from({ length: functions }, (_, rank) => 1 / (rank + 1) ** 1.3);
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => (samples * share) / sum);
};
