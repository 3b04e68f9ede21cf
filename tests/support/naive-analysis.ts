import type { SampleSketch } from './sketch-profile.ts';
import type { CallTree, StackView } from '#core/analyze/view/stack-view.ts';
import { functionLabel } from '#core/analyze/function-label.ts';

/** Obvious implementations over plain lists, with which the tests compare the real analyses. */

export const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

export const weightOf = (samples: readonly SampleSketch[]): number => sum(samples.map(({ weight }) => weight));

export function naiveSelf(samples: readonly SampleSketch[], name: string): number {
  return weightOf(samples.filter(({ stack }) => stack.at(-1) === name));
}

export function naiveTotal(samples: readonly SampleSketch[], name: string): number {
  return weightOf(samples.filter(({ stack }) => stack.includes(name)));
}

/** Adds to the stack's weight. Stacks whose functions differ only by module have the same text. */
function addTo(folded: Map<string, number>, stack: string, weight: number): void {
  folded.set(stack, (folded.get(stack) ?? 0) + weight);
}

/** Returns weights by stack (`a;b;c`), without stacks of weight 0. */
export function naiveFolded(samples: readonly SampleSketch[]): Map<string, number> {
  const folded = new Map<string, number>();
  for (const { stack, weight } of samples) {
    if (weight !== 0) addTo(folded, stack.join(';'), weight);
  }
  return folded;
}

export function viewFolded(view: StackView): Map<string, number> {
  const folded = new Map<string, number>();
  if (view.withoutStack !== 0) folded.set('', view.withoutStack);
  const paths: string[] = [];
  for (let row = 0; row < view.length; row++) {
    const caller = view.parent[row]!;
    const name = functionLabel(view.profile, view.func[row]!);
    paths[row] = caller < 0 ? name : `${paths[caller]};${name}`;
    if (view.self[row] !== 0) addTo(folded, paths[row]!, view.self[row]!);
  }
  return folded;
}

/** Returns self weights by path of a call tree, in the tree's order and without the root's name. */
export function treeFolded(tree: CallTree, view: StackView): Map<string, number> {
  const folded = new Map<string, number>();
  const paths: string[] = [''];
  if (tree.self[0] !== 0) folded.set('', tree.self[0]!);
  for (let node = 1; node < tree.length; node++) {
    const name = functionLabel(view.profile, tree.func[node]!);
    paths[node] = tree.parent[node] === 0 ? name : `${paths[tree.parent[node]!]};${name}`;
    if (tree.self[node] !== 0) addTo(folded, paths[node]!, tree.self[node]!);
  }
  return folded;
}
