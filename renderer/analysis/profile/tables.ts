import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { callersAndCallees } from '#core/analyze/tree/neighbours.ts';
import { sampleCounts } from '#core/analyze/tables/sample-counts.ts';
import type { RowOrder } from '#core/analyze/tree/sorted-children.ts';
import type { CallTree, StackView } from '#core/analyze/view/stack-view.ts';
import type { ResolvedTransforms } from '#core/analyze/transforms/transforms.ts';
import { describeSeen } from '#core/export/describe-seen.ts';
import type { Profile } from '#core/model/profile.ts';
import type { TableMethods, TreeSpot } from '../../../core/analyze/tables/table-protocol.ts';
import { createTreeTable, type TreeTable } from './tree-table.ts';

/** What a view of the profile shows, for its tables. */
export interface TableSubject {
  /** The view's number. */
  readonly id: number;
  readonly view: StackView;
  readonly tree: CallTree;
  readonly profile: Profile;
  readonly transforms: readonly NamedTransform[];
  readonly resolved: ResolvedTransforms;
}

type Answer<M extends keyof TableMethods> = TableMethods[M]['result'];
type Asked<M extends keyof TableMethods> = Omit<TableMethods[M]['params'], 'revision'>;

/** The tree tables of all views of a profile, and what is open in them. */
export interface Tables {
  /** The view shows something else: what was open in its tree stays open. */
  follow(subject: TableSubject): void;
  close(view: number): void;
  step(subject: TableSubject, asked: Asked<'tree-step'>): Answer<'tree-step'>;
  rows(subject: TableSubject, asked: Asked<'tree-rows'>): Answer<'tree-rows'>;
  find(subject: TableSubject, asked: Asked<'tree-find'>): Answer<'tree-find'>;
  sampleCounts(subject: TableSubject): Answer<'sample-counts'>;
  describe(subject: TableSubject): Answer<'describe-view'>;
  edges(subject: TableSubject, asked: Asked<'call-edges'>): Answer<'call-edges'>;
}

const HEAVIEST_FIRST: RowOrder = { by: 'total', descending: true };

export function createTables(): Tables {
  const trees = new Map<number, TreeTable>();

  function treeOf({ id, view, tree }: TableSubject): TreeTable {
    const known = trees.get(id);
    if (known?.rows.tree === tree) return known;
    const table = createTreeTable(view.profile, tree, known?.rows.order ?? HEAVIEST_FIRST, known);
    trees.set(id, table);
    return table;
  }

  return {
    follow(subject) {
      // A tree that no table has asked for is followed by none.
      if (trees.has(subject.id)) treeOf(subject);
    },
    close(view) {
      trees.delete(view);
    },
    step(subject, { step, order }) {
      const table = treeOf(subject);
      table.sort(order);
      return spotAt(table, table.step(step));
    },
    rows: (subject, { first, count, order }) => treeOf(subject).read(first, count, order),
    find(subject, { find, order }) {
      const table = treeOf(subject);
      table.sort(order);
      return spotAt(table, table.find(find));
    },
    sampleCounts: ({ view }) => sampleCounts(view),
    describe: ({ profile, view, transforms, resolved }) =>
      describeSeen(profile, view, { selection: view.selection, transforms, resolved }),
    edges: ({ view }, { func }) => callersAndCallees(view, func),
  };
}

function spotAt({ rows }: TreeTable, row: number): TreeSpot {
  const node = row < 0 ? -1 : rows.window(row, 1).node[0]!;
  return { row, node, func: node < 0 ? -1 : rows.tree.func[node]!, rowCount: rows.length };
}
