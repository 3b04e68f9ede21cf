import type { FoundComparison } from './answer.ts';
import type { CompareAudit, SideAudit, SideName } from './protocol.ts';

/** Weights of a comparison, each summed from another place. */
export function auditComparison({ comparison: { self, whole }, trees: { tree } }: FoundComparison): CompareAudit {
  // Of stacks without frames, which are in no function.
  const without = { before: tree.before.self[0]!, after: tree.after.self[0]! };
  const side = (name: SideName): SideAudit => ({
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

/** Sums of the same numbers in another order differ by rounding, by no more than this share. */
const ROUNDING = 1e-9;

/** Where the weights of a comparison contradict one another, each in one line; empty where they don't. */
export function compareAuditFailures({ before, after, selfDelta, totalDelta }: CompareAudit): string[] {
  const magnitude = Math.max(Math.abs(before.captures), Math.abs(after.captures));
  const differ = (a: number, b: number): boolean => !(Math.abs(a - b) <= ROUNDING * magnitude);
  const ofSide = (name: SideName, { graph, table, captures }: SideAudit): string[] => [
    ...(differ(graph, captures) ? [`the graph of ${name} sums to ${graph}, its captures to ${captures}`] : []),
    ...(differ(table, captures) ? [`the functions of ${name} sum to ${table}, its captures to ${captures}`] : []),
  ];
  return [
    ...ofSide('before', before),
    ...ofSide('after', after),
    ...(differ(selfDelta, totalDelta) ? [`self deltas sum to ${selfDelta}, the whole's delta is ${totalDelta}`] : []),
  ];
}
