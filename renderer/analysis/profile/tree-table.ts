import { functionLabel } from '#core/analyze/function-label.ts';
import type { RowOrder } from '#core/analyze/tree/sorted-children.ts';
import type { CallTree } from '#core/analyze/view/stack-view.ts';
import { createTreeRows, hotPath, RowState, type TreeRows } from '#core/analyze/tree/tree-rows.ts';
import type { Profile } from '#core/model/profile.ts';
import type { TreeFind, TreeStep, TreeTableRows } from '../../../core/analyze/tables/table-protocol.ts';

/** A call tree as a table: open rows, their order, and searching. Row 0 is the tree's root. */
export interface ExpandedTree {
  readonly rows: TreeRows;
  /** Opens and closes rows. Returns the row that the step selects; −1 if there is none. */
  step(step: TreeStep): number;
  sort(order: RowOrder): void;
  /** Returns at most `count` rows from `first` on. */
  read(first: number, count: number, order: RowOrder): TreeTableRows;
  /** Returns the next matching row, opening its ancestors; −1 if there is none. Wraps around at the end. */
  find(find: TreeFind): number;
}

/** Creates a table. Rows that are open in `like` are opened here too. */
export function createTreeTable(profile: Profile, tree: CallTree, order: RowOrder, like?: ExpandedTree): ExpandedTree {
  const rows = createTreeRows(profile, tree, order);
  if (like === undefined) rows.openToDepth(1);
  else rows.openLike(like.rows);
  let hot: Uint8Array | null = null;
  const hotNodes = (): Uint8Array => (hot ??= flagged(tree.length, hotPath(tree, 0)));
  const sort = (wanted: RowOrder): void => {
    if (wanted.by !== rows.order.by || wanted.descending !== rows.order.descending) rows.sort(wanted);
  };
  return {
    rows,
    sort,
    // A window that has just requested another tree may still refer to nodes that this one lacks.
    step: (step) => (step.node >= 0 && step.node < tree.length ? takeStep(rows, step) : -1),
    read(first, count, wanted) {
      sort(wanted);
      return describeRows(rows, first, count, hotNodes());
    },
    find: (find) => (find.kind === 'name' ? findName(profile, rows, find) : findMatch(rows, find)),
  };
}

function flagged(length: number, nodes: Int32Array): Uint8Array {
  const flags = new Uint8Array(length);
  for (const node of nodes) flags[node] = 1;
  return flags;
}

function takeStep(rows: TreeRows, step: TreeStep): number {
  switch (step.kind) {
    case 'open':
      rows.setOpen(step.node, true);
      return rows.indexOf(step.node);
    case 'close':
      rows.setOpen(step.node, false);
      return rows.indexOf(step.node);
    case 'open-below':
      rows.setSubtreeOpen(step.node, true);
      return rows.indexOf(step.node);
    case 'close-below':
      rows.setSubtreeOpen(step.node, false);
      return rows.indexOf(step.node);
    case 'parent':
      return step.node === 0 ? 0 : rows.indexOf(rows.tree.parent[step.node]!);
    case 'hot-path':
      return rows.indexOf(rows.openHotPath(step.node));
    case 'reveal':
      rows.reveal(step.node);
      return rows.indexOf(step.node);
  }
}

function describeRows(rows: TreeRows, first: number, count: number, hotNodes: Uint8Array): TreeTableRows {
  const { tree } = rows;
  const window = rows.window(first, count);
  const { node, length } = window;
  const func = new Int32Array(length);
  const [self, total, parentTotal] = [new Float64Array(length), new Float64Array(length), new Float64Array(length)];
  const hot = new Uint8Array(length);
  for (let row = 0; row < length; row++) {
    const at = node[row]!;
    func[row] = tree.func[at]!;
    self[row] = tree.self[at]!;
    total[row] = tree.total[at]!;
    parentTotal[row] = tree.total[Math.max(0, tree.parent[at]!)]!;
    hot[row] = hotNodes[at]!;
  }
  return { ...window, rowCount: rows.length, func, self, total, parentTotal, hot };
}

/** Number of rows read at a time while searching. */
const STRIDE = 4096;

function findName(profile: Profile, rows: TreeRows, { prefix, from }: TreeFind & { kind: 'name' }): number {
  const wanted = prefix.toLowerCase();
  const { func } = rows.tree;
  const lookIn = (start: number, end: number): number => {
    for (let first = start; first < end; first += STRIDE) {
      const { node } = rows.window(first, Math.min(STRIDE, end - first));
      const place = node.findIndex((at) => functionLabel(profile, func[at]!).toLowerCase().startsWith(wanted));
      if (place >= 0) return first + place;
    }
    return -1;
  };
  const after = lookIn(from, rows.length);
  return after >= 0 ? after : lookIn(0, from);
}

function findMatch(rows: TreeRows, { matches, from, step }: TreeFind & { kind: 'match' }): number {
  const before = countMatches(rows.tree, matches);
  const isMatch = (node: number): boolean => before[node + 1]! > before[node]!;
  const holdsMatch = (node: number): boolean => before[rows.tree.end[node]!]! > before[node + 1]!;
  if (before.at(-1) === 0) return -1;
  const look = step === 1 ? lookDown : lookUp;
  const found = look(rows, from, isMatch, holdsMatch);
  return found >= 0 ? found : look(rows, step === 1 ? -1 : rows.length, isMatch, holdsMatch);
}

/** Returns the number of matches before each node, and in all. */
function countMatches({ length, func }: CallTree, matches: Uint8Array): Int32Array {
  const before = new Int32Array(length + 1);
  for (let node = 0; node < length; node++) {
    before[node + 1] = before[node]! + (func[node]! >= 0 && matches[func[node]!] === 1 ? 1 : 0);
  }
  return before;
}

type NodeTest = (node: number) => boolean;

function lookDown(rows: TreeRows, from: number, isMatch: NodeTest, holdsMatch: NodeTest): number {
  // Skips the row itself but not the closed rows below it.
  const start = from < 0 ? null : rows.window(from, 1);
  if (start?.state[0] === RowState.closed && holdsMatch(start.node[0]!)) rows.setOpen(start.node[0]!, true);
  for (let first = from + 1; first < rows.length;) {
    const { node, state } = rows.window(first, STRIDE);
    const place = node.findIndex((at, row) => isMatch(at) || (state[row] === RowState.closed && holdsMatch(at)));
    if (place < 0) first += node.length;
    else if (isMatch(node[place]!)) return first + place;
    else {
      rows.setOpen(node[place]!, true);
      first += place + 1;
    }
  }
  return -1;
}

function lookUp(rows: TreeRows, from: number, isMatch: NodeTest, holdsMatch: NodeTest): number {
  for (let end = Math.min(from, rows.length); end > 0;) {
    const first = Math.max(0, end - STRIDE);
    const { node, state } = rows.window(first, end - first);
    let place = node.length - 1;
    while (place >= 0 && !isMatch(node[place]!) && !(state[place] === RowState.closed && holdsMatch(node[place]!)))
      place -= 1;
    end = first + place + 1;
    if (place < 0) continue;
    const at = node[place]!;
    if (state[place] !== RowState.closed || !holdsMatch(at)) return first + place;
    // The opened rows come after this one, so on the way up they are visited before it.
    const shown = rows.length;
    rows.setOpen(at, true);
    end += rows.length - shown;
  }
  return -1;
}
