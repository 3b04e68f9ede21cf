import type { ValueTypeName } from '#core/compare/measure/common-value-type.ts';
import type { TimeRange } from '#core/analyze/time/time-grid.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { TransformPreview } from '#core/analyze/transforms/preview-transform.ts';
import type { CaptureFacts, Normalisation } from '#core/compare/measure/capture-facts.ts';
import type { CircumstanceRow } from '#core/compare/circumstances.ts';
import type { CompareWarning } from '#core/compare/compare-refusal.ts';
import type { DeltaWidth } from '#core/compare/delta-tree.ts';
import { WITHHELD, type Judgement, type Presence } from '#core/compare/statistics/judge.ts';
import type { ShownVerdict } from '#core/compare/verdict-words.ts';
import type { RuleMerges } from '#core/compare/match/match-functions.ts';
import type { ProgramPair } from '#core/compare/match/match-programs.ts';
import type { MatchRules } from '#core/compare/match/match-rules.ts';
import type { Normalised } from '#core/compare/measure/normalise.ts';
import type { CaptureFactsFound } from '#core/compare/measure/read-facts.ts';
import type { TestMethod } from '#core/compare/statistics/test-row.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { DeltaColumns, FlameSlice, FrameDelta, PathEntry } from '#core/analyze/graph/flame-slice.ts';
import type { FoundPlaces } from '../methods.ts';
import type { FunctionNames, OpenedProfile } from '../profile/protocol.ts';

/** What a comparison's worker is asked about, and what it answers; `methods.ts` beside it has the requests. */

export type SideName = 'before' | 'after';

/** A capture that was read. Functions stay in the worker: those of the comparison are others. */
export interface OpenedCapture extends Omit<OpenedProfile, 'functions'>, CaptureFactsFound {
  /** What the worker calls it from now on. */
  readonly capture: number;
}

/** What of a side's captures is looked at. */
export interface SideChoice {
  /** Null: what suits both sides. A capture without it takes one of its unit's dimension, else its own default. */
  readonly valueType: ValueTypeName | null;
  /** By name, since numbers differ from run to run; null: all. */
  readonly threads: readonly string[] | null;
  /** Nanoseconds after the origin of each capture; null: all. */
  readonly timeRange: TimeRange | null;
}

export interface SideQuestion extends SideChoice {
  /** At least one, in order. */
  readonly captures: readonly { readonly capture: number; readonly requests: number | null }[];
}

export interface CompareQuestion {
  readonly before: SideQuestion;
  readonly after: SideQuestion;
  /** Null: the default. */
  readonly normalisation: Normalisation | null;
  readonly rules: MatchRules;
  /** Applied to all captures. */
  readonly transforms: readonly NamedTransform[];
}

/** Verdicts by their code in {@link JudgedRows} and {@link CompareSlice}. */
export const VERDICTS: readonly ShownVerdict[] = [
  'not-tested',
  'noise',
  'unknown',
  ...WITHHELD,
  'suggestive',
  'shrank',
  'grew',
];
export const PRESENCES = ['both', 'only-before', 'only-after'] as const satisfies readonly Presence[];
export const METHODS = [
  'none',
  'within-run',
  'conditional-binomial',
  'welch',
  'paired',
] as const satisfies readonly TestMethod[];

/** Judgements in columns; NaN stands for null. By function of the comparison. */
export interface JudgedRows {
  readonly length: number;
  readonly before: Float64Array;
  readonly after: Float64Array;
  readonly delta: Float64Array;
  readonly relative: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly level: Float64Array;
  readonly p: Float64Array;
  readonly q: Float64Array;
  /** → {@link METHODS} */
  readonly method: Uint8Array;
  /** → {@link VERDICTS} */
  readonly verdict: Uint8Array;
  /** → {@link PRESENCES} */
  readonly presence: Uint8Array;
}

/** One capture within a comparison. */
export interface ComparedCaptureRow {
  readonly capture: number;
  /** Of the selected time. */
  readonly facts: CaptureFacts;
  readonly valueType: ValueTypeName;
  /** In its own unit, after transforms. */
  readonly weight: number;
  /** All its weight, normalised. */
  readonly value: number;
  readonly sampleCount: number;
  /** Hidden by transforms, in its own unit. */
  readonly hidden: number;
  /** Samples that the time range left out because they have no time. */
  readonly withoutTime: number;
  /** It has none of the threads that were chosen. */
  readonly lacksThreads: boolean;
  /** Of a host that only one side has: it counts for nothing. */
  readonly leftOut: boolean;
}

export interface ComparedSideRows {
  readonly captures: readonly ComparedCaptureRow[];
  /** Normalised mean of the captures that count: the root of the side's tree. */
  readonly total: number;
  readonly sampleCount: number;
}

