import type { TableLayout } from '#core/contract/settings-schema.ts';
import { useCallback, useMemo, useRef, useState, type JSX } from 'react';
import type { SelectionDelta } from '#core/compare/selection-delta.ts';
import type { ValueText } from '#core/compare/value-text.ts';
import { VERDICT_WORDS } from '#core/compare/verdict-words.ts';
import type { ViewPoint } from '../../../ui/flame/graph.types.ts';
import { chosenColumns } from '../../../ui/table/grid/column-widths.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { FUNCTION_TEXTS } from '../../../ui/table/functions/columns.ts';
import { keepRows, moduleRows } from '../../../ui/table/functions/module-list.ts';
import { rowsInOrder } from '../../../ui/table/grid/row-selection.ts';
import { csvText, tsvText } from '../../../ui/table/export.ts';
import type { CopyForm, DataTableHandle, FunctionTexts, RowSet, ShownTable } from '../../../ui/table/table.types.ts';
import { usePattern } from '../../../ui/table/functions/use-pattern.ts';
import { useRanks } from '../../../ui/table/functions/use-ranks.ts';
import type { FunctionText } from '../../../../core/analyze/tables/table-protocol.ts';
import type { Compared } from '../../../analysis/comparison/protocol.ts';
import type { CompareTableLook } from '../../../state/compare/compare.types.ts';
import { deltaColumns, ownDeltaColumns, type DeltaColumnsOf } from '../../../ui/table/delta-columns.ts';
import { shownDeltaExport, wholeDeltaExport } from './export.ts';
import { DeltaFooter } from './footer.tsx';
import { bothSides, kindCounts, rowStats, shownFlags } from './rows.ts';
import { DeltaToolbar } from './toolbar.tsx';
import { verdictReason } from '../../../state/comparison-texts.ts';

/** The table's requests about captures. Keep its identity while the comparison is unchanged. */
export interface DeltaRequests {
  /** Returns 1 for each function whose name matches, else 0. */
  readonly match: (pattern: string) => Promise<Uint8Array>;
  /** Returns why a pattern was refused; null if the question is outdated. */
  readonly explain: (error: unknown) => string | null;
  readonly sums: (functions: Int32Array) => Promise<SelectionDelta>;
  readonly ranks: (by: FunctionText) => Promise<Int32Array>;
}

export interface DeltaTableProps {
  /** Keep the identity of this, `texts` and `values` while they are unchanged. */
  readonly compared: Pick<
    Compared,
    | 'self'
    | 'total'
    | 'whole'
    | 'isReplicated'
    | 'runs'
    | 'sharesHost'
    | 'before'
    | 'after'
    | 'normalised'
    | 'growthFirst'
  >;
  readonly texts: FunctionTexts;
  readonly values: ValueText;
  /** True uses only columns that fit next to another pane. */
  readonly narrow: boolean;
  /** By function: 1 if the search matches, else 0; null without a search. */
  readonly matches: Uint8Array | null;
  readonly selected: number | null;
  readonly onSelect: (func: number) => void;
  /** Called on Enter and a double click. */
  readonly onActivate: (func: number) => void;
  /** Called on a middle-click or Ctrl-click. */
  readonly onOpenNew?: ((func: number) => void) | undefined;
  readonly onHover: (func: number | null) => void;
  readonly onContextMenu: (func: number, point: ViewPoint) => void;
  readonly look: CompareTableLook;
  readonly onLook: (change: Partial<CompareTableLook>) => void;
  readonly layout: TableLayout;
  readonly onLayout: (layout: TableLayout) => void;
  readonly requests: DeltaRequests;
  readonly onCopy: (tsv: string) => void;
  /** Copies rows as they are on screen; `filters` says in words which functions they are. */
  readonly onCopyAs?: (form: CopyForm, table: ShownTable, filters: string) => void;
  /** `rows` says in words which functions the export contains. */
  readonly onExport: (csv: (notes: readonly string[]) => string, rows: string) => void;
}

