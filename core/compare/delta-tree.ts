import { finish, inPieces, type Steps } from '../steps.ts';
import { rowsByRank } from '../analyze/tree/function-ranks.ts';
import type { NamedFunctions } from '../analyze/function-ref.ts';
import { RowTable } from '../analyze/view/row-table.ts';
import { layOutTree, siblingOffsets, subtreeSizes, subtreeTotals, type TreeShape } from '../analyze/view/row-walk.ts';
import type { CallTree } from '../analyze/view/stack-view.ts';
import type { Comparison, ComparedSide, OnStep } from './comparison.ts';
import { normalisedValue } from './measure/side-measures.ts';

/**
 * The call paths of both sides in one tree, with rows as in a {@link CallTree}; `func` → the comparison's functions.
 * Weights are normalised means over each side's captures; delta = after − before.
 */
export interface DeltaTree extends TreeShape {
  readonly before: SideWeights;
  readonly after: SideWeights;
}

interface SideWeights {
  /**
   * By capture: maps rows of its view to rows of the tree. Several may map to the same row if rules merged their
   * functions.
   */
  readonly nodes: readonly Int32Array[];
  readonly self: Float64Array;
  readonly total: Float64Array;
}

/**
 * What the width of a row shows: one side, or the union, which takes the larger self weight of the two sides for each
 * path.
 */
export type DeltaWidth = 'before' | 'after' | 'union';

export function buildDeltaTree(comparison: Comparison, onStep: OnStep = () => undefined): DeltaTree {
  return finish(deltaTreeSteps(comparison, onStep));
}

/** Like {@link buildDeltaTree}, in pieces. */
export function* deltaTreeSteps(
  { before, after, matched }: Comparison,
  onStep: OnStep = () => undefined,
): Steps<DeltaTree> {
  const all = [...before.captures, ...after.captures];
  const capacity = all.reduce((sum, { view }) => sum + view.length, 0);
  // Laying out and weighing the tree take as long as adding the rows of two captures.
  const onPiece = (place: number): void => onStep('tree', place / (all.length + 2));
  const table = new RowTable(capacity);
  function* rowsOf(side: ComparedSide, first: number): Steps<Int32Array[]> {
    const rows: Int32Array[] = [];
    for (const [place, { view }] of side.captures.entries()) {
      onPiece(first + place);
      rows.push(yield* addRows(table, view, side.functions[place]!));
      yield;
    }
    return rows;
  }
  const rowsBefore = yield* rowsOf(before, 0);
  const rowsAfter = yield* rowsOf(after, before.captures.length);
  onPiece(all.length);
  const union = table.finish();
  const ranks = functionOrder(matched.table);
  yield;
  const size = subtreeSizes(union);
  const siblings = rowsByRank(union.func, ranks, matched.table.functions.length);
  yield;
  const offsets = siblingOffsets(union, size, siblings);
  yield;
  const { tree, nodeOfRow } = layOutTree(union, size, offsets);
  yield;
  onPiece(all.length + 1);
  function* weights(side: ComparedSide, rows: readonly Int32Array[]): Steps<SideWeights> {
    const nodes: Int32Array[] = [];
    for (const places of rows) {
      nodes.push(places.map((row) => nodeOfRow[row]!));
      yield;
    }
    const self = meanSelf(side, nodes, tree.length);
    yield;
    return { nodes, self, total: subtreeTotals(tree, self) };
  }
  return {
    ...tree,
    before: yield* weights(before, rowsBefore),
    after: yield* weights(after, rowsAfter),
  };
}

/** Returns the delta tree as a call tree of one width, which can be sliced, drawn and searched like any other. */
export function widthTree(tree: DeltaTree, width: DeltaWidth): CallTree {
  const { length, func, parent, depth, end, before, after } = tree;
  const rows = { length, func, parent, depth, end, direction: 'top-down', cutDepth: null } as const;
  if (width !== 'union') return { ...rows, self: tree[width].self, total: tree[width].total };
  const self = before.self.map((weight, row) => Math.max(weight, after.self[row]!));
  return { ...rows, self, total: subtreeTotals(tree, self) };
}

/** Adds the rows of a view. Returns each row's row of the union. */
function* addRows(
  table: RowTable,
  { length, parent, func }: { length: number; parent: Int32Array; func: Int32Array },
  functions: Int32Array,
): Steps<Int32Array> {
  const rows = new Int32Array(length);
  yield* inPieces(length, (first, end) => {
    for (let row = first; row < end; row++) {
      const caller = parent[row]!;
      rows[row] = table.intern(caller < 0 ? -1 : rows[caller]!, functions[func[row]!]!);
    }
  });
  return rows;
}

/** Returns each function's rank by name, then module, comparing UTF-16 code units. */
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

/** Returns the mean self weight by node. */
function meanSelf(
  { captures, factors, parts }: ComparedSide,
  nodes: readonly Int32Array[],
  length: number,
): Float64Array {
  const self = new Float64Array(length);
  captures.forEach(({ view }, place) => {
    const [factor, part] = [factors[place]!, parts[place]!];
    if (part === 0) return;
    self[0]! += normalisedValue(view.withoutStack, factor) * part;
    for (let row = 0; row < view.length; row++) {
      if (view.self[row] !== 0) self[nodes[place]![row]!]! += normalisedValue(view.self[row]!, factor) * part;
    }
  });
  return self;
}
