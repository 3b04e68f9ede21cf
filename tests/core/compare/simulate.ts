import type { MeasuredPair } from '#core/compare/statistics/judge-metrics.ts';
import { judgeBySize, type SizedMetrics } from '#core/compare/statistics/judge-by-size.ts';
import type { CaptureDesign, SideMeasures } from '#core/compare/measure/measures.ts';
import { COARSE_BLOCKS } from '#core/compare/measure/measured-capture.ts';
import { COARSE_FREEDOM, FINE_BLOCKS, SuccessiveDifferences } from '#core/compare/measure/sampling-variance.ts';

/** Returns a seeded generator of numbers in [0, 1) (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a standard normal value (Box & Muller). */
export const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/**
 * Returns a Poisson value, by Knuth's method for small means and as a rounded normal value for large ones. `deviation`
 * multiplies the standard deviation of the latter.
 */
export function poisson(mean: number, random: () => number, deviation = 1): number {
  if (mean > 30) return Math.max(0, Math.round(mean + deviation * Math.sqrt(mean) * normal(random)));
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count += 1;
  return count;
}

/** A program as a profiler sees it. All deviations are relative. */
export interface Program {
  /**
   * Mean number of samples of each function per capture. Every three functions share a caller, and all callers share
   * the root.
   */
  readonly rates: readonly number[];
  /** Deviation of each function's rate between runs; `wildNoise` is that of every tenth function. */
  readonly ownNoise: number;
  readonly wildNoise: number;
  /** The same for the three functions of a caller together, and for all functions together. */
  readonly groupNoise: number;
  readonly globalNoise: number;
  /** Deviation of counts within a run as a multiple of Poisson's. A sampler that ticks evenly has less than 1. */
  readonly deviation: number;
  /** Number of samples in a burst, and the share of functions whose samples come in bursts. */
  readonly burst: { readonly size: number; readonly part: number };
  /**
   * When functions run. `aligned`: each in one of three phases, a third of the run each. `shifted`: the same, but each
   * run starts at another point.
   */
  readonly phases: 'none' | 'aligned' | 'shifted';
  /** Share of the run in which every fourth function runs five times as often and the others half as often. */
  readonly warmUp: number;
  /**
   * Drift of all rates from one pair of runs to the next, and of every second function from the start to the end of a
   * run.
   */
  readonly drift: number;
  /** Host of each capture, and its rate as a multiple of the program's. Without any, all are on one host. */
  readonly hosts: readonly { readonly host: string; readonly scale: number }[];
  /** Rate of a function in a capture as a multiple of its own: load, machine, outliers. */
  readonly tilt: (row: number, capture: number) => number;
}

/** A program without noise except sampling. */
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
  hosts: [],
  tilt: () => 1,
} as const satisfies Omit<Program, 'rates'>;

export interface SimulatedSide {
  /** Sums of the functions, of their callers, and of the root. */
  readonly self: SideMeasures;
  readonly total: SideMeasures;
  readonly whole: SideMeasures;
}

const CALLEES = 3;
const PHASES = 3;
const FINE_PER_BLOCK = FINE_BLOCKS / COARSE_BLOCKS;

/** Simulates captures of a program: counts and blocks, in samples. */
export function simulateSide(program: Program, captures: number, random: () => number): SimulatedSide {
  const functions = program.rates.length;
  const callers = Math.ceil(functions / CALLEES);
  const rows = functions + callers + 1;
  const [self, total, whole] = [new Counts(rows, captures), new Counts(rows, captures), new Counts(1, captures)];
  const block = new Float64Array(FINE_BLOCKS);
  for (let capture = 0; capture < captures; capture++) {
    const scale = program.hosts[capture]?.scale ?? 1;
    const ofAll = scale * Math.exp(program.globalNoise * normal(random) + program.drift * capture);
    const shift = program.phases === 'shifted' ? random() : 0;
    let shared = 0;
    program.rates.forEach((rate, row) => {
      if (row % CALLEES === 0) shared = normal(random);
      const own = row % 10 === 1 ? program.wildNoise || program.ownNoise : program.ownNoise;
      const ofRun =
        ofAll * rate * program.tilt(row, capture) * Math.exp(own * normal(random) + program.groupNoise * shared);
      block.fill(0);
      // The prime factor spreads bursts over frequent and rare functions.
      const size = (row * 37) % 100 < 100 * program.burst.part ? program.burst.size : 1;
      for (let left = poisson(ofRun / size, random, program.deviation); left > 0; left--) {
        const at = timeOf(program, row, random) + shift;
        // A remainder would cost more than the rest of the loop.
        block[Math.floor((at < 1 ? at : at - 1) * FINE_BLOCKS)]! += size;
      }
      self.add(row, capture, block);
      for (const place of [row, functions + Math.floor(row / CALLEES), functions + callers]) {
        total.add(place, capture, block);
      }
      whole.add(0, capture, block);
    });
  }
  const designs = Array.from({ length: captures }, (_, capture): CaptureDesign => {
    return { host: program.hosts[capture]?.host ?? null, exposure: 1, isTimed: true, isCount: true };
  });
  return { self: self.measures(designs), total: total.measures(designs), whole: whole.measures(designs) };
}

/** Returns the time of an event of a function, from 0 to 1. */
function timeOf({ phases, warmUp, drift }: Program, row: number, random: () => number): number {
  const at = random();
  if (phases !== 'none') return ((row % PHASES) + at) / PHASES;
  if (warmUp > 0) {
    const weight = row % 4 === 0 ? 5 : 0.5;
    const early = (warmUp * weight) / (warmUp * weight + 1 - warmUp);
    return at < early ? (at / early) * warmUp : warmUp + ((at - early) / (1 - early)) * (1 - warmUp);
  }
  // The rate at the end is twice that at the start; this inverts the integral of (2 + 2 t) ÷ 3.
  return drift > 0 && row % 2 === 0 ? Math.sqrt(1 + 3 * at) - 1 : at;
}

/** Returns the product's judgements of both sides; without a unit of work, by size factors. */
export function judgeSides(before: SimulatedSide, after: SimulatedSide, hasUnitOfWork = true): SizedMetrics {
  const pair = (column: keyof SimulatedSide): MeasuredPair => ({ before: before[column], after: after[column] });
  return judgeBySize({ self: pair('self'), total: pair('total'), whole: pair('whole') }, hasUnitOfWork);
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

  measures(captures: readonly CaptureDesign[]): SideMeasures {
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
    const sampling = { count: value, coarse, fine: differences.variances() };
    return { rows: this.#rows, captures, value, sampling, samples: value };
  }
}

/** Returns the samples of functions by rank: a few functions have most of them, and many have hardly any. */
export const zipf = (functions: number, samples: number): number[] => {
  const shares = Array.from({ length: functions }, (_, rank) => 1 / (rank + 1) ** 1.3);
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => (samples * share) / sum);
};
