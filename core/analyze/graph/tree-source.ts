import { functionFacts, type FunctionFacts } from '#core/model/function-facts.ts';
import type { NamedFunctions } from '#core/analyze/function-ref.ts';
import { narrowNodesAtPixels } from '#core/analyze/tree/pixel-nodes.ts';
import type { CallTree, VisibleSlice } from '#core/analyze/view/stack-view.ts';
import { deepestBelow, visibleSlice } from '#core/analyze/tree/visible-slice.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { finishInSlices } from '#core/steps.ts';
import type { FlameSlice, TreeSource, MatchRequest, PathEntry, SliceRequest, SliceTexture } from './flame-slice.ts';
import { HATCH_MIN_PX } from './flame-slice.ts';

/**
 * Answers a flame graph's requests from a tree in memory, in the worker or in tests. `rest` is awaited between pieces of
 * what visits all nodes.
 */
export function treeSource(profile: Profile, tree: CallTree, rest?: () => Promise<void>): TreeSource {
  let inlined: Uint8Array | null = null;
  const inlinedOnce = () => (inlined ??= inlinedFunctions(profile));
  return {
    direction: tree.direction,
    totalWeight: tree.total[0]!,
    scale: tree.total[0]!,
    maxDepth: deepestBelow(tree, 0),
    requestSlice: (request) => Promise.resolve(flameSlice(profile, tree, request, inlinedOnce())),
    requestPath: (node) => Promise.resolve(nodePath(profile, tree, node)),
    requestMatch: (request) => Promise.resolve(findMatch(tree, request)),
    // Colours are loaded on demand: a worker answers its first slices without them.
    requestSelf: async ({ root, scheme }) => {
      const { selfWeightSteps } = await import('#core/analyze/graph/self-weights.ts');
      return finishInSlices(selfWeightSteps(profile, tree, root, scheme), rest);
    },
  };
}

/** Returns 1 for each function whose frames were all inlined. */
function inlinedFunctions({ frames, functions }: Profile): Uint8Array {
  const inlined = new Uint8Array(functions.length);
  for (let frame = 0; frame < frames.length; frame++) if (frames.inline[frame] !== 0) inlined[frames.func[frame]!] = 1;
  for (let frame = 0; frame < frames.length; frame++) if (frames.inline[frame] === 0) inlined[frames.func[frame]!] = 0;
  return inlined;
}

/** Wider than any screen. */
const MAX_COLUMNS = 16_384;

export function flameSlice(
  names: NamedFunctions,
  tree: CallTree,
  request: SliceRequest,
  inlined?: Uint8Array,
): FlameSlice {
  const { slice, minWidthPx } = boundedSlice(tree, request);
  const func = new Int32Array(slice.length).fill(-1);
  const self = new Float64Array(slice.length);
  const functions = new Map<number, FunctionFacts>();
  const tell = (of: number): void => {
    if (of >= 0 && !functions.has(of)) functions.set(of, functionFacts(names, of, inlined));
  };
  for (let row = 0; row < slice.length; row++) {
    const node = slice.node[row]!;
    if (node < 0) continue;
    self[row] = tree.self[node]!;
    func[row] = tree.func[node]!;
    tell(func[row]!);
  }
  const { root, columnsPerPx } = request;
  const texture = columnsPerPx === undefined ? undefined : sliceTexture(tree, { ...request, minWidthPx }, columnsPerPx);
  texture?.func.forEach(tell);
  const rootTotal = tree.total[root]!;
  const place = { rootTotal, rootScale: rootTotal, rootStart: startOf(tree, root), rootDepth: tree.depth[root]! };
  return { slice, ...place, minWidthPx, func, self, functions, ...(texture === undefined ? {} : { texture }) };
}

function sliceTexture(tree: CallTree, window: SliceRequest, columnsPerPx: number): SliceTexture | null {
  const columns = Math.min(MAX_COLUMNS, Math.round(window.widthPx * columnsPerPx));
  const met = narrowNodesAtPixels(tree, window, columns);
  if (met === null) return null;
  const { node, ...place } = met;
  return { ...place, func: node.map((at) => (at < 0 ? -1 : tree.func[at]!)) };
}

