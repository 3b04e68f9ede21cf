import { CompareRefusal } from '#core/model/failure.ts';
import { NORMALISATIONS } from '#core/contract/normalisation.ts';
import type { Side } from '#core/contract/side.ts';
import type { Comparison } from '#core/compare/comparison.ts';
import type { PathJudgements } from '#core/compare/judge-paths.ts';
import { weighed } from '#core/compare/compare-functions.ts';
import { COLUMN } from '#core/compare/measure/measure-capture.ts';
import { normalise } from '#core/compare/normalise.ts';
import { judgedRows } from '#core/compare/judged-rows.ts';
import { runCounts } from '#core/compare/verdict-words.ts';
import type { Compared, ComparedCaptureRow, ComparedSideRows, NormalisationOption } from './protocol.ts';
import type { CompareParams } from './methods.ts';
import type { CompareTrees } from './slices.ts';
import { functionNamesOf } from '../profile/describe-profile.ts';
import { findPlaces } from '../tree-places.ts';

/** Holds a comparison and the parameters that produced it. */
export interface FoundComparison {
  readonly params: CompareParams;
  readonly comparison: Comparison;
  readonly trees: CompareTrees;
  readonly paths: PathJudgements;
  /** How many matches each transform found in all captures together, by transform; null if it is switched off. */
  readonly found: readonly (number | null)[];
}

/** Returns a comparison in the form that the window shows. */
export function describeComparison({ params, comparison, trees, paths, found }: FoundComparison): Compared {
  const { matched, normalised, design } = comparison;
  const { tree, table } = trees;
  const union = trees.width('union').tree;
  const { kind, isDefault, formula, divisors, unit, isRelative } = normalised;
  return {
    revision: params.revision,
    before: sideRows('before', params, comparison, trees),
    after: sideRows('after', params, comparison, trees),
    functions: functionNamesOf(table),
    self: judgedRows(comparison.self),
    total: judgedRows(comparison.total),
    whole: comparison.whole,
    normalised: { kind, isDefault, formula, divisors, unit, ...(isRelative === true ? { isRelative } : {}) },
    sizes: comparison.sizes,
    growthFirst: comparison.growthFirst,
    normalisations: normalisationChoices(comparison),
    isReplicated: design.isReplicated,
    isPaired: design.isPaired,
    sharesHost: design.sharesHost,
    runs: runCounts(design),
    warnings: comparison.warnings,
    circumstances: comparison.circumstances,
    merges: matched.merges,
    programs: matched.programs,
    onlyBefore: matched.onlyBefore,
    onlyAfter: matched.onlyAfter,
    found,
    tree: {
      length: tree.length,
      maxDepth: tree.depth.reduce((deepest, depth) => Math.max(deepest, depth), 0),
      totals: { before: tree.before.total[0]!, after: tree.after.total[0]!, union: union.total[0]! },
    },
    paths: { tested: paths.tested.length, untested: paths.untested },
    ...findPlaces({ table, tree: union, steps: [] }, params),
  };
}

function sideRows(side: Side, params: CompareParams, comparison: Comparison, { tree }: CompareTrees): ComparedSideRows {
  const { captures, totals, parts } = comparison[side];
  const rows = captures.map(({ view, facts, valueType, whole }, place): ComparedCaptureRow => {
    const { capture } = params[side].captures[place]!;
    return {
      capture,
      facts,
      valueType: { type: valueType.type, unit: valueType.unit },
      weight: whole[COLUMN.weight]!,
      value: totals[place]!,
      sampleCount: view.sampleCount,
      hidden: view.hidden,
      withoutTime: view.withoutTime,
      lacksThreads: view.selection.threads?.length === 0,
      leftOut: parts[place] === 0,
    };
  });
  return {
    captures: rows,
    total: tree[side].total[0]!,
    sampleCount: rows.reduce((sum, { sampleCount }) => sum + sampleCount, 0),
  };
}

function normalisationChoices({ before, after }: Comparison): NormalisationOption[] {
  const sides = [before.captures.map(weighed), after.captures.map(weighed)] as const;
  return NORMALISATIONS.map((kind) => {
    try {
      normalise(...sides, kind);
      return { kind, refusal: null };
    } catch (error) {
      if (error instanceof CompareRefusal) return { kind, refusal: error.message };
      throw error;
    }
  });
}
