import type { Advice } from './statistics/advise-runs.ts';
import type { CaptureFactor } from './measure/capture-facts.ts';
import type { CircumstanceRow } from './circumstances.ts';
import type { Metric } from './describe-change.ts';
import type { CompareWarning } from './compare-refusal.ts';
import type { JudgedMetrics, MeasuredMetrics } from './statistics/judge-metrics.ts';
import type { MatchedFunctions } from './match/match-functions.ts';
import type { MeasuredCapture } from './measure/measured-capture.ts';
import type { Normalised } from './measure/normalise.ts';

export interface Comparison extends JudgedMetrics {
  readonly before: ComparedSide;
  readonly after: ComparedSide;
  /** `self` and `total` are by function of `matched.table`. */
  readonly matched: MatchedFunctions;
  readonly normalised: Normalised;
  readonly warnings: readonly CompareWarning[];
  /** How the sides were recorded, held against each other. */
  readonly circumstances: readonly CircumstanceRow[];
  /** What `self`, `total` and `whole` are judged by. */
  readonly metrics: MeasuredMetrics;
  /** How runs must repeat to show the change of a function that was seen, and one of 5 %. */
  readonly advice: (metric: Metric, func: number) => Advice | null;
}

/** A capture of one side, measured, matched and normalised. */
export interface ComparedSide {
  readonly captures: readonly MeasuredCapture[];
  readonly factors: readonly CaptureFactor[];
  /** By capture: from functions of its view to those of the comparison. */
  readonly functions: readonly Int32Array[];
  /** By capture: all its weight, normalised. */
  readonly totals: readonly number[];
}
