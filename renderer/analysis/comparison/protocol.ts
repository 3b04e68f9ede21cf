import type { ValueTypeName } from '#core/compare/measure/common-value-type.ts';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { TransformPreview } from '#core/analyze/transforms/preview-transform.ts';
import type { Normalisation } from '#core/contract/normalisation.ts';
import type { Side } from '#core/contract/side.ts';
import type { CaptureFacts } from '#core/compare/measure/capture-facts.ts';
import type { CircumstanceRow } from '#core/compare/circumstances.ts';
import type { CompareWarning } from '#core/compare/compare-warning.ts';
import type { DeltaWidth } from '#core/compare/delta-tree.ts';
import type { JudgedRows } from '#core/compare/judged-rows.ts';
import type { Judgement } from '#core/compare/statistics/judge.ts';
import type { Sizes } from '#core/compare/statistics/judge-by-size.ts';
import type { RuleMerges } from '#core/compare/match/match-functions.ts';
import type { ProgramPair } from '#core/compare/match/match-programs.ts';
import type { RunCounts } from '#core/compare/verdict-words.ts';
import type { MatchRules } from '#core/compare/match/match-rules.ts';
import type { Normalised } from '#core/compare/normalise.ts';
import type { CaptureFactsFound } from '#core/compare/measure/read-facts.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { DeltaColumns, FlameSlice, FrameDelta, PathEntry } from '#core/analyze/graph/flame-slice.ts';
import type { FoundPlaces } from '../methods.ts';
import type { FunctionNames, OpenedProfile } from '../profile/protocol.ts';

/** Types of the questions to a comparison's worker and of its answers; `methods.ts` lists the requests. */

/**
 * Describes a capture that was read. Its functions stay in the worker, because a comparison has its own function table.
 */
export interface OpenedCapture extends Omit<OpenedProfile, 'functions'>, CaptureFactsFound {
  /** The number by which the worker refers to the capture. */
  readonly capture: number;
}

/** Selects the part of a side's captures to compare. */
export interface SideChoice {
  /**
   * Null selects a value type that both sides have. A capture without the type uses one with a unit of the same
   * dimension, else its default.
   */
  readonly valueType: ValueTypeName | null;
  /** Thread names, because thread IDs differ from run to run; null selects all threads. */
  readonly threads: readonly string[] | null;
  /** In nanoseconds after each capture's origin; null selects the whole capture. */
  readonly timeRange: TimeRange | null;
}

export interface SideQuestion extends SideChoice {
  /** At least one capture, in order. */
  readonly captures: readonly {
    readonly capture: number;
    readonly requests: number | null;
    /** See `CompareInput`. */
    readonly size?: number;
  }[];
}

export interface CompareQuestion {
  readonly before: SideQuestion;
  readonly after: SideQuestion;
  /** Null selects the default. */
  readonly normalisation: Normalisation | null;
  readonly rules: MatchRules;
  /** See `compareFunctions`. */
  readonly asMeasured?: boolean;
  /** Transforms applied to all captures. */
  readonly transforms: readonly NamedTransform[];
}

/** Describes one capture within a comparison. */
export interface ComparedCaptureRow {
  readonly capture: number;
  /** Facts about the selected time range. */
  readonly facts: CaptureFacts;
  readonly valueType: ValueTypeName;
  /** Weight after transforms, in the capture's own unit. */
  readonly weight: number;
  /** Normalised weight. */
  readonly value: number;
  readonly sampleCount: number;
  /** Weight that transforms hide, in the capture's own unit. */
  readonly hidden: number;
  /** Number of samples excluded by the time range because they have no timestamp. */
  readonly withoutTime: number;
  /** True if the capture has none of the selected threads. */
  readonly lacksThreads: boolean;
  /** True if only one side has captures of this host; the capture is excluded from the comparison. */
  readonly leftOut: boolean;
}

export interface ComparedSideRows {
  readonly captures: readonly ComparedCaptureRow[];
  /** Normalised mean of the captures that are included; equals the root of the side's tree. */
  readonly total: number;
  readonly sampleCount: number;
}

/** Says whether a normalisation is available, and if not, why. */
export interface NormalisationOption {
  readonly kind: Normalisation;
  readonly refusal: string | null;
}

