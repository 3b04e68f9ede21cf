import type { SampleSpans } from './sample-widths.ts';
import type { CallTree, StackView } from '../view/stack-view.ts';

/** A call tree whose siblings are in the order of time and may have gaps between them. */
export type TimeTree = CallTree & {
  readonly start: Float64Array;
  /** The node in which each sample of the list ends. */
  readonly nodeOfSample: Int32Array;
};

/**
 * Builds the tree of a list of samples, each with its row of the view (negative: no stack). `rootTotal` is the root's
 * width. The root's self weight is that of the samples without a stack plus `uncovered`, the width not covered by
 * samples; it is passed in because a difference of sums could round to less than zero. Frames below the greatest depth
 * that fits into `maxRows` (at least one level) are left out.
 */
export function buildTimeTree(
  view: StackView,
  rows: Int32Array,
  widths: SampleSpans,
  { rootTotal, uncovered }: { readonly rootTotal: number; readonly uncovered: number },
  maxRows: number,
): TimeTree {
  const depthOfRow = new Int32Array(view.length);
  for (let row = 0; row < view.length; row++) {
    depthOfRow[row] = view.parent[row]! < 0 ? 1 : depthOfRow[view.parent[row]!]! + 1;
  }
  const shared = sharedFrames(view, depthOfRow, rows, widths.adjoins);
  const { depthLimit, length, isCut } = limitDepth(rows, depthOfRow, shared, maxRows);
  const tree = fillTree(view, rows, widths, { depthOfRow, shared, depthLimit, length });
  const { parent, self, total } = tree;
  for (let node = length - 1; node > 0; node--) {
    total[node]! += self[node]!;
    total[parent[node]!]! += total[node]!;
  }
  self[0]! += uncovered;
  total[0] = rootTotal;
  return { ...tree, cutDepth: isCut ? depthLimit : null };
}

/** Returns the number of frames that each sample's stack shares with the sample before it, if they adjoin. */
function sharedFrames(
  { parent }: StackView,
  depthOfRow: Int32Array,
  rows: Int32Array,
  adjoins: Uint8Array,
): Int32Array {
  const shared = new Int32Array(rows.length);
  for (let place = 1; place < rows.length; place++) {
    if (adjoins[place] === 0) continue;
    let one = rows[place - 1]!;
    let other = rows[place]!;
    while (one >= 0 && other >= 0 && one !== other) {
      const depth = depthOfRow[one]!;
      const otherDepth = depthOfRow[other]!;
      if (depth >= otherDepth) one = parent[one]!;
      if (otherDepth >= depth) other = parent[other]!;
    }
    if (one >= 0 && one === other) shared[place] = depthOfRow[one]!;
  }
  return shared;
}

/**
 * Returns the greatest depth, at least 1, at which the tree has at most `maxRows` rows, and its number of rows
 * including the root.
 */
function limitDepth(rows: Int32Array, depthOfRow: Int32Array, shared: Int32Array, maxRows: number) {
  let deepest = 0;
  for (const row of rows) if (row >= 0) deepest = Math.max(deepest, depthOfRow[row]!);
  /** Number of nodes at a depth, as differences from the depth above. */
  const change = new Float64Array(deepest + 2);
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place]!;
    if (row < 0) continue;
    change[shared[place]! + 1]! += 1;
    change[depthOfRow[row]! + 1]! -= 1;
  }
  let length = 1;
  let depth = 0;
  for (let atDepth = 0; depth < deepest; depth++) {
    atDepth += change[depth + 1]!;
    if (depth > 0 && length + atDepth > maxRows) break;
    length += atDepth;
  }
  return { depthLimit: depth, length, isCut: depth < deepest };
}

interface Shape {
  readonly depthOfRow: Int32Array;
  readonly shared: Int32Array;
  readonly depthLimit: number;
  readonly length: number;
}

/** Fills everything except the totals, which are 0. */
function fillTree(view: StackView, rows: Int32Array, widths: SampleSpans, shape: Shape): TimeTree {
  const { depthOfRow, shared, depthLimit, length } = shape;
  const func = new Int32Array(length);
  const parent = new Int32Array(length);
  const depth = new Int32Array(length);
  const end = new Int32Array(length);
  const self = new Float64Array(length);
  const start = new Float64Array(length);
  const nodeOfSample = new Int32Array(rows.length);
  func[0] = -1;
  parent[0] = -1;
  /** Nodes of the current path by depth. */
  const path = new Int32Array(depthLimit + 1);
  let pathDepth = 0;
  let next = 1;
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place]!;
    const kept = Math.min(shared[place]!, depthLimit);
    const leafDepth = row < 0 ? 0 : Math.min(depthOfRow[row]!, depthLimit);
    for (; pathDepth > kept; pathDepth--) end[path[pathDepth]!] = next;
    pathDepth = leafDepth;
    let at = row;
    for (let atDepth = row < 0 ? 0 : depthOfRow[row]!; atDepth > kept; atDepth--) {
      if (atDepth <= leafDepth) {
        const node = next + atDepth - kept - 1;
        path[atDepth] = node;
        func[node] = view.func[at]!;
        parent[node] = atDepth === kept + 1 ? path[kept]! : node - 1;
        depth[node] = atDepth;
        start[node] = widths.start[place]!;
      }
      at = view.parent[at]!;
    }
    next += leafDepth - kept;
    nodeOfSample[place] = path[leafDepth]!;
    self[path[leafDepth]!]! += widths.width[place]!;
  }
  for (; pathDepth >= 0; pathDepth--) end[path[pathDepth]!] = next;
  const total = new Float64Array(length);
  return { length, direction: 'top-down', func, parent, depth, end, self, total, start, nodeOfSample, cutDepth: null };
}
