import { describe, expect, test, vi } from 'vitest';
import { estimateSizes } from '#core/compare/statistics/size-factors.ts';
import { designComparison } from '#core/compare/measure/measures.ts';
import { SIZE_CELLS, simulateCell, type CellResult } from './size-cells.ts';
import { CALM, randomOf, simulateSide, zipf } from './simulate.ts';

// Each cell takes a second or so of processor time, and longer on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const COMPARISONS = 30;
const run = (cell: string): CellResult => simulateCell(SIZE_CELLS[cell]!, 5, COMPARISONS, 7);
const relative = ({ status }: CellResult): number => status.differs + status.undetermined;

// This is a small part of what simulate-sizes.ts computes.
describe('values without a unit of work', () => {
  test('have the size of their captures as a factor', () => {
    const random = randomOf(1);
    const side = (factor: number) =>
      simulateSide({ ...CALM, rates: zipf(40, 15_000), tilt: (_, capture) => factor * (1 + capture / 4) }, 3, random);
    const self = { before: side(1).self, after: side(0.5).self };
    const factors = estimateSizes(self, designComparison(self.before.captures, self.after.captures));
    if (typeof factors === 'string') throw new Error(factors);
    const sizes = [...factors.before, ...factors.after].map((log) => Math.exp(log - factors.before[0]!));
    [1, 1.25, 1.5, 0.5, 0.625, 0.75].forEach((size, place) => expect(sizes[place]! / size).toBeCloseTo(1, 1));
  });

  // 5 % of the comparisons plus two standard errors.
  test.each(['A/A, contention that differs per run', 'starved ×0.5', 'load ×4', 'all ×0.8', 'uneven slowdown ×0.5'])(
    '%s: no function changes, in all but 4 of 30',
    (cell) => {
      const result = run(cell);
      expect(result.anyFalse).toBeLessThanOrEqual(4);
      expect(relative(result)).toBe(COMPARISONS);
    },
  );

  test.each(['a 20 % function +30 %', '… starved ×0.5', '… contention', '… among 30, starved ×0.5'])(
    '%s: is found in at least 21 of 30, with few others',
    (cell) => {
      const result = run(cell);
      expect(result.found).toBeGreaterThanOrEqual(21);
      expect(result.falseShare).toBeLessThanOrEqual(0.05);
    },
  );

  test('are judged as measured if the sizes are shown to be the same', () => {
    expect(run('A/A').status.same).toBeGreaterThanOrEqual(27);
  });

  test('are not decided if half of all functions doubled', () => {
    expect(run('half of all functions ×2')).toMatchObject({ anyFalse: 0, status: { unknown: COMPARISONS } });
  });
});
