import { useEffect, useMemo, useRef, useState, type JSX, type ReactElement } from 'react';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import { frameColours, type ColourScheme } from '#core/colour/frame-colour.ts';
import type { FrameRef, Theme, ViewPoint } from '../../ui/flame/graph.types.ts';
import { functionFacts } from '../../../core/model/function-facts.ts';
import { useFunctions, useLineage, useProfileTab, useView, useViewState } from '../../state/profile/context.ts';
import { useRunCommand } from '../../state/run-command.ts';
import { copyText } from '../../ui/copy-text.ts';
import { format as formatter, numberLocale } from '../../ui/format.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { useStore } from '../../state/store.ts';
import { saveCsv } from '../../state/transforms/export-file.ts';
import { useNotes, useRowPins } from '../../state/notes/context.ts';
import { rowPins } from '../../state/notes/pins.ts';
import type { ProfileTab } from '../../state/profile/tab.ts';
import { tabTitle, titleWithId } from '../../state/tab-title.ts';
import { usePinnedText } from './pinned-text.ts';
import { useColours } from '../../state/use-colours.ts';
import type { Analysis, FunctionNames, TreeChoice } from '../../analysis/profile/protocol.ts';
import { EdgeTables } from '../../ui/table/edges/tables.tsx';
import { BY_SELF, FunctionTableView } from '../../ui/table/functions/table.tsx';
import { tableGrowth } from '../../ui/table/functions/growth-columns.ts';
import { functionTexts } from '../../state/function-text.ts';
import { tableFormat, type TableFormat } from '../../ui/table/format.ts';
import { tableRequests, type TableRequests } from '../../state/profile/table-requests.ts';
import { errorText } from '../../state/weight-format.ts';
import { useOpenNew } from '../panes/open-new.ts';
import { useTableLayout } from '../panes/use-table-layout.ts';
import { useCopyTable } from '../reports/use-copy-table.ts';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import type { TablesDisplay } from '../../ui/table/tables-display.ts';
import { TableTabs } from '../../ui/table/tabs.tsx';
import type { FunctionTexts, SortOrder } from '../../ui/table/table.types.ts';
import { TreeTableView } from '../../ui/table/tree/table.tsx';

interface TablesPaneProps {
  readonly analysis: Analysis;
  readonly theme: Theme;
  readonly onMenu: (frame: FrameRef, point: ViewPoint, from: 'graph' | 'table') => void;
  /** Called on Enter and a double click in the function table. */
  readonly onFocusFunction: (func: FunctionIndex) => void;
}

/**
 * The tables below or next to the graph: functions, the call tree as rows, or the callers and callees of a function.
 */
export function TablesPane(props: TablesPaneProps): JSX.Element {
  const { preferences } = useWorkbench();
  const page = useStore(preferences, (state) => state.table);
  const pane = useRef<HTMLDivElement>(null);
  useRowPins(pane);
  const shared = useShared(props, useIsNarrow(pane));
  return (
    <div ref={pane} className="table-pane fill">
      <TableTabs page={page} onPage={(table) => preferences.set({ table })}>
        {page === 'functions' && <Functions {...props} {...shared} />}
        {page === 'tree' && <Tree {...props} {...shared} />}
        {page === 'edges' && <Edges {...props} {...shared} />}
      </TableTabs>
    </div>
  );
}

interface Shared {
  readonly texts: FunctionTexts;
  readonly tables: TableFormat;
  readonly requests: TableRequests;
  readonly matches: Uint8Array | null;
  readonly narrow: boolean;
}

type PageProps = TablesPaneProps & Shared;

/** Returns the graph's colours of functions. */
function colourOf(functions: FunctionNames, scheme: ColourScheme): (func: FunctionIndex) => string {
  const colours = frameColours(scheme);
  return (func) => colours(functionFacts({ strings: functions.strings, functions }, func));
}

