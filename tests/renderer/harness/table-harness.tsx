import { nodesOfPaths, pathsOfNodes } from '#core/analyze/tree/open-paths.ts';
import { sumOfNodes } from '#core/analyze/tables/selection-sums.ts';
import { useMemo, useState, type JSX } from 'react';
import { sumOfFunctions } from '#core/analyze/tables/selection-sums.ts';
import { sampleCounts } from '#core/analyze/tables/function-stats.ts';
import { functionNames, matchNames } from '#core/analyze/search.ts';
import type { CallTree, FunctionStats, StackView } from '#core/analyze/view/stack-view.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import { createFormatter } from '#core/units/format.ts';
import type { FunctionRequests } from '../../../renderer/ui/table/functions/functions.types.ts';
import { BY_SELF, FunctionTableView } from '../../../renderer/ui/table/functions/table.tsx';
import { tableFormat } from '../../../renderer/ui/table/format.ts';
import { OWN_LAYOUT, type FunctionTexts, type SortOrder } from '../../../renderer/ui/table/table.types.ts';
import { INITIAL_TABLES_DISPLAY } from '../../../renderer/ui/table/tables-display.ts';
import { TreeTableView } from '../../../renderer/ui/table/tree/table.tsx';
import type { TreeTableSource } from '../../../renderer/ui/table/tree/use-rows.ts';
import { createTables } from '../../../renderer/analysis/profile/tables.ts';
import { millionNodes } from './made-up-tree.ts';

const formatter = createFormatter('en');

interface HarnessTableProps {
  readonly stats: FunctionStats;
  readonly texts: FunctionTexts;
  readonly totalWeight: number;
  readonly absoluteWeight?: number;
  readonly withoutStack: number;
  readonly unit: string;
  readonly requests: FunctionRequests;
  readonly selected: FunctionIndex | null;
  readonly onSelect: (func: FunctionIndex) => void;
  readonly onActivate?: (func: FunctionIndex) => void;
}

/** The function table as in the workbench, with its state in the page. */
export function HarnessTable({ unit, ...props }: HarnessTableProps): JSX.Element {
  const [look, setLook] = useState(INITIAL_TABLES_DISPLAY);
  const [layout, setLayout] = useState(OWN_LAYOUT);
  const format = useMemo(() => tableFormat('en', formatter, unit, props.totalWeight), [unit, props.totalWeight]);
  return (
    <FunctionTableView
      {...props}
      format={format}
      matches={null}
      look={look}
      onLook={(change) => setLook({ ...look, ...change })}
      ownSort={BY_SELF}
      layout={layout}
      onLayout={setLayout}
      onCommand={() => undefined}
      onCopy={(text) => {
        document.documentElement.dataset['copied'] = text;
      }}
      onExport={(text) => {
        document.documentElement.dataset['exported'] = text;
      }}
    />
  );
}

/** Answers requests from a view in memory. */
export function viewRequests(view: StackView): FunctionRequests {
  return {
    match: async (pattern) => matchNames(functionNames(view.profile), pattern, { ignoreCase: !/[A-Z]/.test(pattern) }),
    explain: String,
    sums: async (functions) => sumOfFunctions(view, functions),
    sampleCounts: async () => sampleCounts(view),
    ranks: async () => new Int32Array(view.profile.functions.length),
    notes: async () => ['harness'],
  };
}

/** Texts of synthetic functions. */
export const MADE_UP_TEXTS: FunctionTexts = {
  name: (func) => `function_${func}`,
  module: (func) => `module_${func % 7}`,
  moduleId: (func) => func % 7,
  source: () => '',
  kind: () => 'user',
};

