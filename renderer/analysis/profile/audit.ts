import { selectedWeights } from '#core/analyze/view/selected-weights.ts';
import type { CallTree, FunctionStats, StackView } from '#core/analyze/view/stack-view.ts';
import type { Profile } from '#core/model/profile.ts';
import type { Audit } from './protocol.ts';

/** A view's weights, each summed from where it is kept; the selection's from the samples themselves. */
export function auditView(profile: Profile, view: StackView, stats: FunctionStats, tree: CallTree): Audit {
  const { weights } = selectedWeights(profile, view.selection);
  return {
    table: sum(stats.self),
    withoutStack: view.withoutStack,
    graph: tree.total[0]!,
    selected: sum(weights),
    hidden: view.hidden,
    magnitude: weights.reduce((total, weight) => total + Math.abs(weight), 0),
  };
}

/** Sums of the same numbers in another order differ by rounding, by no more than this share. */
const ROUNDING = 1e-9;

/** Where the weights of a view contradict one another, each in one line; empty where they don't. */
export function auditFailures({ table, withoutStack, graph, selected, hidden, magnitude }: Audit): string[] {
  const differ = (a: number, b: number): boolean => !(Math.abs(a - b) <= ROUNDING * Math.max(1, magnitude));
  const found: string[] = [];
  if (differ(table + withoutStack, graph)) {
    found.push(`the function table and (no stack) sum to ${table + withoutStack}, the graph to ${graph}`);
  }
  if (differ(graph, selected - hidden)) {
    found.push(`the graph sums to ${graph}, the selection minus hidden weight to ${selected - hidden}`);
  }
  return found;
}

function sum(weights: Float64Array): number {
  return weights.reduce((total, weight) => total + weight, 0);
}
