import type { NamedFunctions } from '#core/analyze/function-ref.ts';
import type { CallTree } from '#core/analyze/view/stack-view.ts';
import type { Comparison } from '#core/compare/comparison.ts';
import { widthTree, type DeltaTree, type DeltaWidth } from '#core/compare/delta-tree.ts';
import type { PathJudgements } from '#core/compare/judge-paths.ts';
import type { CallNodeIndex } from '#core/model/brand.ts';
import { findMatch, flameSlice, nodePath, startOf } from '../../../core/analyze/graph/tree-source.ts';
import type { SliceRequest } from '#core/analyze/graph/flame-slice.ts';
import { sliceDeltas } from '#core/analyze/graph/slice-deltas.ts';
import { fitRange, type WeightRange } from '../../../core/analyze/graph/weight-range.ts';
import type { TreeRequests } from '../session.ts';
import type { ComparePathEntry, CompareSlice, UnionTree } from './protocol.ts';
import { rowDelta, rowVerdicts } from '#core/compare/judged-rows.ts';
import type { Side } from '#core/contract/side.ts';

/** The union of both sides' call paths, in the form that graphs request. */
export interface CompareTrees {
  readonly tree: DeltaTree;
  readonly table: NamedFunctions;
  /** Verdict on the total of each path, as an index into `VERDICTS`. */
  readonly verdict: Uint8Array;
  readonly width: (width: DeltaWidth) => WidthTree;
}

interface WidthTree {
  readonly tree: CallTree;
  /** Number of preceding rows with weight, by row; its length is one more than the number of rows. */
  readonly present: Int32Array;
}

/** Creates the trees of a comparison, each width on first use. The root has the verdict of the captures as a whole. */
export function compareTrees(
  { matched, whole }: Pick<Comparison, 'matched' | 'whole'>,
  tree: DeltaTree,
  paths: PathJudgements,
): CompareTrees {
  const made = new Map<DeltaWidth, WidthTree>();
  return {
    tree,
    table: matched.table,
    verdict: rowVerdicts(tree, paths, whole),
    width(width) {
      const known = made.get(width);
      if (known !== undefined) return known;
      const ofWidth = widthTree(tree, width);
      const one = { tree: ofWidth, present: countPresent(ofWidth.total) };
      made.set(width, one);
      return one;
    },
  };
}

function countPresent(total: Float64Array): Int32Array {
  const present = new Int32Array(total.length + 1);
  for (let row = 0; row < total.length; row++) present[row + 1] = present[row]! + (total[row] === 0 ? 0 : 1);
  return present;
}

/**
 * Returns the visible part of one width, with both sides' weights. Fillers count only frames that have weight in this
 * width.
 */
export function compareSlice(
  trees: CompareTrees,
  request: SliceRequest & { readonly width: DeltaWidth; readonly shared: boolean },
): CompareSlice {
  const { before, after } = trees.tree;
  const { tree, present } = trees.width(request.width);
  const rootTotal = tree.total[request.root]!;
  const rootScale = request.shared ? Math.max(before.total[request.root]!, after.total[request.root]!) : rootTotal;
  const data = flameSlice(trees.table, tree, ownWindow(request, rootTotal, rootScale));
  const deltas = sliceDeltas(data.slice, tree, (node) => rowDelta(trees.tree, trees.verdict, node));
  return { ...withoutAbsent({ ...data, deltas }, present), rootScale };
}

/** Recounts the nodes of fillers to those with weight in this width, and drops fillers that have none. */
function withoutAbsent(data: CompareSlice, present: Int32Array): CompareSlice {
  const { slice, deltas } = data;
  const fillerNodes = slice.fillerNodes.map((count, row) => {
    const first = slice.fillerFirst[row]!;
    return first < 0 ? 0 : present[first + count]! - present[first]!;
  });
  const rows: number[] = [];
  const placeOf = slice.node.map((node, row) => (node >= 0 || fillerNodes[row]! > 0 ? rows.push(row) - 1 : -1));
  const ints = (column: Int32Array): Int32Array => Int32Array.from(rows, (row) => column[row]!);
  const floats = (column: Float64Array): Float64Array => Float64Array.from(rows, (row) => column[row]!);
  return {
    ...data,
    slice: {
      length: rows.length,
      node: ints(slice.node),
      // A filler is never a parent.
      parent: ints(slice.parent).map((parent) => (parent < 0 ? parent : placeOf[parent]!)),
      depth: ints(slice.depth),
      total: floats(slice.total),
      fillerNodes: ints(fillerNodes),
      fillerFirst: ints(slice.fillerFirst),
      start: floats(slice.start),
      maxDepth: slice.maxDepth,
    },
    func: ints(data.func),
    self: floats(data.self),
    deltas: {
      before: floats(deltas.before),
      after: floats(deltas.after),
      selfBefore: floats(deltas.selfBefore),
      selfAfter: floats(deltas.selfAfter),
      verdict: Uint8Array.from(rows, (row) => deltas.verdict[row]!),
    },
  };
}

