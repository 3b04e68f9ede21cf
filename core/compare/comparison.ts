import type { Advice } from './statistics/advise-runs.ts';
import type { CaptureFactor } from './measure/capture-facts.ts';
import type { CircumstanceRow } from './circumstances.ts';
import type { Metric } from './statistics/judge.ts';
import type { CompareWarning } from './compare-warning.ts';
import type { SizedMetrics } from './statistics/judge-by-size.ts';
import type { MatchedFunctions } from './match/match-functions.ts';
import type { MeasuredCapture } from './measure/measured-capture.ts';
import type { Normalised } from './normalise.ts';

export interface Comparison extends Omit<SizedMetrics, 'divisors'> {
  readonly before: ComparedSide;
  readonly after: ComparedSide;
  /** `self` and `total` are indexed by function of `matched.table`. */
  readonly matched: MatchedFunctions;
  readonly normalised: Normalised;
  /** Growth sorts before everything that shrank, because the weights count what exists: goroutines. */
  readonly growthFirst: boolean;
  readonly warnings: readonly CompareWarning[];
  /** How the recording circumstances of the sides compare. */
  readonly circumstances: readonly CircumstanceRow[];
  /** Returns the number of runs needed to detect the function's observed change, and a change of 5 %. */
  readonly advice: (metric: Metric, func: number) => Advice | null;
}

/** The captures of one side: measured, matched and normalised. */
export interface ComparedSide {
  readonly captures: readonly MeasuredCapture[];
  readonly factors: readonly CaptureFactor[];
  /** By capture: maps functions of its view to those of the comparison. */
  readonly functions: readonly Int32Array[];
  /** By capture: its whole normalised weight. */
  readonly totals: readonly number[];
  /** The captures (by index) of each replicate; the metrics and the design are by replicate. */
  readonly replicates: readonly (readonly number[])[];
  /** By capture: its part in the side's means, in which all hosts count the same, and so do all runs of a host; 0: left out. */
  readonly parts: Float64Array;
}

/** The steps of a comparison in order; `tree` is `buildDeltaTree`, `paths` is `judgePaths`. */
export type CompareStep = 'measure' | 'match' | 'test' | 'tree' | 'paths';

/**
 * Called before each piece of work, which is at most one capture. `done` is the completed part of the step, 0 to 1. An
 * exception that it throws ends the work and is passed on unchanged.
 */
export type OnStep = (step: CompareStep, done: number) => void;

/** Like {@link OnStep}, but the work waits for it, so that a thread can receive a request to stop. */
export type OnAwaitedStep = (step: CompareStep, done: number) => void | Promise<void>;