/**
 * Returns the weight to the left of a node within the tree: `start` if the tree has it, otherwise the sum of the
 * preceding siblings' totals, for the node and each of its ancestors.
 */
export function startOf(tree: CallTree, node: number): number {
  if (tree.start !== undefined) return tree.start[node]!;
  let start = 0;
  for (let at = node; at > 0; at = tree.parent[at]!) {
    for (let sibling = tree.parent[at]! + 1; sibling < at; sibling = tree.end[sibling]!) start += tree.total[sibling]!;
  }
  return start;
}

/** Factor by which the minimum width grows until the slice fits. */
const WIDER = 1.25;
/** Fillers too narrow to be hatched are only positioned, which costs this share of drawing them. */
const PLACED_SHARE = 0.25;

/** Returns the slice at the request's minimum width, or at the smallest greater step that stays within `maxFrames`. */
function boundedSlice(tree: CallTree, request: SliceRequest): { slice: VisibleSlice; minWidthPx: number } {
  const { firstWeight = 0, lastWeight = tree.total[request.root]!, maxFrames } = request;
  const pxPerWeight = request.widthPx / (lastWeight - firstWeight);
  const maxDepth = deepestBelow(tree, request.root);
  let tooNarrowPx: number | null = null;
  for (let minWidthPx = request.minWidthPx; ; minWidthPx *= WIDER) {
    if (tooNarrowPx !== null && minWidthPx <= tooNarrowPx) continue;
    const slice = visibleSlice(tree, { ...request, minWidthPx }, maxDepth);
    if (drawingCost(slice, pxPerWeight) <= maxFrames || minWidthPx > request.widthPx) return { slice, minWidthPx };
    tooNarrowPx ??= widthOfFrame(slice, maxFrames) * pxPerWeight;
  }
}

function drawingCost({ length, node, total }: VisibleSlice, pxPerWeight: number): number {
  let cost = 0;
  for (let row = 0; row < length; row++) {
    const isPlaced = node[row]! < 0 && total[row]! * pxPerWeight < HATCH_MIN_PX;
    cost += isPlaced ? PLACED_SHARE : 1;
  }
  return cost;
}

/**
 * Returns the total of the widest frame that has `others` frames at least as wide; a slice that shows it has more than
 * `others` frames. 0 if the slice has no more frames than that.
 */
function widthOfFrame({ node, total }: VisibleSlice, others: number): number {
  const totals = total.filter((_, row) => node[row]! >= 0).sort();
  return totals[totals.length - 1 - others] ?? 0;
}

export function nodePath(names: NamedFunctions, tree: CallTree, node: CallNodeIndex): PathEntry[] {
  const nodes = new Int32Array(tree.depth[node]! + 1);
  for (let at: number = node, place = nodes.length - 1; place >= 0; at = tree.parent[at]!, place--) nodes[place] = at;
  return Array.from(nodes, (at) => pathEntry(names, tree, at));
}

function pathEntry(names: NamedFunctions, tree: CallTree, node: number): PathEntry {
  const func = tree.func[node]!;
  return {
    node: node as CallNodeIndex,
    func: func < 0 ? null : (func as FunctionIndex),
    facts: func < 0 ? null : functionFacts(names, func),
    self: tree.self[node]!,
    total: tree.total[node]!,
  };
}

/**
 * Returns the next node whose function matches, in pre-order, wrapping around within the root's subtree, which includes
 * the root.
 */
export function findMatch(tree: CallTree, request: MatchRequest): CallNodeIndex | null {
  return scanForMatch(tree, request, request.minTotal) ?? scanForMatch(tree, request, 0);
}

function scanForMatch(tree: CallTree, request: MatchRequest, minTotal: number): CallNodeIndex | null {
  const first: number = request.root;
  const count = tree.end[first]! - first;
  const before = request.step === 1 ? -1 : count;
  const from = request.from === null ? before : request.from - first;
  for (let step = 1; step <= count; step++) {
    const node = first + modulo(from + step * request.step, count);
    const func = tree.func[node]!;
    if (func >= 0 && request.matches[func] === 1 && tree.total[node]! >= minTotal) return node as CallNodeIndex;
  }
  return null;
}

function modulo(value: number, size: number): number {
  return ((value % size) + size) % size;
}
