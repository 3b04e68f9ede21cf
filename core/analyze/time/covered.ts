import type { SampleTable } from '../../model/profile.ts';
import { cellAt, cellStart, type TimeGrid, type TimeRange } from './grid.ts';

type Times = Pick<SampleTable, 'time' | 'duration'>;

/** Sums by cell of a grid. */
export interface CellSums {
  readonly weight: Float64Array;
  readonly count?: Float64Array;
}

interface Covered extends TimeRange {
  weight: number;
  count: number;
}

/**
 * Adds samples to the cells of a grid: each at its time, or evenly over the time that it covers. Samples that cover the
 * same time are summed first, so that sums stay exact: the cells of a covered time add up to its weight if that is an
 * integer.
 */
export class CellAdder {
  readonly #grid: TimeGrid;
  readonly #samples: Times;
  readonly #perRow: Float64Array | null;
  readonly #covered = new Map<CellSums, Map<string, Covered>>();

  /** `perRow` is the number of samples that each row stands for; null if all stand for one. */
  constructor(grid: TimeGrid, samples: Times, perRow: Float64Array | null = null) {
    this.#grid = grid;
    this.#samples = samples;
    this.#perRow = perRow;
  }

  add(sample: number, weight: number, sums: CellSums): void {
    const at = this.#samples.time![sample]!;
    const length = this.#samples.duration?.[sample] ?? 0;
    const count = this.#perRow?.[sample] ?? 1;
    if (length === 0) {
      const cell = cellAt(this.#grid, at);
      sums.weight[cell]! += weight;
      if (sums.count !== undefined) sums.count[cell]! += count;
      return;
    }
    let ranges = this.#covered.get(sums);
    if (ranges === undefined) this.#covered.set(sums, (ranges = new Map<string, Covered>()));
    const key = `${at} ${length}`;
    const known = ranges.get(key);
    if (known === undefined) ranges.set(key, { start: at - length / 2, end: at + length / 2, weight, count });
    else {
      known.weight += weight;
      known.count += count;
    }
  }

  /** Adds what covers a time, after the last call of {@link add}. */
  finish(): void {
    for (const [sums, ranges] of this.#covered) for (const one of ranges.values()) this.#spread(one, sums);
    this.#covered.clear();
  }

  #spread({ start, end, weight, count }: Covered, sums: CellSums): void {
    const grid = this.#grid;
    if (start >= grid.end || end <= grid.start) return;
    const step = stepOf(weight);
    const until = (time: number): { weight: number; count: number } => {
      if (time >= end) return { weight, count };
      const share = Math.max(0, (time - start) / (end - start));
      return { weight: Math.round((weight * share) / step) * step, count: Math.round(count * share) };
    };
    const last = cellAt(grid, end);
    let before = until(grid.start);
    for (let cell = cellAt(grid, start); cell <= last; cell++) {
      const after = until(cellStart(grid, cell + 1));
      sums.weight[cell]! += after.weight - before.weight;
      if (sums.count !== undefined) sums.count[cell]! += after.count - before.count;
      before = after;
    }
  }
}

/** Significant bits of a part of a weight; those left are for the sum of many. */
const PART_BITS = 36;

/** Returns the step, a power of two, to which parts of a weight are rounded, so that their sum is exact. */
const stepOf = (weight: number): number => 2 ** (Math.ceil(Math.log2(Math.abs(weight) || 1)) - PART_BITS);
