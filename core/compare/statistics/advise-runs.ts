import { LEAST_REPLICATES, type ComparisonDesign, type RowEstimate } from '../measure/measures.ts';
import { isChange, type Judgement } from './judge.ts';
import { runsNeeded, runsSoFar, smallestFound, type RunEvidence } from './runs-needed.ts';

/** The change, relative to before, for which the number of runs is given in addition to the observed change. */
export const SMALL_CHANGE = 0.05;

/** The number of runs needed to detect a change of a function. */
interface ChangeAdvice {
  /** Relative to before, signed. */
  readonly change: number;
  /** Total number of runs per side; null if it is impractical, see `MOST_RUNS`. */
  readonly runs: number | null;
  /** Additional runs per side, counted from the side with fewer runs; null like `runs`. */
  readonly moreRuns: number | null;
}

/** The runs needed to detect a change of a function, and the change that the current runs can detect. */
export interface Advice {
  /** For the observed change; null if nothing changed. */
  readonly seen: ChangeAdvice | null;
  /** For {@link SMALL_CHANGE}. */
  readonly small: ChangeAdvice;
  /**
   * The smallest change, relative to before, that these runs detect with the same power; noise hides smaller ones. Null
   * without replicates, which detect none.
   */
  readonly smallest: number | null;
  /** Level of the test: that of the function's tier in its family. */
  readonly level: number;
  /** Length of a run, as in the captures so far; null if unknown. */
  readonly seconds: number | null;
  /**
   * Variance of a capture's value from sampling (null if unknown) and from differences between runs (null without
   * replicates).
   */
  readonly within: number | null;
  readonly between: number | null;
  /** True if over half of the variance is between runs: more runs help, longer ones do not. */
  readonly moreRunsNotLonger: boolean;
}

/**
 * Returns the number of runs per side for 80 % power, for the observed change and for one of 5 %. Assumes runs as long
 * as those so far and accounts for the family of tests. Null if there is no value before, if the function is not
 * tested, or if more runs can't help: the sides share no host, or the verdict is withheld or not decided.
 */
export function adviseRuns(
  design: ComparisonDesign,
  row: RowEstimate,
  { before, delta, verdict, withheld }: Judgement,
  evidence: RunEvidence | null,
  seconds: number | null,
): Advice | null {
  const isOpen = withheld === undefined && verdict !== 'not-decided';
  if (evidence === null || !(before > 0) || !design.sharesHost || !isOpen) return null;
  const have = runsSoFar(design);
  const isFound = isChange(verdict);
  const advise = (change: number, least: number): ChangeAdvice => {
    // An uneven slowdown may explain this part of the change, however many runs show it.
    const allowed = design.unevenness * Math.min(1, Math.max(0, 1 + change));
    const runs = runsNeeded(design, evidence, (Math.abs(change) - allowed) * before, least);
    return { change, runs, moreRuns: runs === null ? null : Math.max(0, runs - have) };
  };
  const seen = delta / before;
  return {
    seen:
      delta === 0
        ? null
        : isFound
          ? { change: seen, runs: have, moreRuns: 0 }
          : advise(seen, Math.max(LEAST_REPLICATES, verdict === 'suggestive' ? 0 : have + 1)),
    small: advise(SMALL_CHANGE, LEAST_REPLICATES),
    smallest: design.isReplicated ? smallestFound(design, evidence) / before + design.unevenness : null,
    level: evidence.level,
    seconds,
    ...splitVariance(row),
  };
}

function splitVariance({ before, after }: RowEstimate): Pick<Advice, 'within' | 'between' | 'moreRunsNotLonger'> {
  const within = mean([before.within, after.within]);
  const seen = mean([before.between, after.between]);
  const between = seen === null ? null : Math.max(0, seen - (within ?? 0));
  const variance = Math.max(within ?? 0, seen ?? 0);
  return { within, between, moreRunsNotLonger: between !== null && between > variance / 2 };
}

/** Returns the mean of the known values. */
function mean(values: readonly number[]): number | null {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
