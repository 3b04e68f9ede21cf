import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { callersAndCallees } from '#core/analyze/tree/neighbours.ts';
import { sampleCounts } from '#core/analyze/tables/function-stats.ts';
import type { RowOrder } from '#core/analyze/tree/sorted-children.ts';
import type { CallTree, StackView } from '#core/analyze/view/stack-view.ts';
import type { ResolvedTransforms } from '#core/analyze/view/transforms.ts';
import { describeView } from '#core/export/describe-view.ts';
import type { Profile } from '#core/model/profile.ts';
import type { TableMethods, TreeSpot } from '../../../core/analyze/tables/table-protocol.ts';
import { createTreeTable, type ExpandedTree } from './tree-table.ts';

/** The view of a profile that its tables show. */
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

/** The tree tables of all views of a profile, with their open rows. */
export interface Tables {
  /** Switches a view to new content; open rows of its tree stay open. */
  follow(subject: TableSubject): void;
  close(view: number): void;
  step(subject: TableSubject, asked: Asked<'tree-step'>): Answer<'tree-step'>;
  rows(subject: TableSubject, asked: Asked<'tree-rows'>): Answer<'tree-rows'>;
  find(subject: TableSubject, asked: Asked<'tree-find'>): Answer<'tree-find'>;
  sampleCounts(subject: TableSubject): Answer<'sample-counts'>;
  describe(subject: TableSubject, asked: Asked<'describe-view'>): Answer<'describe-view'>;
  edges(subject: TableSubject, asked: Asked<'call-edges'>): Answer<'call-edges'>;
}

const HEAVIEST_FIRST: RowOrder = { by: 'total', descending: true };

export function createTables(): Tables {
  const trees = new Map<number, ExpandedTree>();

  function treeOf({ id, view, tree }: TableSubject): ExpandedTree {
    const known = trees.get(id);
    if (known?.rows.tree === tree) return known;
    const table = createTreeTable(view.profile, tree, known?.rows.order ?? HEAVIEST_FIRST, known);
    trees.set(id, table);
    return table;
  }

  return {
    follow(subject) {
      // No table has shown this tree yet, so there is nothing to carry over.
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
    describe: ({ profile, view, transforms, resolved }, { captureName }) =>
      describeView(profile, view, { selection: view.selection, transforms, resolved, captureName }),
    edges: ({ view }, { func }) => callersAndCallees(view, func),
  };
}

function spotAt({ rows }: ExpandedTree, row: number): TreeSpot {
  const node = row < 0 ? -1 : rows.window(row, 1).node[0]!;
  return { row, node, func: node < 0 ? -1 : rows.tree.func[node]!, rowCount: rows.length };
}
