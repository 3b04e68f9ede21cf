import { selectedWeights } from '#core/analyze/view/selected-weights.ts';
import type { CallTree, FunctionStats, StackView } from '#core/analyze/view/stack-view.ts';
import type { Profile } from '#core/model/profile.ts';
import type { Audit } from './protocol.ts';

/** Returns a view's weights, each summed from a different source; the selected weight is summed from the samples. */
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

/** Largest relative difference that rounding causes when the same numbers are summed in another order. */
const ROUNDING = 1e-9;

/** Returns one line per contradiction between the weights of a view; empty if they agree. */
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