/** Restricts a request on a shared scale to the part that the root covers; the rest of the width is empty. */
function ownWindow(request: SliceRequest, rootTotal: number, rootScale: number): SliceRequest {
  if (rootScale <= rootTotal) return request;
  const { firstWeight = 0, lastWeight = rootScale, ...rest } = request;
  const first = Math.min(firstWeight, rootTotal);
  const last = Math.min(lastWeight, rootTotal);
  const widthPx = (request.widthPx * (last - first)) / (lastWeight - firstWeight);
  const isWhole = first <= 0 && last >= rootTotal;
  return { ...rest, widthPx, ...(isWhole ? {} : { firstWeight: first, lastWeight: last }) };
}

export const comparePath = (trees: CompareTrees, width: DeltaWidth, node: CallNodeIndex): ComparePathEntry[] =>
  nodePath(trees.table, trees.width(width).tree, node).map((entry) => ({
    ...entry,
    delta: rowDelta(trees.tree, trees.verdict, entry.node),
  }));

/** Returns the weight to the left of a path within the whole tree, in each width. */
export function pathStarts(trees: CompareTrees, node: CallNodeIndex): Record<DeltaWidth, number> {
  const start = (width: DeltaWidth): number => startOf(trees.width(width).tree, node);
  return { before: start('before'), after: start('after'), union: start('union') };
}

/**
 * Returns the range of one side's graph that matches `range` of the other's: the same place in the middle, at the same
 * width, so both sides keep one scale. Null selects the whole root. Weights are measured from the root's left edge.
 */
export function carryRange(
  trees: CompareTrees,
  params: { root: CallNodeIndex; range: WeightRange; from: Side; to: Side },
): WeightRange | null {
  const { root, range, from, to } = params;
  const { before, after } = trees.tree;
  const half = (range.last - range.first) / 2;
  const middle = carryPlace(trees, { root, place: range.first + half, from, to });
  const scale = Math.max(before.total[root]!, after.total[root]!);
  return fitRange({ first: middle - half, last: middle + half }, scale);
}

/**
 * Maps a position within a root from one width to another: the same fraction of the deepest frame that contains it and
 * exists in both. The mapping is monotonic. Weights are measured from the root's left edge.
 */
export function carryPlace(
  trees: CompareTrees,
  { root, place, from, to }: { root: CallNodeIndex; place: number; from: DeltaWidth; to: DeltaWidth },
): number {
  const { end } = trees.tree;
  const [source, target] = [trees.width(from).tree.total, trees.width(to).tree.total];
  let node: number = root;
  let [left, leftThere] = [0, 0];
  for (;;) {
    let child = node + 1;
    let [start, startThere] = [left, leftThere];
    while (child < end[node]! && start + source[child]! <= place) {
      start += source[child]!;
      startThere += target[child]!;
      child = end[child]!;
    }
    if (child >= end[node]!) {
      // The position is in the frame's self weight, which no child covers.
      const rest = source[node]! - (start - left);
      const restThere = target[node]! - (startThere - leftThere);
      return startThere + (rest > 0 ? Math.min(1, (place - start) / rest) * restThere : 0);
    }
    if (target[child] === 0) return startThere;
    node = child;
    [left, leftThere] = [start, startThere];
  }
}

/** Returns the union tree in one width, in the form that graphs request. */
export function compareTreeRequests(trees: CompareTrees, { width, shared }: UnionTree): TreeRequests {
  return {
    requestSlice: (request) => Promise.resolve(compareSlice(trees, { ...request, width, shared })),
    requestPath: (node) => Promise.resolve(comparePath(trees, width, node)),
    requestMatch: (request) => Promise.resolve(findMatch(trees.width(width).tree, request)),
  };
}