/** `?rows=1000000` shows the table alone, with synthetic functions. */
export function RowsHarness({ rows }: { readonly rows: number }): JSX.Element {
  const [selected, setSelected] = useState<FunctionIndex | null>(null);
  const stats = useMemo(() => {
    const func = Int32Array.from({ length: rows }, (_, row) => row);
    const total = Float64Array.from(func, (row) => (row * 7919) % 1_000_003);
    return { length: rows, func, self: total.map((weight) => Math.floor(weight / 3)), total };
  }, [rows]);
  // In memory, as in the worker that runs patterns.
  const names = useMemo(() => Array.from(stats.func, (func) => `function_${func}`), [stats]);
  const requests = useMemo<FunctionRequests>(
    () => ({
      match: async (pattern) => matchNames(names, pattern, { ignoreCase: true }),
      explain: String,
      sums: async () => ({ self: 0, total: 0 }),
      sampleCounts: async () => stats,
      ranks: async () => {
        const order = names.map((name, func) => [name, func] as const);
        order.sort(([a], [b]) => (a < b ? -1 : 1));
        const ranks = new Int32Array(rows);
        order.forEach(([, func], place) => {
          ranks[func] = place;
        });
        return ranks;
      },
      notes: async () => [],
    }),
    [stats, names, rows],
  );
  return (
    <main className="one">
      <HarnessTable
        stats={stats}
        texts={MADE_UP_TEXTS}
        totalWeight={1_000_003}
        withoutStack={0}
        unit="microseconds"
        requests={requests}
        selected={selected}
        onSelect={setSelected}
      />
    </main>
  );
}

/** Answers the table's requests from a tree in memory. */
function localTree(view: StackView, tree: CallTree): TreeTableSource {
  const tables = createTables();
  const subject = {
    id: 0,
    view,
    tree,
    profile: view.profile,
    transforms: [],
    resolved: { base: view.profile.functions, strings: [], functions: view.profile.functions, steps: [], found: [] },
  };
  return {
    length: tree.length,
    rows: async (first, count, order) => tables.rows(subject, { first, count, order }),
    step: async (step, order) => tables.step(subject, { step, order }),
    find: async (find, order) => tables.find(subject, { find, order }),
    sums: async (rows) => sumOfNodes(tree, rows),
    paths: async (nodes) => pathsOfNodes(tree, nodes),
    nodes: async (paths) => nodesOfPaths(tree, paths),
  };
}

interface TreeHarnessProps {
  readonly view: StackView;
  readonly tree: CallTree;
}

/** The call tree's table alone. */
export function TreeHarness({ view, tree }: TreeHarnessProps): JSX.Element {
  const source = useMemo(() => localTree(view, tree), [view, tree]);
  const { strings, functions } = view.profile;
  const texts = useMemo<FunctionTexts>(
    () => ({
      name: (func) => strings[functions.name[func]!]!,
      module: (func) => strings[functions.module[func]!]!,
      moduleId: (func) => functions.module[func]!,
      source: () => '',
      kind: () => 'user',
    }),
    [strings, functions],
  );
  const [selected, setSelected] = useState<CallNodeIndex | null>(null);
  const [sort, setSort] = useState<SortOrder>({ column: 'total', direction: 'descending' });
  const [layout, setLayout] = useState(OWN_LAYOUT);
  const format = useMemo(() => tableFormat('en', formatter, 'microseconds', tree.total[0]!), [tree]);
  return (
    <main className="one">
      <TreeTableView
        label="Call tree, top-down"
        lineage={null}
        narrow={false}
        source={source}
        texts={texts}
        totalWeight={tree.total[0]!}
        format={format}
        matches={null}
        selected={selected}
        onSelect={({ node }) => setSelected(node)}
        onActivate={({ node }) => {
          document.documentElement.dataset['zoomed'] = String(node);
        }}
        onContextMenu={() => undefined}
        sort={sort}
        onSort={setSort}
        layout={layout}
        onLayout={setLayout}
        onCommand={() => undefined}
        onCopy={(text) => {
          document.documentElement.dataset['copied'] = text;
        }}
        onExport={() => undefined}
      />
    </main>
  );
}

/** `?nodes=1000000` shows a synthetic call tree of a million nodes. */
export function NodesHarness(): JSX.Element {
  const [{ view, tree }] = useState(millionNodes);
  return <TreeHarness view={view} tree={tree} />;
}
