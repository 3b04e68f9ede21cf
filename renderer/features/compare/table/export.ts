import type { Metric } from '#core/compare/statistics/judge.ts';
import { comparisonNotes } from '#core/compare/describe-comparison.ts';
import { judgementColumns } from '#core/export/judgement-columns.ts';
import type { MatchRules } from '#core/compare/match/match-rules.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { ExportColumn } from '../../../ui/table/export.ts';
import { PRESENCES } from '#core/compare/judged-rows.ts';
import type { Compared, ComparedCaptureRow, ComparedSideRows } from '../../../analysis/comparison/protocol.ts';
import type { DeltaColumnsOf, DeltaTextId } from '../../../ui/table/delta-columns.ts';
import { judgementAt } from '#core/compare/judged-rows.ts';

/** Returns the visible columns for export; an interval becomes its ends and its level. */
export function shownDeltaExport(of: DeltaColumnsOf, unit: string, shown: readonly string[]): ExportColumn[] {
  const texts = textColumns(of);
  const isMeasure = (metric: Metric): string => (metric === of.measure ? '' : 'other-');
  const measures = (['self', 'total'] as const).flatMap((metric) =>
    measureColumns(of, metric, unit).map((column) => ({ ...column, id: isMeasure(metric) + column.id })),
  );
  return shown.flatMap((id) =>
    id in texts ? [texts[id as DeltaTextId]] : measures.filter((column) => column.id === id),
  );
}

/** Returns all facts about functions, in the same columns as `flamebench diff`. */
export function wholeDeltaExport(of: DeltaColumnsOf, unit: string): ExportColumn[] {
  const texts = textColumns(of);
  return [
    ...(['function', 'module', 'source', 'presence'] as const).map((id) => texts[id]),
    ...measureColumns(of, 'self', unit),
    ...measureColumns(of, 'total', unit),
  ];
}

const measureColumns = ({ rows }: DeltaColumnsOf, metric: Metric, unit: string) =>
  judgementColumns(metric, unit, (row: number) => judgementAt(rows[metric], row));

function textColumns({ texts, rows }: DeltaColumnsOf): Readonly<Record<DeltaTextId, ExportColumn>> {
  const text = (header: string, read: (func: FunctionIndex) => string): ExportColumn => ({
    header,
    cell: (row) => read(row as FunctionIndex),
  });
  return {
    function: text('Function', texts.name),
    module: text('Module', texts.module),
    source: text('File:line', texts.source),
    kind: text('Kind', texts.kind),
    presence: text('Presence', (func) => PRESENCES[rows.total.presence[func]!]!),
  };
}

/** Returns the lines at the head of an export; `rowsText` says which functions its rows are. */
export function deltaNotes(name: string, compared: Compared, rules: MatchRules, rowsText: string): string[] {
  const side = ({ captures, total }: ComparedSideRows) => ({
    captures: captures.map(({ facts, leftOut }) => ({ name: facts.name, leftOut })),
    total,
  });
  const [{ valueType }] = compared.before.captures as [ComparedCaptureRow];
  const noted = { ...compared, before: side(compared.before), after: side(compared.after), valueType };
  return [`comparison: ${name}; delta = after − before`, ...comparisonNotes(noted, rules), `rows: ${rowsText}`];
}
