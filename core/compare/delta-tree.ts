import { rowsByRank } from '../analyze/tree/call-tree.ts';
import type { NamedFunctions } from '../analyze/function-ref.ts';
import { RowTable } from '../analyze/view/row-table.ts';
import { subtreeTotals } from '../analyze/tree/row-walk.ts';
import type { CallTree } from '../analyze/view/stack-view.ts';
import type { Comparison, ComparedSide } from './comparison.ts';
import type { SideDesign } from './measure/measures.ts';
import type { OnStep } from './progress.ts';
import { normalisedValue } from './measure/side-measures.ts';

/**
 * The call paths of both sides as one tree, rows as a {@link CallTree} has them; `func` → the comparison's functions. Weights are
 * normalised, means of each side's captures; delta = after − before.
 */
export interface DeltaTree {
  readonly length: number;
  readonly func: Int32Array;
  readonly parent: Int32Array;
  readonly depth: Int32Array;
  readonly end: Int32Array;
  readonly before: SideWeights;
  readonly after: SideWeights;
}

export interface SideWeights {
  /** By capture: from rows of its view to rows of the tree. Several may go to one, where rules merged their functions. */
  readonly nodes: readonly Int32Array[];
  readonly self: Float64Array;
  readonly total: Float64Array;
}

/** What the width of a row shows: one side, or what either side has of each path (its larger self, and so all below). */
export type DeltaWidth = 'before' | 'after' | 'union';

export function buildDeltaTree(
  { before, after, design, matched }: Comparison,
  onStep: OnStep = () => undefined,
): DeltaTree {
  const all = [...before.captures, ...after.captures];
  const capacity = all.reduce((sum, { view }) => sum + view.length, 0);
  // Laying it out and weighing it take as long as the rows of two captures.
  const onPiece = (place: number): void => onStep('tree', place / (all.length + 2));
  const table = new RowTable(capacity);
  const rowsOf = (side: ComparedSide, first: number): Int32Array[] =>
    side.captures.map(({ view }, place) => {
      onPiece(first + place);
      return addRows(table, view, side.functions[place]!);
    });
  const [rowsBefore, rowsAfter] = [rowsOf(before, 0), rowsOf(after, before.captures.length)];
  onPiece(all.length);
  const union = table.finish();
  const ranks = functionOrder(matched.table);
  const { tree, nodeOfRow } = inPreOrder(union, rowsByRank(union.func, ranks, matched.table.functions.length));
  onPiece(all.length + 1);
  const weights = (side: ComparedSide, rows: readonly Int32Array[], of: SideDesign): SideWeights => {
    const nodes = rows.map((places) => places.map((row) => nodeOfRow[row]!));
    const self = meanSelf(side, nodes, of, tree.length);
    return { nodes, self, total: subtreeTotals(tree, self) };
  };
  return {
    ...tree,
    before: weights(before, rowsBefore, design.before),
    after: weights(after, rowsAfter, design.after),
  };
}

/** The delta tree as a call tree of one width, to be cut, drawn and searched as any other. */
export function widthTree(tree: DeltaTree, width: DeltaWidth): CallTree {
  const { length, func, parent, depth, end, before, after } = tree;
  const rows = { length, func, parent, depth, end, direction: 'top-down', cutDepth: null } as const;
  if (width !== 'union') return { ...rows, self: tree[width].self, total: tree[width].total };
  const self = before.self.map((weight, row) => Math.max(weight, after.self[row]!));
  return { ...rows, self, total: subtreeTotals(tree, self) };
}

/** By row of the view: its row of the union. */
function addRows(
  table: RowTable,
  { length, parent, func }: { length: number; parent: Int32Array; func: Int32Array },
  functions: Int32Array,
): Int32Array {
  const rows = new Int32Array(length);
  for (let row = 0; row < length; row++) {
    const caller = parent[row]!;
    rows[row] = table.intern(caller < 0 ? -1 : rows[caller]!, functions[func[row]!]!);
  }
  return rows;
}

/** Place of each function by name, then module, by UTF-16 code units. */
function functionOrder({ strings, functions: { name, module, length } }: NamedFunctions): Int32Array {
  const text = (column: Int32Array, func: number): string => strings[column[func]!]!;
  const order = Array.from({ length }, (_, func) => func).sort((a, b) => {
    if (name[a] !== name[b]) return text(name, a) < text(name, b) ? -1 : 1;
    if (module[a] !== module[b]) return text(module, a) < text(module, b) ? -1 : 1;
    return a - b;
  });
  const rank = new Int32Array(length);
  order.forEach((func, place) => (rank[func] = place));
  return rank;
}

/** Self weight by node; hosts count alike, and captures of one host. */
function meanSelf(
  { captures, factors }: ComparedSide,
  nodes: readonly Int32Array[],
  { groups }: SideDesign,
  length: number,
): Float64Array {
  const self = new Float64Array(length);
  for (const group of groups) {
    const parts = group.length * groups.length;
    for (const place of group) {
      const { view } = captures[place]!;
      const factor = factors[place]!;
      self[0]! += normalisedValue(view.withoutStack, factor) / parts;
      for (let row = 0; row < view.length; row++) {
        if (view.self[row] !== 0) self[nodes[place]![row]!]! += normalisedValue(view.self[row]!, factor) / parts;
      }
    }
  }
  return self;
}

type DeltaRows = Omit<DeltaTree, 'before' | 'after'>;

/** Rows below one root, callers before callees; siblings in the order of `siblings`, which has all rows. */
function inPreOrder(
  { length, parent, func }: { length: number; parent: Int32Array; func: Int32Array },
  siblings: Int32Array,
): { tree: DeltaRows; nodeOfRow: Int32Array } {
  const size = new Int32Array(length).fill(1);
  for (let row = length - 1; row >= 0; row--) if (parent[row]! >= 0) size[parent[row]!]! += size[row]!;
  // Rows before it below its caller; then, callers first, its node.
  const nodeOfRow = new Int32Array(length);
  const taken = new Int32Array(length + 1);
  for (const row of siblings) {
    const caller = parent[row]! + 1;
    nodeOfRow[row] = taken[caller]!;
    taken[caller]! += size[row]!;
  }
  const column = (): Int32Array => new Int32Array(length + 1);
  const tree = { length: length + 1, func: column(), parent: column(), depth: column(), end: column() };
  tree.func[0] = -1;
  tree.parent[0] = -1;
  tree.end[0] = tree.length;
  for (let row = 0; row < length; row++) {
    const caller = parent[row]! < 0 ? 0 : nodeOfRow[parent[row]!]!;
    const node = caller + 1 + nodeOfRow[row]!;
    nodeOfRow[row] = node;
    tree.func[node] = func[row]!;
    tree.parent[node] = caller;
    tree.depth[node] = tree.depth[caller]! + 1;
    tree.end[node] = node + size[row]!;
  }
  return { tree, nodeOfRow };
}
