import type { CallTree, VisibleSlice } from '../view/stack-view.ts';
import type { DeltaColumns, FrameDelta } from './flame-slice.ts';

/** Returns the deltas of a slice's frames by those of the tree's nodes. A filler has the totals that it hides. */
export function sliceDeltas(
  { length, node, fillerFirst, fillerNodes }: VisibleSlice,
  { end }: Pick<CallTree, 'end'>,
  deltaOf: (node: number) => FrameDelta,
): DeltaColumns {
  const deltas = {
    before: new Float64Array(length),
    after: new Float64Array(length),
    selfBefore: new Float64Array(length),
    selfAfter: new Float64Array(length),
    verdict: new Uint8Array(length),
  };
  for (let row = 0; row < length; row++) {
    if (node[row]! >= 0) {
      const delta = deltaOf(node[row]!);
      deltas.before[row] = delta.before;
      deltas.after[row] = delta.after;
      deltas.selfBefore[row] = delta.selfBefore;
      deltas.selfAfter[row] = delta.selfAfter;
      deltas.verdict[row] = delta.verdict;
      continue;
    }
    const last = fillerFirst[row]! + fillerNodes[row]!;
    for (let hidden = fillerFirst[row]!; hidden < last; hidden = end[hidden]!) {
      const { before, after } = deltaOf(hidden);
      deltas.before[row]! += before;
      deltas.after[row]! += after;
    }
  }
  return deltas;
}
