import type { CompareWarning } from './compare-refusal.ts';
import type { Comparison } from './comparison.ts';
import type { Judgement } from './statistics/judge.ts';

type Judged = Pick<Comparison, 'self' | 'whole' | 'normalised' | 'before' | 'after'>;

/** A smaller relative change of the whole counts as none. */
const LEAST_CHANGE = 0.03;
/** A function counts if it has at least this share of either side; at least this many functions must count. */
const LEAST_SHARE = 0.01;
const LEAST_FUNCTIONS = 5;
/** Share of the whole that these functions must cover, and the share of their weight that must fit one factor. */
const LEAST_COVERED = 0.8;
const LEAST_FITTING = 0.9;
/**
 * The median function, and the whole without its largest mover, must have scaled (on a logarithmic scale) by half to
 * one and a half times the factor.
 */
const NEAR = { low: 0.5, high: 1.5 } as const;
/** Raw weights grow with the length of a capture; durations closer than this count as equal. */
const EQUAL_DURATION = 0.05;

/**
 * Returns the factor by which nearly all functions scaled from before to after, or null if they did not or the data
 * can't tell.
 */
export function sharedFactor({ self, whole, normalised, before, after }: Judged): number | null {
  const { kind } = normalised;
  if (kind === 'share' || (kind === 'raw' && !haveEqualDurations([...before.captures, ...after.captures]))) return null;
  if (whole.verdict === 'noise' || whole.verdict === 'unknown' || !(whole.before > 0 && whole.after > 0)) return null;
  const factor = whole.after / whole.before;
  if (Math.abs(factor - 1) < LEAST_CHANGE) return null;
  const telling = self.filter((of) => of.interval !== null && largerShare(of, whole) >= LEAST_SHARE);
  const weight = sum(telling, weightOf);
  if (telling.length < LEAST_FUNCTIONS || weight < LEAST_COVERED * (whole.before + whole.after)) return null;
  const isNear = (one: number): boolean => {
    const part = Math.log(one) / Math.log(factor);
    return part >= NEAR.low && part <= NEAR.high;
  };
  const fitting = telling.filter((of) => fits(of, factor));
  const largest = telling.reduce((most, of) => (Math.abs(of.delta) > Math.abs(most.delta) ? of : most));
  const rest = (whole.after - largest.after) / (whole.before - largest.before);
  const isShared = sum(fitting, weightOf) >= LEAST_FITTING * weight && isNear(rest) && isNear(middle(telling));
  return isShared ? factor : null;
}

/** Returns the warning about a shared factor, which precedes all verdicts. */
export function shapeWarnings(judged: Judged): CompareWarning[] {
  const factor = sharedFactor(judged);
  if (factor === null) return [];
  return [
    {
      code: 'same-shape',
      message: `Same shape, ×${factor.toFixed(2)}: the machine or the load changed, not the code.`,
    },
  ];
}

const weightOf = ({ before, after }: Judgement): number => before + after;

const largerShare = ({ before, after }: Judgement, whole: Judgement): number =>
  Math.max(before / whole.before, after / whole.after);

/** Returns whether the function's interval contains the change that the factor predicts. */
const fits = ({ before, interval }: Judgement, factor: number): boolean =>
  interval !== null && interval[0] <= (factor - 1) * before && (factor - 1) * before <= interval[1];

/** Returns the median of the functions' own factors. */
function middle(telling: readonly Judgement[]): number {
  const factors = telling.map(({ before, after }) => after / before).sort((a, b) => a - b);
  return factors[factors.length >> 1]!;
}

function haveEqualDurations(captures: Judged['before']['captures']): boolean {
  const durations = captures.map(({ facts }) => facts.durationSeconds ?? Number.NaN);
  const [least, most] = [Math.min(...durations), Math.max(...durations)];
  return most - least <= EQUAL_DURATION * most;
}

const sum = (of: readonly Judgement[], read: (one: Judgement) => number): number =>
  of.reduce((all, one) => all + read(one), 0);