function useShared({ analysis, theme }: TablesPaneProps, narrow: boolean): Shared {
  const { store } = useWorkbench();
  const tab = useProfileTab();
  const view = useView();
  const functions = useFunctions();
  const valueType = useViewState((state) => state.selection.valueType);
  const search = useViewState((state) => state.search);
  const { pins } = useNotes();
  const { mode, slots } = useColours();
  const scheme = useMemo(() => ({ mode, slots, theme }), [mode, slots, theme]);
  const unit = view.profile.valueTypes[valueType]!.unit;
  return {
    texts: useMemo(
      () => ({ ...functionTexts(functions), colour: colourOf(functions, scheme), ...rowPins(pins) }),
      [functions, scheme, pins],
    ),
    tables: useMemo(
      () => tableFormat(numberLocale(), formatter, unit, analysis.total, (part) => errorText(part, analysis)),
      [unit, analysis],
    ),
    requests: useMemo(
      () => tableRequests(view, analysis, () => titleWithId(tab, store.get().captures)),
      [view, analysis, tab, store],
    ),
    matches: search.status === 'matched' ? search.matches.flags : null,
    narrow,
  };
}

const copy = (text: string): void => void copyText(text);

function Functions(props: PageProps): ReactElement {
  const { analysis, texts, tables, requests, matches, narrow } = props;
  const view = useView();
  const picked = useViewState((state) => state.picked);
  const look = useViewState((state) => state.tables);
  const tab = useProfileTab();
  const { live } = tab;
  const openNew = useOpenNew(tab);
  const copyTable = useCopyTable(tab);
  const { store } = useWorkbench();
  const stats = useMemo(() => ({ length: analysis.rows.func.length, ...analysis.rows }), [analysis]);
  const { trends, pinned } = analysis;
  const values = usePinnedText(pinned);
  const growth = useMemo(
    () =>
      live === null
        ? null
        : tableGrowth({
            trends,
            pinned: pinned === null || values === null ? null : { values, self: pinned.self, total: pinned.total },
          }),
    [live, trends, pinned, values],
  );
  return (
    <FunctionTableView
      narrow={narrow}
      lineage={useLineage()}
      growth={growth}
      stats={stats}
      texts={texts}
      totalWeight={analysis.total}
      absoluteWeight={analysis.absolute}
      withoutStack={analysis.withoutStack}
      format={tables}
      matches={matches}
      selected={picked?.func ?? null}
      onSelect={(func) => view.pick({ func, node: null })}
      onActivate={props.onFocusFunction}
      onOpenNew={openNew && ((func) => openNew({ func, node: null }))}
      onContextMenu={(func, point) => {
        const { details, zoomNode } = view.store.get();
        props.onMenu({ node: details?.stack.at(-1)?.node ?? zoomNode, func }, point, 'table');
      }}
      look={look}
      onLook={view.lookAtTables}
      ownSort={useOwnSort()}
      {...useTableLayout('functions')}
      requests={requests.functions}
      onCopy={copy}
      onCopyAs={(form, table) =>
        copyTable(form, table, async () => [...(await requests.functions.notes()), ...filterNotes(look)])
      }
      onCommand={useRunCommand()}
      onExport={(csv) => saveCsv(csv, tabTitle(tab, store.get().captures), 'functions')}
    />
  );
}

/** Returns a function that saves a table as CSV, below the lines that describe the view. */
function useSaveTable(
  tab: ProfileTab,
  name: string,
  { functions }: TableRequests,
): (csv: (notes: readonly string[]) => string) => void {
  const { store, report } = useWorkbench();
  return (csv) => {
    functions
      .notes()
      .then((notes) => saveCsv(csv(notes), tabTitle(tab, store.get().captures), name))
      .catch(report);
  };
}

/** Returns the filters of the table, one line each. */
const filterNotes = ({ pattern, hiddenModules }: TablesDisplay): string[] => [
  ...(pattern === '' ? [] : [`only functions that match /${pattern}/`]),
  ...(hiddenModules.length === 0 ? [] : [`without modules: ${hiddenModules.join(', ')}`]),
];

/** Returns the sort order from the value type's defaults, else by self. */
function useOwnSort(): SortOrder {
  const { profile } = useView();
  const valueType = useViewState((state) => state.selection.valueType);
  const defaults = useStore(useWorkbench().preferences, (state) => state.valueTypes);
  const chosen = defaults.find(({ type }) => type === profile.valueTypes[valueType]!.type)?.sort ?? null;
  return useMemo(() => {
    if (chosen === null) return BY_SELF;
    const column = chosen === 'name' ? 'function' : chosen;
    return { column, direction: chosen === 'self' || chosen === 'total' ? 'descending' : 'ascending' };
  }, [chosen]);
}

