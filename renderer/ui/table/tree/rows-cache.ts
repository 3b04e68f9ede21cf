import type { TreeTableRows } from '../../../../core/analyze/tables/table-protocol.ts';
import { RowState } from '#core/analyze/tree/tree-rows.ts';
import type { TreePlace } from '../table.types.ts';

/** A row of a call tree that is loaded in the window. */
export interface TreeRow {
  readonly position: number;
  readonly node: number;
  /** Index into the view's functions; −1 for the root. */
  readonly func: number;
  readonly self: number;
  readonly total: number;
  readonly parentTotal: number;
  readonly place: TreePlace;
}

/** The loaded rows of one state of a table. */
export interface TreeRowsCache {
  readonly rowCount: number;
  readonly at: (position: number) => TreeRow | undefined;
  readonly of: (node: number) => TreeRow | undefined;
  readonly add: (rows: TreeTableRows) => void;
  readonly has: (first: number, count: number) => boolean;
}

/** Number of rows kept; others are requested again. */
const MAX_ROWS = 20_000;

export function createTreeRowsCache(rowCount: number): TreeRowsCache {
  const byPosition = new Map<number, TreeRow>();
  const byNode = new Map<number, TreeRow>();
  return {
    rowCount,
    at: (position) => byPosition.get(position),
    of: (node) => byNode.get(node),
    has(first, count) {
      const end = Math.min(rowCount, first + count);
      for (let position = first; position < end; position++) if (!byPosition.has(position)) return false;
      return true;
    },
    add(rows) {
      if (byPosition.size + rows.length > MAX_ROWS) {
        byPosition.clear();
        byNode.clear();
      }
      for (let at = 0; at < rows.length; at++) {
        const row = rowAt(rows, at);
        byPosition.set(row.position, row);
        byNode.set(row.node, row);
      }
    },
  };
}

export function rowAt(rows: TreeTableRows, at: number): TreeRow {
  const state = rows.state[at]!;
  return {
    position: rows.first + at,
    node: rows.node[at]!,
    func: rows.func[at]!,
    self: rows.self[at]!,
    total: rows.total[at]!,
    parentTotal: rows.parentTotal[at]!,
    place: {
      level: rows.depth[at]! + 1,
      place: rows.place[at]!,
      siblings: rows.siblings[at]!,
      open: state === RowState.leaf ? null : state === RowState.open,
      hot: rows.hot[at] === 1,
    },
  };
}
