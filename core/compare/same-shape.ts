import { formatShare } from '../units/format.ts';
import type { CompareWarning } from './compare-warning.ts';
import type { Comparison } from './comparison.ts';
import type { Judgement } from './statistics/judge.ts';
import { isRelative } from './statistics/judge-by-size.ts';

type Judged = Pick<Comparison, 'self' | 'whole' | 'normalised' | 'design' | 'sizes'>;

/** A smaller relative change of the whole counts as none. */
const LEAST_CHANGE = 0.03;
/** A function counts if it has at least this share of either side; at least this many functions must count. */
const LEAST_SHARE = 0.05;
const LEAST_FUNCTIONS = 5;
/** Share of the whole that these functions must cover. */
const LEAST_COVERED = 0.5;
/** The largest distance from the common factor that still is the same shape, as a part of it. */
const MOST_APART = 0.3;

/** One factor by which the whole changed, and how far from it any function may be. */
export interface SharedFactor {
  readonly factor: number;
  /** Relative to the factor. */
  readonly bound: number;
  readonly functions: number;
}

/**
 * Returns the factor by which all large functions scaled from before to after: an equivalence test, by which each
 * function's interval contains it and lies within 30 % of it. Null if one does not, if the data can't show it, or below three captures
 * a side.
 */
export function sharedFactor({ self, whole, normalised, design, sizes }: Judged): SharedFactor | null {
  if (normalised.kind === 'share' || !design.isReplicated) return null;
  const all = sizes?.whole ?? whole;
  if (!(all.before > 0 && all.after > 0 && excludesZero(all))) return null;
  const factor = all.after / all.before;
  if (Math.abs(factor - 1) < LEAST_CHANGE) return null;
  // Relative values have lost the common factor already.
  const own = isRelative(sizes) ? 1 : factor;
  const telling = self.filter((of) => largerShare(of, whole) >= LEAST_SHARE);
  const weight = telling.reduce((sum, { before, after }) => sum + before + after, 0);
  if (telling.length < LEAST_FUNCTIONS || weight < LEAST_COVERED * (whole.before + whole.after)) return null;
  const bound = Math.max(...telling.map((of) => distance(of, own)));
  return bound <= MOST_APART ? { factor, bound, functions: telling.length } : null;
}

/** Returns the warning about a shared factor. */
export function shapeWarnings(judged: Judged): CompareWarning[] {
  const shared = sharedFactor(judged);
  if (shared === null) return [];
  const { factor, bound, functions } = shared;
  return [
    {
      code: 'same-shape',
      message: `Same shape, ×${factor.toFixed(2)}: all ${functions} functions with ${formatShare(LEAST_SHARE, 1)} or more are within ±${formatShare(bound, 1)} of it; the machine or the load may have changed, not the code.`,
    },
  ];
}

const excludesZero = ({ interval }: Judgement): boolean => interval !== null && (interval[0] > 0 || interval[1] < 0);

const largerShare = ({ before, after }: Judgement, whole: Judgement): number =>
  Math.max(before / whole.before, after / whole.after);

/**
 * Returns the farther end of the function's interval from what the factor predicts; infinite if the interval lacks the
 * prediction, or if there is none.
 */
function distance({ before, interval }: Judgement, factor: number): number {
  if (interval === null || !(before > 0)) return Infinity;
  const [low, high] = interval.map((end) => (1 + end / before) / factor - 1) as [number, number];
  return low <= 0 && high >= 0 ? Math.max(-low, high) : Infinity;
}
