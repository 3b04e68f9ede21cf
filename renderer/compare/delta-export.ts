import type { Metric } from '#core/compare/describe-change.ts';
import { methodText, rulesText } from '#core/compare/describe-comparison.ts';
import type { MatchRules } from '#core/compare/match-rules.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { ExportColumn } from '../table/table-export.ts';
import {
  METHODS,
  PRESENCES,
  VERDICTS,
  type Compared,
  type JudgedRows,
  type SideName,
} from '../worker/compare-protocol.ts';
import { otherMeasure, type DeltaColumnsOf } from './delta-columns.ts';

/** The columns named, as another program takes them; an interval is its ends and its level. */
export function deltaExport(of: DeltaColumnsOf, unit: string, ids: readonly string[]): ExportColumn[] {
  const { texts, rows, measure } = of;
  const text = (header: string, read: (func: FunctionIndex) => string): ExportColumn => ({
    header,
    cell: (row) => read(row as FunctionIndex),
  });
  const columns = new Map<string, readonly ExportColumn[]>([
    ['function', [text('Function', texts.name)]],
    ['presence', [{ header: 'Presence', cell: (row) => PRESENCES[rows.total.presence[row]!]! }]],
    ['module', [text('Module', texts.module)]],
    ['source', [text('File:line', texts.source)]],
    ['kind', [text('Kind', texts.kind)]],
    ...measureExport(rows[measure], measure, '', unit),
    ...measureExport(rows[otherMeasure(measure)], otherMeasure(measure), 'other-', unit),
  ]);
  return ids.flatMap((id) => columns.get(id) ?? []);
}

/** All of self, then all of total. */
export function allDeltaColumns(measure: Metric): string[] {
  const ids = ['before', 'after', 'delta', 'relative', 'interval', 'p', 'q', 'verdict', 'method'];
  const other = ids.map((id) => `other-${id}`);
  return [
    'function',
    'module',
    'source',
    'presence',
    ...(measure === 'self' ? [...ids, ...other] : [...other, ...ids]),
  ];
}

function measureExport(
  judged: JudgedRows,
  measure: Metric,
  prefix: '' | 'other-',
  unit: string,
): [string, readonly ExportColumn[]][] {
  const column = (header: string, values: Float64Array): ExportColumn => ({
    header: `${measure} ${header}`,
    cell: (row) => (Number.isNaN(values[row]!) ? '' : values[row]!),
  });
  const weight = (header: string, values: Float64Array): ExportColumn => column(`${header} (${unit})`, values);
  const percent = (header: string, values: Float64Array): ExportColumn => ({
    header: `${measure} ${header}`,
    cell: (row) => (Number.isNaN(values[row]!) ? '' : Number((100 * values[row]!).toPrecision(8))),
  });
  return [
    [`${prefix}before`, [weight('before', judged.before)]],
    [`${prefix}after`, [weight('after', judged.after)]],
    [`${prefix}delta`, [weight('delta', judged.delta)]],
    [`${prefix}relative`, [percent('delta %', judged.relative)]],
    [`${prefix}interval`, [weight('low', judged.low), weight('high', judged.high), percent('level %', judged.level)]],
    [`${prefix}p`, [column('p', judged.p)]],
    [`${prefix}q`, [column('q', judged.q)]],
    [`${prefix}verdict`, [{ header: `${measure} verdict`, cell: (row) => VERDICTS[judged.verdict[row]!]! }]],
    [`${prefix}method`, [{ header: `${measure} method`, cell: (row) => METHODS[judged.method[row]!]! }]],
  ];
}

/** Lines at the head of an export: sides, formula, method, what to beware of, and what of it the rows are. */
export function comparisonNotes(
  name: string,
  { before, after, normalised, isReplicated, warnings }: Compared,
  rules: MatchRules,
  rowsText: string,
): string[] {
  const { kind, formula, unit, divisors } = normalised;
  const [first] = before.captures;
  const captures = { before: before.captures.length, after: after.captures.length };
  const matching = rulesText(rules);
  return [
    `Comparison: ${name}; delta = after − before`,
    ...(['before', 'after'] as const).map((side) => sideNote(side, { before, after })),
    ...(first === undefined ? [] : [`Value type: ${first.valueType.type} (${first.valueType.unit})`]),
    `Normalised: ${kind}; ${formula}; unit ${unit}`,
    ...(divisors.length > 0 ? [`Divisors: ${divisors.join('; ')}`] : []),
    `Method: ${methodText(isReplicated, captures)}`,
    ...warnings.map(({ message }) => `Warning: ${message}`),
    ...(matching === null ? [] : [`Matching: ${matching}`]),
    `Rows: ${rowsText}`,
  ];
}

function sideNote(side: SideName, compared: Pick<Compared, SideName>): string {
  const { captures, total } = compared[side];
  const names = captures.map(({ facts, leftOut }) => (leftOut ? `${facts.name} (left out)` : facts.name));
  return `${side}: ${captures.length} ${captures.length === 1 ? 'capture' : 'captures'} (${names.join(', ')}); total ${total}`;
}
