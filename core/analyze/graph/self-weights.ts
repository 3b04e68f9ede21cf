import type { NamedFunctions } from '#core/analyze/function-ref.ts';
import type { SelfWeights } from '#core/analyze/graph/flame-slice.ts';
import { functionFacts } from '#core/model/function-facts.ts';
import type { CallTree } from '#core/analyze/view/stack-view.ts';
import type { CallNodeIndex } from '#core/model/brand.ts';
import { finish, inPieces, type Steps } from '../../steps.ts';
import { legendGroup, neutralColour, type ColourScheme } from '../../colour/frame-colour.ts';

/** Label of the weight that is in no frame: samples without a stack, and gaps of a time-ordered tree. */
const NO_STACK = '(no stack)';
/** Functions that a piece assigns to groups, which tests patterns. */
const PIECE_FUNCTIONS = 1024;

/**
 * Splits the total of `root` by colour group: top-down by the functions in which stacks end, bottom-up by the frames of
 * the first row. The weights add up to the total; groups whose frames only pass weight on have 0. Linear in the nodes
 * below `root`.
 */
export function selfWeights(names: NamedFunctions, tree: CallTree, root: number, scheme: ColourScheme): SelfWeights {
  return finish(selfWeightSteps(names, tree, root, scheme));
}

/** Like {@link selfWeights}, in pieces. */
export function* selfWeightSteps(
  names: NamedFunctions,
  tree: CallTree,
  root: number,
  scheme: ColourScheme,
): Steps<SelfWeights> {
  const weights = new Map<number, number>();
  const add = (func: number, weight: number): void => void weights.set(func, (weights.get(func) ?? 0) + weight);
  const end = tree.end[root]!;
  const isTopDown = tree.direction === 'top-down';
  let hottest = root;
  yield* inPieces(end - root, (first, after) => {
    for (let node = root + first; node < root + after; node++) {
      const isFirstRow = tree.parent[node] === root && node !== root;
      const ofFirstRow = isFirstRow ? tree.total[node]! : node === root ? tree.self[node]! : 0;
      add(tree.func[node]!, isTopDown ? tree.self[node]! : ofFirstRow);
      if (tree.self[node]! > tree.self[hottest]! || tree.func[hottest]! < 0) hottest = node;
    }
  });
  const groups = new Map<string, { label: string; colour: string; weight: number }>();
  let place = 0;
  for (const [func, weight] of weights) {
    if (place++ % PIECE_FUNCTIONS === 0) yield;
    if (func < 0 && weight === 0) continue;
    const group =
      func < 0
        ? { label: NO_STACK, colour: neutralColour(scheme.theme) }
        : legendGroup(functionFacts(names, func), scheme);
    const key = `${group.label}\u0000${group.colour}`;
    const entry = groups.get(key) ?? { ...group, weight: 0 };
    entry.weight += weight;
    groups.set(key, entry);
  }
  const isByTime = tree.start !== undefined;
  return {
    groups: [...groups.values()].sort((a, b) => b.weight - a.weight),
    hottest: isTopDown && !isByTime && tree.func[hottest]! >= 0 ? (hottest as CallNodeIndex) : null,
  };
}
