import type { GateDecision } from './interim-looks.ts';
import type { Judged } from './judge.ts';
import type { ChangedLines, Commit } from './repository.ts';
import type { GateRun } from './gate-state.ts';

/** A benchmark's result. */
export interface BenchmarkOutcome extends Judged {
  readonly name: string;
  readonly decision: GateDecision;
  /** Runs of each side. */
  readonly pairs: number;
  /** Number of looks at the runs. */
  readonly looked: number;
  readonly experimentId: string;
}

/** The result of the gate. */
export interface GateOutcome {
  readonly benchmarks: readonly BenchmarkOutcome[];
  /** Null if two programs were given. */
  readonly commits: { readonly base: Commit; readonly head: Commit } | null;
  readonly changed: readonly ChangedLines[];
  /** Address of the head's files at the code host; null if it is not known. */
  readonly files: string | null;
  readonly isSelfTest: boolean;
  /** Owners of functions beyond a limit, by name. */
  readonly owners: ReadonlyMap<string, string>;
  /** Earlier runs on a runner like this one, and these. */
  readonly runs: readonly GateRun[];
  /** Sentences about what was not measured. */
  readonly notes: readonly string[];
}

const ORDER: readonly GateDecision[] = ['failed', 'inconclusive', 'passed'];

/** The worst of the benchmarks. */
export const decisionOf = ({ benchmarks }: GateOutcome): GateDecision =>
  ORDER.find((decision) => benchmarks.some((one) => one.decision === decision)) ?? 'passed';
