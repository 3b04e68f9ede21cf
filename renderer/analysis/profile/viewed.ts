import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import { functionStats, functionStatsOfTree } from '#core/analyze/tables/function-stats.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { resolveTransforms } from '#core/analyze/transforms/resolve-transforms.ts';
import type { PatternRunner } from '#core/analyze/transforms/resolve-transforms.ts';
import { functionNames } from '#core/analyze/search.ts';
import { heaviestFirst } from '#core/analyze/tree/sibling-order.ts';
import type { SiblingOrder } from '#core/analyze/tree/sibling-order.ts';
import type { CallTree, FunctionStats, Selection, StackView } from '#core/analyze/view/stack-view.ts';
import type { ResolvedTransforms } from '#core/analyze/transforms/transforms.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import type { Profile } from '#core/model/profile.ts';
import type { TreeChoice, ViewQuestion } from './protocol.ts';

/** What selection and transforms make; trees of it are made as they are asked for. */
export interface Viewed {
  /** See {@link keyOf}. */
  readonly key: string;
  readonly view: StackView;
  readonly stats: FunctionStats;
  readonly transforms: readonly NamedTransform[];
  readonly resolved: ResolvedTransforms;
  readonly selection: Selection;
  /** The newest of each direction: one in another order takes its place. */
  readonly trees: Map<CallTree['direction'], OrderedTree>;
  /** By function index, as patterns take them. */
  readonly names: readonly string[];
}

interface OrderedTree {
  readonly siblings: SiblingOrder;
  readonly tree: CallTree;
}

export type Question = Pick<ViewQuestion, 'selection' | 'transforms' | 'tree'>;

/** Makes what is asked for, the tree included. `pause`: between steps; throws to end it. */
export type Look = (question: Question, pause: () => Promise<void>) => Promise<Viewed>;

/** Equal for questions that differ by their trees only. */
export const keyOf = ({ selection, transforms }: Omit<Question, 'tree'>): string =>
  JSON.stringify([selection, transforms]);

/** `names`: the profile's, by function index; `patterns`: runs those of transforms. */
export function createLook(profile: Profile, names: readonly string[], patterns: PatternRunner): Look {
  return async ({ selection, transforms, tree }, pause) => {
    const resolved = await resolveTransforms(profile, transforms, patterns, names);
    await pause();
    const view = buildStackView(profile, selection, resolved);
    await pause();
    const trees: Viewed['trees'] = new Map();
    const made = treeOf({ view, trees }, tree);
    await pause();
    const isTopDown = made.direction === 'top-down';
    return {
      key: keyOf({ selection, transforms }),
      view,
      stats: isTopDown ? functionStatsOfTree(view.profile.functions.length, made) : functionStats(view),
      transforms,
      resolved,
      selection,
      trees,
      names: view.profile === profile ? names : functionNames(view.profile),
    };
  };
}

/** The tree of a choice; for those that lie beside a top-down tree, that one. */
export function treeOf({ view, trees }: Pick<Viewed, 'view' | 'trees'>, choice: TreeChoice): CallTree {
  const direction = choice.kind === 'bottom-up' ? 'bottom-up' : 'top-down';
  const siblings = choice.kind === direction ? (choice.siblings ?? 'name') : 'name';
  const known = trees.get(direction);
  if (known?.siblings === siblings) return known.tree;
  const byName = known?.siblings === 'name' ? known.tree : buildCallTree(view, direction);
  const tree = siblings === 'name' ? byName : heaviestFirst(byName);
  trees.set(direction, { siblings, tree });
  return tree;
}
