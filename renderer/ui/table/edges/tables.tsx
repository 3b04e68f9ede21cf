import { useMemo, useRef, useState, type JSX, type Ref } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { Neighbours } from '#core/analyze/tree/neighbours.ts';
import type { TableLayout } from '#core/contract/settings-schema.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { ViewPoint } from '../../flame/graph.types.ts';
import { chosenColumns } from '../grid/column-widths.ts';
import { TableActions, TableButton } from '../actions.tsx';
import { DataTable } from '../data-table.tsx';
import { bothLists, type EdgeList } from './both-lists.ts';
import {
  edgeColumns,
  edgeExport,
  NARROW_EDGE_COLUMNS,
  OWN_EDGE_COLUMNS,
  withSelf,
  type EdgeColumnsOf,
} from './columns.ts';
import { csvText, tsvText } from '../export.ts';
import type { TableFormat } from '../format.ts';
import { fitName } from '../../format.ts';
import type { CopyForm, DataTableHandle, FunctionTexts, ShownTable, SortOrder } from '../table.types.ts';
import { useAnswer } from '../use-answer.ts';

interface EdgeTablesProps {
  readonly func: FunctionIndex;
  /** Keep its identity while the view is unchanged. */
  readonly ask: (func: FunctionIndex) => Promise<Neighbours>;
  /** Stays the same object while the profile only grows; see `useAnswer`. */
  readonly lineage: object | null;
  readonly texts: FunctionTexts;
  readonly totalWeight: number;
  readonly format: TableFormat;
  readonly matches: Uint8Array | null;
  readonly narrow: boolean;
  /** Goes to a caller or callee, which becomes the function in the middle. */
  readonly onGo: (func: FunctionIndex) => void;
  /** Called on a middle-click or Ctrl-click. */
  readonly onOpenNew?: ((func: FunctionIndex) => void) | undefined;
  /** Returns to the previous function; undefined if there is none. */
  readonly onBack: (() => void) | undefined;
  readonly onContextMenu: (func: FunctionIndex, point: ViewPoint) => void;
  readonly layout: TableLayout;
  readonly onLayout: (layout: TableLayout) => void;
  readonly onCopy: (tsv: string) => void;
  /** Copies both tables' rows as they are on screen. */
  readonly onCopyAs: (form: CopyForm, table: ShownTable) => void;
  /** Receives the text below the lines that describe the view. */
  readonly onExport: (csv: (notes: readonly string[]) => string) => void;
}

const UNKNOWN = { edges: null, totalWeight: 0 };

/** Callers and callees of a function side by side; Enter or double click moves on through the program. */
export function EdgeTables(props: EdgeTablesProps): JSX.Element {
  const { func, ask, lineage, texts, format, matches, narrow, layout } = props;
  const known = useAnswer(
    useMemo(
      () => async () => ({ func, edges: await ask(func), totalWeight: props.totalWeight }),
      [ask, func, props.totalWeight],
    ),
    lineage,
  );
  const { edges, totalWeight } = known?.func === func ? known : UNKNOWN;
  const lists = useMemo(() => {
    if (edges === null) return null;
    const of = { texts, functionTotal: edges.total, totalWeight, format, matches, narrow };
    return {
      callers: { ...of, list: edges.callers, noun: 'Caller' },
      callees: { ...of, list: withSelf(edges.callees, edges.self), noun: 'Callee' },
    };
  }, [edges, texts, totalWeight, format, matches, narrow]);
  const weight = (value: number) => `${format.value(value)} · ${format.share(value, totalWeight)}`;
  const shown = layout.columns ?? ownColumns(narrow);
  const callers = useRef<DataTableHandle>(null);
  const callees = useRef<DataTableHandle>(null);
  const both = (): ReturnType<typeof bothLists> | null => {
    if (lists === null) return null;
    const listOf = (of: EdgeColumnsOf, table: DataTableHandle | null): EdgeList => ({
      noun: of.noun,
      columns: chosenColumns(edgeColumns(of), ownColumns(narrow), layout),
      exported: edgeExport(of),
      rows: table?.shown() ?? new Int32Array(0),
    });
    return bothLists(listOf(lists.callers, callers.current), listOf(lists.callees, callees.current));
  };
  const copyRows = (form: CopyForm | ''): void => {
    const joined = both();
    if (joined === null) return;
    if (form === '') props.onCopy(tsvText(joined.exported, joined.shown.rows));
    else props.onCopyAs(form, { label: `Callers and callees of ${texts.name(func)}`, ...joined.shown });
  };
  const exportRows = (): void => {
    const joined = both();
    if (joined !== null) props.onExport((notes) => csvText(notes, joined.exported, joined.shown.rows));
  };
  const isRecursive = edges !== null && sum(edges.callers.weight) > edges.total * (1 + Number.EPSILON * 1024);
  return (
    <div className="edge-tables">
      <div className="table-toolbar">
        <TableButton label="‹ Back" title="Back to the previous function" onClick={props.onBack} />
        <b className="mono ellipsis edge-name" title={visibleText(texts.name(func).slice(0, 2000))}>
          {fitName(visibleText(texts.name(func).slice(0, 2000)), 120)}
        </b>
        {edges !== null && (
          <span className="table-count">
            self <b className="mono">{weight(edges.self)}</b> · total <b className="mono">{weight(edges.total)}</b>
            {isRecursive && (
              <span className="dim" title="A stack in which the function recurs counts for each of its callers">
                {' '}
                · recursive: callers sum to more
              </span>
            )}
          </span>
        )}
        {lists !== null && (
          <TableActions
            columns={edgeColumns(lists.callers)}
            shownColumns={shown}
            layout={layout}
            onLayout={props.onLayout}
            onCopyRows={copyRows}
            onExportRows={exportRows}
          />
        )}
      </div>
      {lists !== null && (
        <div className="edge-pair">
          <EdgeTable {...props} of={lists.callers} label="Callers" handle={callers} />
          <EdgeTable {...props} of={lists.callees} label="Callees" handle={callees} />
        </div>
      )}
    </div>
  );
}

