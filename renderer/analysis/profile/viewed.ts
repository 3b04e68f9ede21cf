import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import { functionStats, functionStatsOfTree } from '#core/analyze/tables/function-stats.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { transformProfile, type TransformedProfile } from '#core/analyze/transforms/transform-profile.ts';
import type { PatternRunner } from '#core/analyze/transforms/resolve-transforms.ts';
import { functionNames } from '#core/analyze/search.ts';
import { heaviestFirst, usualOrder, type SiblingOrder } from '#core/analyze/tree/sibling-order.ts';
import type { CallTree, FunctionStats, Selection, StackView } from '#core/analyze/view/stack-view.ts';
import type { ResolvedTransforms } from '#core/analyze/view/transforms.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import type { Profile } from '#core/model/profile.ts';
import type { TreeChoice, ViewQuestion } from './protocol.ts';

/** The result of selection and transforms; trees are built on first use. */
export interface Viewed {
  /** See {@link viewKey}. */
  readonly key: string;
  readonly view: StackView;
  readonly stats: FunctionStats;
  readonly transforms: readonly NamedTransform[];
  /** As the transforms read it. */
  readonly profile: Profile;
  readonly resolved: ResolvedTransforms;
  readonly selection: Selection;
  /** The most recent tree of each direction; a tree in another order replaces it. */
  readonly trees: Map<CallTree['direction'], OrderedTree>;
  /** Function names by index, in the form that patterns take. */
  readonly names: readonly string[];
}

interface OrderedTree {
  readonly siblings: SiblingOrder;
  readonly tree: CallTree;
}

export type Question = Pick<ViewQuestion, 'selection' | 'transforms' | 'tree'>;

/** Builds the requested view, including its tree. `pause` runs between steps and throws to cancel. */
type MakeViewed = (question: Question, pause: () => Promise<void>) => Promise<Viewed>;

/** Returns the same key for questions that differ only in their tree. */
export const viewKey = ({ selection, transforms }: Omit<Question, 'tree'>): string =>
  JSON.stringify([selection, transforms]);

/**
 * Creates the builder. `names` holds the profile's function names by index; `patterns` runs the patterns of transforms.
 */
export function createLook(recorded: Profile, names: readonly string[], patterns: PatternRunner): MakeViewed {
  let before: TransformedProfile | null = null;
  return async ({ selection, transforms, tree }, pause) => {
    const transformed = await transformProfile(recorded, transforms, patterns, names, before);
    before = transformed;
    const { profile, resolved } = transformed;
    await pause();
    const view = buildStackView(profile, selection, resolved);
    await pause();
    const trees: Viewed['trees'] = new Map();
    const made = treeOf({ view, trees }, tree);
    await pause();
    const isTopDown = made.direction === 'top-down';
    return {
      key: viewKey({ selection, transforms }),
      view,
      stats: isTopDown ? functionStatsOfTree(view.profile.functions.length, made) : functionStats(view),
      transforms,
      profile,
      resolved,
      selection,
      trees,
      names: view.profile === recorded ? names : functionNames(view.profile),
    };
  };
}

/** Returns the tree for a choice. Time-ordered and sandwich choices return the top-down tree. */
export function treeOf({ view, trees }: Pick<Viewed, 'view' | 'trees'>, choice: TreeChoice): CallTree {
  const direction = choice.kind === 'bottom-up' ? 'bottom-up' : 'top-down';
  const siblings = choice.kind === direction ? (choice.siblings ?? usualOrder(direction)) : 'name';
  const known = trees.get(direction);
  if (known?.siblings === siblings) return known.tree;
  const byName = known?.siblings === 'name' ? known.tree : buildCallTree(view, direction);
  const tree = siblings === 'name' ? byName : heaviestFirst(byName);
  trees.set(direction, { siblings, tree });
  return tree;
}
