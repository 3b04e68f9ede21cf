import { CALM, judgeSides, randomOf, simulateSide, zipf, type Program } from './simulate.ts';

/** A comparison per second, of a program whose sides may differ by load, machine or code. */
interface SizeCell {
  readonly functions: number;
  /** Share of the heaviest function. */
  readonly heaviest?: number;
  /** Noise of both sides, in addition to 3 % of each function and run, bursts and phases. */
  readonly noise?: Partial<Program>;
  readonly before?: Program['tilt'];
  /** Load or machine: `tilt` of the after side in addition to the movers. */
  readonly after?: Program['tilt'];
  /** Functions whose code changed, and by how much. */
  readonly movers?: readonly number[];
  readonly change?: number;
}

const all =
  (factor: number): Program['tilt'] =>
  () =>
    factor;
/** Slows functions to factors of 0.47 to 0.54 for ×0.5: within a tenth of the logarithm. */
const uneven =
  (factor: number): Program['tilt'] =>
  (row) =>
    factor ** (1 + 0.1 * (((row * 29) % 40) / 20 - 1));
const fifth = { heaviest: 0.2, movers: [0], change: 1.3 } as const;
const sixty = { heaviest: 0.6, movers: [0], change: 1.3 } as const;
const half = { functions: 40, movers: Array.from({ length: 20 }, (_, place) => 2 * place) } as const;
/** Position of the side's capture among all, recorded A B B A; the machine slows down by 30 % from first to last. */
const drifting =
  (side: 'before' | 'after', captures: number): Program['tilt'] =>
  (_, capture) => {
    const isFirst = (side === 'before') === (capture % 2 === 0);
    return 1 - (0.3 * (2 * capture + (isFirst ? 0 : 1))) / (2 * captures - 1);
  };

/** Cells by their names in docs/comparing.md. */
export const SIZE_CELLS: Readonly<Record<string, (captures: number) => SizeCell>> = {
  'A/A': () => ({ functions: 40 }),
  'A/A, contention that differs per run': () => ({ functions: 40, noise: { globalNoise: 0.3 } }),
  'starved ×0.5': () => ({ functions: 40, after: all(0.5) }),
  'starved ×0.7': () => ({ functions: 40, after: all(0.7) }),
  'load ×1.5': () => ({ functions: 40, after: all(1.5) }),
  'load ×4': () => ({ functions: 40, after: all(4) }),
  'all ×0.8': () => ({ functions: 40, after: all(0.8) }),
  'uneven slowdown ×0.5': () => ({ functions: 40, after: uneven(0.5) }),
  'drift of 30 %, A B B A': (captures) => ({
    functions: 40,
    before: drifting('before', captures),
    after: drifting('after', captures),
  }),
  'one outlier': () => ({ functions: 40, after: (row, capture) => (row === 0 && capture === 0 ? 4 : 1) }),
  'a 20 % function +30 %': () => ({ functions: 40, ...fifth }),
  '… starved ×0.5': () => ({ functions: 40, ...fifth, after: all(0.5) }),
  '… starved ×0.7': () => ({ functions: 40, ...fifth, after: all(0.7) }),
  '… load ×4': () => ({ functions: 40, ...fifth, after: all(4) }),
  '… contention': () => ({ functions: 40, ...fifth, noise: { globalNoise: 0.3 } }),
  '… uneven slowdown ×0.5': () => ({ functions: 40, ...fifth, after: uneven(0.5) }),
  '… drift of 30 %, A B B A': (captures) => ({
    functions: 40,
    ...fifth,
    before: drifting('before', captures),
    after: drifting('after', captures),
  }),
  'a 60 % function +30 % among 8': () => ({ functions: 8, ...sixty }),
  '… among 15': () => ({ functions: 15, ...sixty }),
  '… among 30': () => ({ functions: 30, ...sixty }),
  '… among 30, starved ×0.5': () => ({ functions: 30, ...sixty, after: all(0.5) }),
  'half of all functions ×2': () => ({ ...half, change: 2 }),
  'half of all functions +20 %': () => ({ ...half, change: 1.2 }),
  'load ×1.5, a third stays constant': () => ({ functions: 40, after: (row) => (row % 3 === 0 ? 1 : 1.5) }),
};

export interface CellResult {
  /** Comparisons with any false grew or shrank. */
  readonly anyFalse: number;
  /** Mean share of false ones among grew and shrank. */
  readonly falseShare: number;
  /** Comparisons that find the first mover. */
  readonly found: number;
  /** Comparisons by the sizes' status. */
  readonly status: Readonly<Record<'same' | 'differs' | 'undetermined' | 'unknown', number>>;
}

const SAMPLES = 15_000;
const CALLEES = 3;

/** Simulates a cell and judges it as the product does. */
export function simulateCell(
  make: (captures: number) => SizeCell,
  captures: number,
  comparisons: number,
  seed: number,
): CellResult {
  const cell = make(captures);
  const random = randomOf(seed);
  const { functions, heaviest, movers = [], change = 1 } = cell;
  const rates =
    heaviest === undefined
      ? zipf(functions, SAMPLES)
      : [heaviest * SAMPLES, ...zipf(functions - 1, (1 - heaviest) * SAMPLES)];
  const moved = new Set(movers);
  const callers = Math.ceil(functions / CALLEES);
  // A mover's callers move along; they are not false.
  const movesAlong = new Set(
    movers.flatMap((row) => [row, functions + Math.floor(row / CALLEES), functions + callers]),
  );
  const side = (tilt: Program['tilt'] = () => 1, factor = 1) =>
    simulateSide(
      {
        ...CALM,
        ownNoise: 0.03,
        burst: { size: 5, part: 0.1 },
        phases: 'aligned',
        ...cell.noise,
        rates,
        tilt: (row, capture) => tilt(row, capture) * (moved.has(row) ? factor : 1),
      },
      captures,
      random,
    );
  const status = { same: 0, differs: 0, undetermined: 0, unknown: 0 };
  let [anyFalse, falseShare, found] = [0, 0, 0];
  for (let comparison = 0; comparison < comparisons; comparison++) {
    const { self, total, sizes } = judgeSides(side(cell.before), side(cell.after, change), false);
    status[sizes!.status] += 1;
    const called = [...self.keys()].filter((row) =>
      [self[row]!, total[row]!].some(({ verdict }) => verdict === 'grew' || verdict === 'shrank'),
    );
    const wrong = called.filter((row) => !movesAlong.has(row)).length;
    if (wrong > 0) anyFalse += 1;
    falseShare += called.length === 0 ? 0 : wrong / called.length / comparisons;
    if (movers.length > 0 && self[movers[0]!]!.verdict === 'grew') found += 1;
  }
  return { anyFalse, falseShare, found, status };
}
