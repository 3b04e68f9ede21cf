import type { FoundComparison } from './answer.ts';
import type { CompareAudit, SideAudit } from './protocol.ts';
import type { Side } from '#core/contract/side.ts';

/**
 * Returns the weights of a comparison, each summed from a different source, so that they can be checked against one
 * another.
 */
export function auditComparison({ comparison: { self, whole }, trees: { tree } }: FoundComparison): CompareAudit {
  // Stacks without frames belong to no function.
  const without = { before: tree.before.self[0]!, after: tree.after.self[0]! };
  const side = (name: Side): SideAudit => ({
    graph: tree[name].total[0]!,
    table: self.reduce((sum, judgement) => sum + judgement[name], without[name]),
    withoutStack: without[name],
    captures: whole[name],
  });
  return {
    before: side('before'),
    after: side('after'),
    selfDelta: self.reduce((sum, { delta }) => sum + delta, without.after - without.before),
    totalDelta: whole.delta,
  };
}

/** Largest relative difference that rounding causes when the same numbers are summed in another order. */
const ROUNDING = 1e-9;

/** Returns one line per contradiction between the weights of a comparison; empty if they agree. */
export function compareAuditFailures({ before, after, selfDelta, totalDelta }: CompareAudit): string[] {
  const magnitude = Math.max(Math.abs(before.captures), Math.abs(after.captures));
  const differ = (a: number, b: number): boolean => !(Math.abs(a - b) <= ROUNDING * magnitude);
  const ofSide = (name: Side, { graph, table, captures }: SideAudit): string[] => [
    ...(differ(graph, captures) ? [`the graph of ${name} sums to ${graph}, its captures to ${captures}`] : []),
    ...(differ(table, captures) ? [`the functions of ${name} sum to ${table}, its captures to ${captures}`] : []),
  ];
  return [
    ...ofSide('before', before),
    ...ofSide('after', after),
    ...(differ(selfDelta, totalDelta) ? [`self deltas sum to ${selfDelta}, the whole's delta is ${totalDelta}`] : []),
  ];
}
