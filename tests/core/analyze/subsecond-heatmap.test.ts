import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import { HEATMAP_ROWS, subsecondHeatmap } from '#core/analyze/time/subsecond-heatmap.ts';
import { cellAt, cellStart, rangeOfCells } from '#core/analyze/time/grid.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { sum } from '../../support/naive-analysis.ts';
import { profileFromSketch, type SampleSketch } from '../../support/sketch-profile.ts';

const MS = 1_000_000;
const SECOND = 1000 * MS;
const selection: Selection = { valueType: 1 as ValueTypeIndex, threads: null, timeRange: null };

function profileOf(samples: readonly SampleSketch[], timeOrigin: bigint | null = null): Profile {
  const profile = profileFromSketch(samples);
  return { ...profile, metadata: { ...profile.metadata, timeOrigin } };
}

const at = (time: number | null, weight = 1, tid = 1): SampleSketch => ({ stack: ['a'], weight, time, tid });

/** Writes `column,row weight` for every cell with a sample. */
function cells(map: NonNullable<ReturnType<typeof subsecondHeatmap>>): string[] {
  return [...map.sampleCount.keys()]
    .filter((cell) => map.sampleCount[cell]! > 0)
    .map((cell) => `${Math.floor(cell / map.rows)},${cell % map.rows} ${map.weight[cell]}`);
}

describe('subsecondHeatmap', () => {
  test('has seconds as columns and offsets of 20 ms as rows', () => {
    const map = subsecondHeatmap(
      profileOf([
        at(0, 1),
        at(20 * MS - 1, 2),
        at(20 * MS, 4),
        at(SECOND - 1, 8),
        at(SECOND, 16),
        at(3 * SECOND + 990 * MS, 32),
        at(null, 64),
      ]),
      selection,
    )!;
    expect(map).toMatchObject({ start: 0, end: 4 * SECOND, columns: 4, rows: HEATMAP_ROWS, columnNs: SECOND });
    expect(cells(map)).toEqual(['0,0 3', '0,1 4', '0,49 8', '1,0 16', '3,49 32']);
    expect(map).toMatchObject({ maxWeight: 32, withoutTime: 1 });
  });

  test('uses the seconds of the clock of the times', () => {
    const profile = profileOf([at(0), at(100 * MS), at(SECOND)], 12_345_950_000_000n);
    const map = subsecondHeatmap(profile, selection)!;
    expect(map).toMatchObject({ start: -950 * MS, end: 1050 * MS, columns: 2 });
    expect(cells(map)).toEqual(['0,47 1', '1,2 1', '1,47 1']);
    const before = subsecondHeatmap(profileOf([at(0), at(100 * MS)], -50_000_000n), selection)!;
    expect(cells(before)).toEqual(['0,47 1', '1,2 1']);
  });

  test('makes a cell the time between its limits', () => {
    const map = subsecondHeatmap(profileOf([at(0), at(5 * SECOND)]), selection)!;
    const cell = (column: number, row: number): number => column * map.rows + row;
    expect(rangeOfCells(map, cell(1, 2), cell(1, 2))).toEqual({ start: SECOND + 40 * MS, end: SECOND + 60 * MS });
    expect(rangeOfCells(map, cell(3, 49), cell(1, 0))).toEqual({ start: SECOND, end: 4 * SECOND });
    expect(rangeOfCells(map, cell(5, 49), cell(5, 49)).end).toBe(6 * SECOND);
  });

  test('uses longer columns for a long capture, and says so', () => {
    const map = subsecondHeatmap(profileOf([at(0), at(3601 * SECOND)]), selection, { maxColumns: 400 })!;
    expect(map).toMatchObject({ columnNs: 10 * SECOND, columns: 361 });
    const absurd = subsecondHeatmap(profileOf([at(-1e300), at(1e300)]), selection, { maxColumns: 0 })!;
    expect(absurd.columns).toBe(2);
    expect(cells(absurd)).toHaveLength(2);
  });

  test('is null if no sample has a time', () => {
    expect(subsecondHeatmap(profileOf([at(null)]), selection)).toBe(null);
  });

  test('selects the samples of its cells for every range of cells', () => {
    const samples = fc.array(
      fc.record({ time: fc.nat(4_000_000_000), weight: fc.integer({ min: 1, max: 9 }), tid: fc.constantFrom(1, 2) }),
      { minLength: 1, maxLength: 30 },
    );
    const rows = fc.constantFrom(50, 7, 60, 1);
    fc.assert(
      fc.property(
        samples,
        rows,
        fc.bigInt({ min: 0n, max: 10n ** 18n }),
        fc.nat(),
        fc.nat(),
        (list, rows, origin, a, b) => {
          const profile = profileOf(
            list.map(({ time, weight, tid }) => at(time, weight, tid)),
            origin,
          );
          const map = subsecondHeatmap(profile, selection, { rows })!;
          expect(sum(map.weight)).toBe(buildStackView(profile, selection).total);
          const count = map.columns * map.rows;
          const [first, last] = [a % count, b % count].toSorted((one, other) => one - other) as [number, number];
          const timeRange = rangeOfCells(map, last, first);
          expect(buildStackView(profile, { ...selection, timeRange }).total).toBe(
            sum(map.weight.subarray(first, last + 1)),
          );
          expect((Number(origin % BigInt(SECOND)) + map.start) % SECOND).toBe(0);
        },
      ),
    );
  });
});

describe('TimeGrid', () => {
  test('puts a time into the cell whose limits contain it', () => {
    const grids = fc.record({
      start: fc.integer({ min: -1e15, max: 1e15 }),
      lengthNs: fc.oneof(fc.integer({ min: 1, max: 1e12 }), fc.double({ min: 0.5, max: 1e12, noNaN: true })),
      columns: fc.integer({ min: 1, max: 997 }),
      rows: fc.constantFrom(1, 3, 50),
    });
    fc.assert(
      fc.property(grids, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (shape, share) => {
        const grid = { ...shape, end: shape.start + shape.lengthNs };
        // Cells shorter than the precision of times have no exact limits.
        fc.pre(shape.lengthNs / (shape.columns * shape.rows) > 4);
        const time = grid.start + Math.floor(share * shape.lengthNs);
        const cell = cellAt(grid, time);
        expect(cellStart(grid, cell)).toBeLessThanOrEqual(time);
        expect(time).toBeLessThan(cellStart(grid, cell + 1));
        const limit = cellStart(grid, cell);
        if (limit > grid.start) expect(cellAt(grid, limit)).toBe(cell);
        expect(cellStart(grid, shape.columns * shape.rows)).toBe(grid.end);
      }),
      { numRuns: 1000 },
    );
  });
});