/** Whether a normalisation could be chosen; the reason where not. */
export interface NormalisationChoice {
  readonly kind: Normalisation;
  readonly refusal: string | null;
}

/** What a comparison found. Weights are normalised. */
export interface Compared extends FoundPlaces {
  readonly revision: number;
  readonly before: ComparedSideRows;
  readonly after: ComparedSideRows;
  /** Those of both sides, as matched. */
  readonly functions: FunctionNames;
  readonly self: JudgedRows;
  readonly total: JudgedRows;
  /** The captures as wholes. */
  readonly whole: Judgement;
  readonly normalised: Pick<Normalised, 'kind' | 'isDefault' | 'formula' | 'divisors' | 'unit'>;
  readonly normalisations: readonly NormalisationChoice[];
  /** At least three captures a side on a shared host: verdicts can be more than suggestive. */
  readonly isReplicated: boolean;
  /** The differences of hosts are the replicates. */
  readonly isPaired: boolean;
  /** False: nothing is called grew or shrank. */
  readonly sharesHost: boolean;
  readonly warnings: readonly CompareWarning[];
  readonly circumstances: readonly CircumstanceRow[];
  readonly merges: readonly RuleMerges[];
  /** What the rule for builds of one program looked at. */
  readonly programs: readonly ProgramPair[];
  /** → functions */
  readonly onlyBefore: readonly number[];
  readonly onlyAfter: readonly number[];
  /** By transform: what it found in all captures together; null where it is switched off. */
  readonly found: readonly (number | null)[];
  /** Rows of the union tree, its depth below the root, and its root's total by what widths show. */
  readonly tree: {
    readonly length: number;
    readonly maxDepth: number;
    readonly totals: Readonly<Record<DeltaWidth, number>>;
  };
  /** Call paths that were tested, and those that would have been, were they not beyond the number that is. */
  readonly paths: { readonly tested: number; readonly untested: number };
}

/** The union of both sides' call paths, in one width. `shared`: on the scale of both sides, whatever has more of the root fills the width. */
export interface UnionTree {
  readonly kind: 'union';
  readonly width: DeltaWidth;
  readonly shared: boolean;
}

/** A slice of the union tree in one width: row for row what both sides have there. */
export interface CompareSlice extends FlameSlice {
  /** Of a filler: sums over the rows it stands for. Verdicts are of paths, the root's is that of the whole; `not-tested` for fillers. */
  readonly deltas: DeltaColumns;
}

/** One frame of a path, with what both sides have of it. */
export interface ComparePathEntry extends PathEntry {
  readonly delta: FrameDelta;
}

/** What a transform would do, in all captures together. */
export interface ComparePreview extends TransformPreview {
  /** The side that alone has nothing of what it is about; null: both have some, or neither. */
  readonly missing: SideName | null;
}

/** One call path, for what is pointed at. */
export interface PathDetail {
  readonly node: CallNodeIndex;
  /** Null at the tree's root. */
  readonly func: FunctionIndex | null;
  /** Below `root` of the question; null where it is not under it. */
  readonly depth: number | null;
  /** Weight left of it within the whole tree, by what widths show: where it would be in a side that lacks it. */
  readonly starts: Readonly<Record<DeltaWidth, number>>;
  /** Its marginal interval; `verdict` is that of `tested` where it was tested. */
  readonly judgement: Judgement;
  /** Null where it was not tested; see `judgePaths`. */
  readonly tested: Judgement | null;
  readonly selfBefore: number;
  readonly selfAfter: number;
}

/** Weights that must agree, each summed from another place; normalised. */
export interface CompareAudit {
  readonly before: SideAudit;
  readonly after: SideAudit;
  /** Sum of self deltas of the function table, and of stacks without frames. */
  readonly selfDelta: number;
  /** Delta of the whole. */
  readonly totalDelta: number;
}

export interface SideAudit {
  /** Of the union tree's root. */
  readonly graph: number;
  /** Self of the function table plus `withoutStack`. */
  readonly table: number;
  readonly withoutStack: number;
  /** Of the captures as wholes. */
  readonly captures: number;
}

export interface CompareMatches {
  /** 1 per matching function, by function index. */
  readonly flags: Uint8Array;
  readonly functions: number;
  /** Weight of the stacks that hold a match. */
  readonly before: number;
  readonly after: number;
}

/** What a user's rule would do to the functions of a comparison. */
export interface RulePreview {
  readonly changed: number;
  /** Those of them that would become one with another function. */
  readonly merged: number;
  /** The first of them. */
  readonly examples: readonly { readonly from: string; readonly to: string; readonly isMerged: boolean }[];
}
