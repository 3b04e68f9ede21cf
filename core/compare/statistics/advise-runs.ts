import { LEAST_REPLICATES, type ComparisonDesign, type RowEstimate } from '../measure/measures.ts';
import type { Judgement } from './judge.ts';
import { runsNeeded, runsSoFar, smallestFound, type RunEvidence } from './runs-needed.ts';

/** The change that is advised on beside the one that was seen, as a part of before. */
export const SMALL_CHANGE = 0.05;

/** Runs that find one change of a function. */
export interface ChangeAdvice {
  /** As a part of before, signed. */
  readonly change: number;
  /** Runs a side in all; null: more than anybody records, see `MOST_RUNS`. */
  readonly runs: number | null;
  /** Runs a side beyond those of the side that has fewer; null as `runs`. */
  readonly moreRuns: number | null;
}

/** What would show a change of a function, and what these runs can show. */
export interface Advice {
  /** Of the size that was seen; null where nothing changed. */
  readonly seen: ChangeAdvice | null;
  /** Of {@link SMALL_CHANGE}. */
  readonly small: ChangeAdvice;
  /** The smallest change that these runs find with the same power, as a part of before: the noise hides what is below it. */
  readonly smallest: number;
  /** Level of the test: that of the function's tier of its family. */
  readonly level: number;
  /** Length of a run, as the captures so far; null where not known. */
  readonly seconds: number | null;
  /** Variance of a capture's value from sampling, and from what differs between runs; the former null where not known, the latter without replicates. */
  readonly within: number | null;
  readonly between: number | null;
  /** Over half of the variance is between runs: more runs help, longer ones don't. */
  readonly moreRunsNotLonger: boolean;
}

/**
 * Returns the runs a side for 80 % power for the change that was seen, and for one of 5 %, with runs as long as those so far and the family
 * counted in. Null where there is no value before, where the function is not tested, and where more runs can't tell: the sides share no host,
 * or the verdict is withheld.
 */
export function adviseRuns(
  design: ComparisonDesign,
  row: RowEstimate,
  { before, delta, verdict, withheld }: Judgement,
  evidence: RunEvidence | null,
  seconds: number | null,
): Advice | null {
  if (evidence === null || !(before > 0) || !design.sharesHost || withheld !== undefined) return null;
  const have = runsSoFar(design);
  const isFound = verdict === 'grew' || verdict === 'shrank';
  const advise = (change: number, least: number): ChangeAdvice => {
    const runs = runsNeeded(design, evidence, Math.abs(change) * before, least);
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
    smallest: smallestFound(design, evidence) / before,
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

/** Of what is known. */
function mean(values: readonly number[]): number | null {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