const TREE_NAMES: Readonly<Record<TreeChoice['kind'], string>> = {
  'top-down': 'Call tree, top-down',
  'bottom-up': 'Call tree, bottom-up',
  'time-order': 'Call tree, top-down',
  sandwich: 'Call tree, top-down',
};

const BY_TOTAL: SortOrder = { column: 'total', direction: 'descending' };
/** Rows of a growing tree do not jump. */
const BY_NAME: SortOrder = { column: 'function', direction: 'ascending' };

function Tree({ analysis, texts, tables, requests, matches, narrow, onMenu }: PageProps): ReactElement {
  const view = useView();
  const tab = useProfileTab();
  const { live } = tab;
  const copyTable = useCopyTable(tab);
  const look = useViewState((state) => state.tables);
  const selected = useSelectedNode(analysis);
  const openNew = useOpenNew(tab);
  const lineage = useLineage();
  return (
    <TreeTableView
      label={TREE_NAMES[analysis.tree.kind]}
      lineage={live === null ? null : lineage}
      narrow={narrow}
      source={requests.tree}
      texts={texts}
      totalWeight={analysis.total}
      format={tables}
      matches={matches}
      selected={selected}
      onSelect={({ node, func }) => view.pick(func === null ? null : { func, node })}
      onActivate={({ node }) => view.zoom(node)}
      onOpenNew={openNew && (({ func, node }) => func !== null && openNew({ func, node }))}
      onContextMenu={(frame, point) => onMenu(frame, point, 'graph')}
      sort={look.treeSort ?? (live === null ? BY_TOTAL : BY_NAME)}
      onSort={(treeSort) => view.lookAtTables({ treeSort })}
      {...useTableLayout('tree')}
      onCopy={copy}
      onCopyAs={(form, table) => copyTable(form, table, requests.functions.notes)}
      onExport={useSaveTable(tab, 'tree', requests)}
      onCommand={useRunCommand()}
    />
  );
}

/** Returns the selected node; if a function was selected, its heaviest one. */
function useSelectedNode(analysis: Analysis): CallNodeIndex | null {
  const picked = useViewState((state) => state.picked);
  const details = useViewState((state) => state.details);
  if (picked === null || picked.revision !== analysis.revision) return null;
  return picked.node ?? details?.stack.at(-1)?.node ?? null;
}

function Edges({ analysis, texts, tables, requests, matches, narrow, onMenu }: PageProps): ReactElement {
  const view = useView();
  const picked = useViewState((state) => state.picked);
  const onBack = useWayBack(picked?.func ?? null);
  const tab = useProfileTab();
  const openNew = useOpenNew(tab);
  const copyTable = useCopyTable(tab);
  const save = useSaveTable(tab, 'callers-callees', requests);
  const layout = useTableLayout('edges');
  const lineage = useLineage();
  if (picked === null) {
    return (
      <p className="panel-hint">Select a function in the graph or another table to see its callers and callees.</p>
    );
  }
  return (
    <EdgeTables
      func={picked.func}
      ask={requests.edges}
      lineage={lineage}
      texts={texts}
      totalWeight={analysis.total}
      format={tables}
      matches={matches}
      narrow={narrow}
      onGo={(func) => view.pick({ func, node: null })}
      onOpenNew={openNew && ((func) => openNew({ func, node: null }))}
      onBack={onBack}
      onContextMenu={(func, point) => onMenu({ node: view.store.get().zoomNode, func }, point, 'table')}
      {...layout}
      onCopy={copy}
      onCopyAs={(form, table) => copyTable(form, table, requests.functions.notes)}
      onExport={save}
    />
  );
}

/** Number of steps back that are kept. */
const MAX_WAY = 100;

/** Returns what goes back to the previous function, for as long as the page is shown; undefined if there is none. */
function useWayBack(func: FunctionIndex | null): (() => void) | undefined {
  const view = useView();
  const [way, setWay] = useState<readonly FunctionIndex[]>([]);
  const last = useRef(func);
  useEffect(() => {
    const before = last.current;
    last.current = func;
    if (before === null || before === func) return;
    setWay((taken) => (taken.at(-1) === func ? taken.slice(0, -1) : [...taken, before].slice(-MAX_WAY)));
  }, [func]);
  const back = way.at(-1);
  return back === undefined ? undefined : () => view.pick({ func: back, node: null });
}