/** The table of functions with both sides' weights and the judgement of their difference. */
export function DeltaTable(props: DeltaTableProps): JSX.Element {
  const { compared, texts, values, matches, selected, requests, look, narrow } = props;
  const rows = useMemo(() => ({ self: compared.self, total: compared.total }), [compared]);
  const { length } = rows.total;
  const { ranks, sort } = useRanks(look.sort, length, requests.ranks, FUNCTION_TEXTS);
  const reason = verdictReason(compared);
  const { growthFirst } = compared;
  const of = useMemo<DeltaColumnsOf>(
    () => ({ rows, measure: look.measure, texts, values, reason, growthFirst, matches, ranks, narrow }),
    [rows, look.measure, texts, values, reason, growthFirst, matches, ranks, narrow],
  );
  const all = useMemo(() => deltaColumns(of), [of]);
  const own = ownDeltaColumns(of);
  const columns = useMemo(() => chosenColumns(all, own, props.layout), [all, own, props.layout]);

  const pattern = usePattern(look.pattern, requests.match, requests.explain);
  const stats = useMemo(() => rowStats(length, rows.self.delta), [length, rows]);
  const { kept, hiddenCount, hiddenSelf } = useMemo(
    () => keepRows(stats, texts, shownFlags(rows, look.measure, look.show, pattern.matches), look.hiddenModules),
    [stats, texts, rows, look.measure, look.show, pattern.matches, look.hiddenModules],
  );
  const { chosen, setChosen, ask } = useChosenFunctions(compared, requests);

  const table = useRef<DataTableHandle>(null);
  const shownRows = (): Int32Array => table.current?.shown() ?? new Int32Array(0);
  const ids = columns.map(({ id }) => id);
  const { unit } = compared.normalised;
  const copy = (which: Int32Array): void => props.onCopy(tsvText(shownDeltaExport(of, unit, ids), which));
  const label = `Functions before and after, by ${look.measure}`;
  return (
    <DataTable
      label={label}
      rowNoun="functions"
      rowCount={length}
      columns={columns}
      sortable={all}
      initialSort={look.sort}
      sort={sort}
      onSort={(next) => props.onLook({ sort: next })}
      layout={props.layout}
      onLayout={props.onLayout}
      kept={kept}
      emptyHint={emptyHint(look, compared)}
      selectedRow={selected}
      selectedRows={chosen}
      onSelectRows={setChosen}
      onSelectRow={props.onSelect}
      onActivateRow={props.onActivate}
      onOpenNewRow={props.onOpenNew}
      onHoverRow={props.onHover}
      onContextMenu={props.onContextMenu}
      onCopy={copy}
      toolbar={
        <DeltaToolbar
          look={look}
          onLook={props.onLook}
          running={pattern.running}
          refused={pattern.refused}
          counts={useMemo(() => kindCounts(rows, look.measure), [rows, look.measure])}
          shown={length - hiddenCount}
          modules={useMemo(() => moduleRows(rowStats(length, bothSides(rows.self)), texts), [length, rows, texts])}
          totalWeight={compared.before.total + compared.after.total}
          columns={all}
          shownColumns={ids}
          layout={props.layout}
          onLayout={props.onLayout}
          focusRows={() => table.current?.focus()}
          onCopyRows={(form) => {
            const which = chosen === null ? shownRows() : rowsInOrder(shownRows(), chosen);
            if (form === '') copy(which);
            else props.onCopyAs?.(form, { label, columns, rows: which }, rowsText(look, shownRows().length, length));
          }}
          onExportRows={() => {
            const columnsOfAll = wholeDeltaExport(of, unit);
            const exported = shownRows();
            props.onExport((notes) => csvText(notes, columnsOfAll, exported), rowsText(look, exported.length, length));
          }}
        />
      }
      footer={<DeltaFooter {...props} chosen={chosen} ask={ask} hiddenDelta={hiddenSelf} />}
      handle={table}
    />
  );
}

/** Keeps the selected functions and requests their combined weight; cleared when the comparison changes. */
function useChosenFunctions(compared: object, requests: DeltaRequests) {
  const [kept, setKept] = useState<{ readonly compared: object; readonly rows: RowSet } | null>(null);
  const chosen = kept !== null && kept.compared === compared ? kept.rows : null;
  const setChosen = useCallback(
    (rows: RowSet | null) => setKept(rows === null || rows.count === 0 ? null : { compared, rows }),
    [compared],
  );
  const ask = useCallback(() => {
    const flags = chosen?.flags ?? new Uint8Array(0);
    return requests.sums(Int32Array.from(flags.keys()).filter((func) => flags[func] === 1));
  }, [requests, chosen]);
  return { chosen, setChosen, ask };
}

function emptyHint(
  { show, measure }: CompareTableLook,
  { isReplicated, sharesHost }: DeltaTableProps['compared'],
): string {
  const asksVerdict = show === 'changed' || show === 'grew' || show === 'shrank';
  if (asksVerdict && !sharesHost) return 'Verdicts of grew or shrank need a host on both sides.';
  if (asksVerdict && !isReplicated) return 'Verdicts of grew or shrank need at least 3 captures per side.';
  if (asksVerdict) return `No clear change, by ${measure}.`;
  return '';
}

function rowsText({ pattern, show, measure, hiddenModules }: CompareTableLook, shown: number, all: number): string {
  const filters = [
    ...(pattern === '' ? [] : [`names match /${pattern}/`]),
    ...(show === 'all' ? [] : [`${show === 'suggestive' ? VERDICT_WORDS.suggestive : show} by ${measure}`]),
    ...(hiddenModules.length === 0 ? [] : [`without ${hiddenModules.length} modules`]),
  ];
  return `${shown} of ${all} functions${filters.length === 0 ? '' : ` (${filters.join(', ')})`}`;
}
