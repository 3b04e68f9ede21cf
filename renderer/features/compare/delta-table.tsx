import type { TableLayout } from '#core/contract/settings.ts';
import { useCallback, useMemo, useRef, useState, type JSX } from 'react';
import type { SelectionDelta } from '#core/compare/measure/selection-delta.ts';
import type { ValueText } from '#core/compare/value-text.ts';
import { VERDICT_WORDS } from '#core/compare/verdict-words.ts';
import type { ViewPoint } from '../../ui/flame/flame-graph.types.ts';
import { chosenColumns } from '../../ui/table/column-widths.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { FUNCTION_TEXTS } from '../../ui/table/function-columns.ts';
import { keepRows, moduleRows } from '../../ui/table/module-list.ts';
import { rowsInOrder } from '../../ui/table/row-selection.ts';
import { csvText, tsvText } from '../../ui/table/table-export.ts';
import type { DataTableHandle, FunctionTexts, RowSet } from '../../ui/table/table.types.ts';
import { usePattern } from '../../ui/table/use-pattern.ts';
import { useRanks } from '../../ui/table/use-ranks.ts';
import type { FunctionText } from '../../../core/analyze/tables/table-protocol.ts';
import type { Compared } from '../../analysis/comparison/protocol.ts';
import type { CompareTableLook } from '../../state/compare/compare.types.ts';
import { deltaColumns, NARROW_DELTA_COLUMNS, OWN_DELTA_COLUMNS, type DeltaColumnsOf } from './delta-columns.ts';
import { shownDeltaExport, wholeDeltaExport } from './delta-export.ts';
import { DeltaFooter } from './delta-footer.tsx';
import { bothSides, kindCounts, rowStats, shownFlags } from './delta-rows.ts';
import { DeltaToolbar } from './delta-toolbar.tsx';
import { verdictReason } from './verdict-reason.ts';

/** What the table asks of whoever holds the captures. Keep its identity while the comparison stays. */
export interface DeltaRequests {
  /** 1 per function whose name matches. */
  readonly match: (pattern: string) => Promise<Uint8Array>;
  /** Why a pattern was refused; null where the question is outdated. */
  readonly explain: (error: unknown) => string | null;
  readonly sums: (functions: Int32Array) => Promise<SelectionDelta>;
  readonly ranks: (by: FunctionText) => Promise<Int32Array>;
}

export interface DeltaTableProps {
  /** Keep identity of it, `texts` and `values` while they stay the same. */
  readonly compared: Pick<
    Compared,
    'self' | 'total' | 'whole' | 'isReplicated' | 'sharesHost' | 'before' | 'after' | 'normalised'
  >;
  readonly texts: FunctionTexts;
  readonly values: ValueText;
  /** Columns that fit beside another pane. */
  readonly narrow: boolean;
  /** What the search found, by function. */
  readonly matches: Uint8Array | null;
  readonly selected: number | null;
  readonly onSelect: (func: number) => void;
  /** Enter and double click. */
  readonly onActivate: (func: number) => void;
  readonly onHover: (func: number | null) => void;
  readonly onContextMenu: (func: number, point: ViewPoint) => void;
  readonly look: CompareTableLook;
  readonly onLook: (change: Partial<CompareTableLook>) => void;
  readonly layout: TableLayout;
  readonly onLayout: (layout: TableLayout) => void;
  readonly requests: DeltaRequests;
  readonly onCopy: (tsv: string) => void;
  /** `rows`: what of the functions the export holds, in words. */
  readonly onExport: (csv: (notes: readonly string[]) => string, rows: string) => void;
}

/** Functions with what they weigh before and after, and what can be said of the difference. */
export function DeltaTable(props: DeltaTableProps): JSX.Element {
  const { compared, texts, values, matches, selected, requests, look, narrow } = props;
  const rows = useMemo(() => ({ self: compared.self, total: compared.total }), [compared]);
  const { length } = rows.total;
  const { ranks, sort } = useRanks(look.sort, length, requests.ranks, FUNCTION_TEXTS);
  const reason = verdictReason(compared);
  const of = useMemo<DeltaColumnsOf>(
    () => ({ rows, measure: look.measure, texts, values, reason, matches, ranks, narrow }),
    [rows, look.measure, texts, values, reason, matches, ranks, narrow],
  );
  const all = useMemo(() => deltaColumns(of), [of]);
  const own = narrow ? NARROW_DELTA_COLUMNS : OWN_DELTA_COLUMNS;
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
  return (
    <DataTable
      label={`Functions before and after, by ${look.measure}`}
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
          onCopyRows={() => copy(chosen === null ? shownRows() : rowsInOrder(shownRows(), chosen))}
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

/** Several functions, and what they weigh; none any more where the comparison is another. */
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
  if (asksVerdict && !sharesHost) return 'Nothing is called grew or shrank unless a host is on both sides.';
  if (asksVerdict && !isReplicated) return 'Nothing is called grew or shrank with fewer than 3 captures a side.';
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