const ownColumns = (narrow: boolean): string[] => (narrow ? NARROW_EDGE_COLUMNS : OWN_EDGE_COLUMNS);

const BY_WEIGHT: SortOrder = { column: 'weight', direction: 'descending' };

interface EdgeTableProps extends EdgeTablesProps {
  readonly of: EdgeColumnsOf;
  readonly label: string;
  readonly handle: Ref<DataTableHandle>;
}

/** An edge to or from `centre`; it stays selected while the profile grows. */
interface SelectedEdge {
  readonly centre: FunctionIndex;
  /** The lineage, or without one the list itself: what the function's index belongs to. */
  readonly within: object;
  /** Negative for the row of the function's own weight. */
  readonly func: number;
}

const rowOrNull = (row: number): number | null => (row < 0 ? null : row);

function EdgeTable({ of, label, handle, ...props }: EdgeTableProps): JSX.Element {
  const { func: centre, layout, onOpenNew } = props;
  const { list, narrow } = of;
  const within = props.lineage ?? list;
  const [selected, setSelected] = useState<SelectedEdge | null>(null);
  const isShown = selected !== null && selected.centre === centre && selected.within === within;
  const all = useMemo(() => edgeColumns(of), [of]);
  const columns = useMemo(() => chosenColumns(all, ownColumns(narrow), layout), [all, narrow, layout]);
  const funcAt = (row: number): FunctionIndex | null =>
    list.func[row]! < 0 ? null : (list.func[row] as FunctionIndex);
  const withFunction = (row: number, run: (func: FunctionIndex) => void): void => {
    const func = funcAt(row);
    if (func !== null) run(func);
  };
  return (
    <DataTable
      label={label}
      rowNoun={label.toLowerCase()}
      rowCount={list.length}
      columns={columns}
      sortable={all}
      initialSort={BY_WEIGHT}
      layout={layout}
      onLayout={props.onLayout}
      toolbar={null}
      selectedRow={isShown ? rowOrNull(list.func.indexOf(selected.func)) : null}
      onSelectRow={(row) => setSelected({ centre, within, func: list.func[row]! })}
      onActivateRow={(row) => withFunction(row, props.onGo)}
      onOpenNewRow={onOpenNew && ((row) => withFunction(row, onOpenNew))}
      onContextMenu={(row, point) => withFunction(row, (func) => props.onContextMenu(func, point))}
      onCopy={(rows) => props.onCopy(tsvText(edgeExport(of), rows))}
      handle={handle}
    />
  );
}

function sum(weights: Float64Array): number {
  return weights.reduce((total, weight) => total + weight, 0);
}