/** The result of a comparison. Weights are normalised. */
export interface Compared extends FoundPlaces {
  readonly revision: number;
  readonly before: ComparedSideRows;
  readonly after: ComparedSideRows;
  /** Matched functions of both sides. */
  readonly functions: FunctionNames;
  readonly self: JudgedRows;
  readonly total: JudgedRows;
  /** The judgement of the captures as a whole. */
  readonly whole: Judgement;
  readonly normalised: Pick<Normalised, 'kind' | 'isDefault' | 'formula' | 'divisors' | 'unit' | 'isRelative'>;
  /** Size factors of the sides; null if values have a unit of work. */
  readonly sizes: Sizes | null;
  /** Growth sorts before everything that shrank. */
  readonly growthFirst: boolean;
  readonly normalisations: readonly NormalisationOption[];
  /** True if each side has at least three captures on a shared host, which a verdict other than *maybe* requires. */
  readonly isReplicated: boolean;
  /** True if the replicates are the differences per host. */
  readonly isPaired: boolean;
  /** If false, no change is called grew or shrank. */
  readonly sharesHost: boolean;
  readonly runs: RunCounts;
  readonly warnings: readonly CompareWarning[];
  readonly circumstances: readonly CircumstanceRow[];
  readonly merges: readonly RuleMerges[];
  /** Pairs of programs considered by the rule that matches builds of one program. */
  readonly programs: readonly ProgramPair[];
  /** Function indices. */
  readonly onlyBefore: readonly number[];
  readonly onlyAfter: readonly number[];
  /** How many matches each transform found in all captures together, by transform; null if it is switched off. */
  readonly found: readonly (number | null)[];
  /** The union tree: its number of rows, its depth below the root, and the root's total for each width. */
  readonly tree: {
    readonly length: number;
    readonly maxDepth: number;
    readonly totals: Readonly<Record<DeltaWidth, number>>;
  };
  /** Number of call paths that were tested, and of those skipped because the limit was reached. */
  readonly paths: { readonly tested: number; readonly untested: number };
}

/**
 * The union of both sides' call paths, drawn in one width. With `shared`, both sides use one scale, in which the root
 * with the larger total fills the width.
 */
export interface UnionTree {
  readonly kind: 'union';
  readonly width: DeltaWidth;
  readonly shared: boolean;
}

/** A slice of the union tree in one width, with both sides' weights for each row. */
export interface CompareSlice extends FlameSlice {
  /**
   * Deltas per row; a filler's are the sums over the rows that it replaces. Verdicts are those of paths, except that
   * the root has the verdict of the whole; fillers are `not-tested`.
   */
  readonly deltas: DeltaColumns;
}

/** One frame of a path, with the weights of both sides. */
export interface ComparePathEntry extends PathEntry {
  readonly delta: FrameDelta;
}

/** Describes the effect of a transform on all captures together. */
export interface ComparePreview extends TransformPreview {
  /** The side on which the transform matches nothing while the other side has matches; null otherwise. */
  readonly missing: Side | null;
}

/** Details of one call path, for the tooltip. */
export interface PathDetail {
  readonly node: CallNodeIndex;
  /** Null for the tree's root. */
  readonly func: FunctionIndex | null;
  /** Depth below the requested `root`; null if the node is not under it. */
  readonly depth: number | null;
  /**
   * Weight to the left of the node within the whole tree, by width. On a side that lacks the node, it is where the node
   * would be.
   */
  readonly starts: Readonly<Record<DeltaWidth, number>>;
  /** Judgement with a marginal interval; its `verdict` is taken from `tested` if the path was tested. */
  readonly judgement: Judgement;
  /** Null if the path was not tested; see `judgePaths`. */
  readonly tested: Judgement | null;
  readonly selfBefore: number;
  readonly selfAfter: number;
}

/** Normalised weights that must agree, each summed from a different source. */
export interface CompareAudit {
  readonly before: SideAudit;
  readonly after: SideAudit;
  /** Sum of the function table's self deltas and the delta of stacks without frames. */
  readonly selfDelta: number;
  /** Delta of the captures as a whole. */
  readonly totalDelta: number;
}

export interface SideAudit {
  /** Total of the union tree's root. */
  readonly graph: number;
  /** Self weights of the function table plus `withoutStack`. */
  readonly table: number;
  readonly withoutStack: number;
  /** Weight of the captures as a whole. */
  readonly captures: number;
}

export interface CompareMatches {
  /** By function index: 1 if the function matches, else 0. */
  readonly flags: Uint8Array;
  readonly functions: number;
  /** Weight of the stacks that contain a match. */
  readonly before: number;
  readonly after: number;
}

/** Describes the effect of a user's rule on the functions of a comparison. */
export interface RulePreview {
  readonly changed: number;
  /** Number of changed functions that would merge with another one. */
  readonly merged: number;
  /** The first changes, at most 50. */
  readonly examples: readonly { readonly from: string; readonly to: string; readonly isMerged: boolean }[];
}
