import { VERDICT_WORDS } from '#core/compare/verdict-words.ts';
import type { ValueText } from '#core/compare/value-text.ts';
import { count } from '../../format.ts';
import { relativeChange } from '../../flame/chart/delta-style.ts';
import type { ExportColumn } from '../export.ts';
import { numberColumn } from '../column.ts';
import type { CellTone, NumberColumn } from '../table.types.ts';
import { OWN_FUNCTION_COLUMNS, type TableGrowth } from './columns.ts';

/** What a live profile's table says more about each function, by row. */
export interface GrowthValues {
  /** 1 if hotter, −1 if cooler, else 0; null if unknown. */
  readonly trends: Int8Array | null;
  /** Values of a baseline; null if nothing is pinned. */
  readonly pinned: {
    readonly values: ValueText;
    readonly self: PinnedColumn;
    readonly total: PinnedColumn;
  } | null;
}

interface PinnedColumn {
  readonly before: Float64Array;
  readonly after: Float64Array;
  /** 1 grew, −1 shrank, 2 same, 3 not enough samples yet, 0 not judged. */
  readonly change: Int8Array;
  /** Samples missing for a verdict; NaN if none are, or the baseline is too short. */
  readonly missing: Float64Array;
}

/** A column of a live profile besides its weights, and what the export says of it. */
type GrowthColumn = readonly [NumberColumn, ExportColumn];

/** Returns the columns that a live profile's table has besides its weights. */
export function tableGrowth(values: GrowthValues): TableGrowth {
  const isPinned = values.pinned !== null;
  const own = OWN_FUNCTION_COLUMNS.flatMap((id) => {
    if (id === 'total-share') return isPinned ? ['total-delta', 'state', 'total-relative'] : [id, 'trend'];
    return id === 'self-share' && isPinned ? ['self-delta'] : [id];
  });
  const columns = growthColumns(values);
  return {
    own,
    columns: columns.map(([column]) => column),
    exports: Object.fromEntries(columns.map(([{ id }, exported]) => [id, exported])),
  };
}

const TRENDS = { '1': '▲ hotter', '0': '', '-1': '▼ cooler' } as const;
const TONES: Readonly<Record<string, CellTone>> = { '1': 'grew', '-1': 'shrank' };
type Sign = keyof typeof TRENDS;

/** Returns the columns of a live profile. Only judged changes are coloured. */
function growthColumns({ trends, pinned }: GrowthValues): GrowthColumn[] {
  const trend: GrowthColumn = [
    numberColumn(
      'trend',
      'Trend',
      'Second half of the window against the first: hotter or cooler by more than sampling noise',
      84,
      (row) => trends?.[row] ?? 0,
      (sign) => TRENDS[String(sign) as Sign],
    ),
    { header: 'Trend', cell: (row) => ['cooler', '', 'hotter'][(trends?.[row] ?? 0) + 1]! },
  ];
  if (pinned === null) return [trend];
  const { values } = pinned;
  const columns = (measure: 'self' | 'total'): GrowthColumn[] => {
    const { before, after, change } = pinned[measure];
    const tone = (row: number) => TONES[String(change[row]) as Sign] ?? 'dim';
    const delta = (row: number): number => after[row]! - before[row]!;
    return [
      [
        numberColumn(
          `${measure}-before`,
          `${measure} before`,
          `${measure} in the baseline${values.per}`,
          112,
          (row) => before[row]!,
          values.column,
          { exact: (value) => values.value(value) + values.per },
        ),
        { header: `${measure} before${values.per}`, cell: (row) => before[row]! },
      ],
      [
        numberColumn(
          `${measure}-delta`,
          `Δ ${measure}`,
          `Now − baseline${values.per}; coloured once it is found to have changed since the pin`,
          94,
          delta,
          values.columnDelta,
          { exact: (value) => values.delta(value) + values.per, tone },
        ),
        { header: `Δ ${measure}${values.per}`, cell: delta },
      ],
      [
        numberColumn(
          `${measure}-relative`,
          `Δ % ${measure}`,
          'Relative to the baseline: “new” from zero, “gone” to zero',
          84,
          (row) => relativeSize(before[row]!, after[row]!),
          (_, row) => relativeChange(before[row]!, after[row]!, values),
          { tone },
        ),
        {
          header: `Δ % ${measure}`,
          cell: (row) => (before[row]! > 0 ? (after[row]! / before[row]! - 1) * 100 : ''),
        },
      ],
    ];
  };
  const state: GrowthColumn = [
    numberColumn(
      'state',
      'Since the pin',
      `What is known of the total: grew, shrank, the ${VERDICT_WORDS.same}, or how many samples are missing to tell`,
      144,
      (row) => stateRank(pinned.total, row),
      (_, row) => stateText(pinned.total, row),
      {
        minWidth: 84,
        exact: (_, row) => EXPLAINED[pinned.total.change[row]!] ?? '',
        tone: (row) => TONES[String(pinned.total.change[row])] ?? 'dim',
      },
    ),
    { header: 'Since the pin', cell: (row) => stateText(pinned.total, row) },
  ];
  return [state, trend, ...columns('total'), ...columns('self')];
}

const EXPLAINED: Readonly<Record<number, string>> = {
  0: 'Not judged: less than 1 % of the weight, or the baseline is too short',
  2: `The ${VERDICT_WORDS.same} of the whole since the pin, with certainty`,
  3: 'Not enough samples yet to tell; the number is an estimate if the difference stays',
};

/** Orders changed functions first, then undecided ones by their missing samples, then those that stayed. */
function stateRank({ change, missing }: PinnedColumn, row: number): number {
  const code = change[row]!;
  if (code === 3) return 1e12 - (Number.isNaN(missing[row]) ? 1e11 : missing[row]!);
  return code === 2 ? 1 : code === 0 ? 0 : 1e13;
}

/** Returns `▲ grew`, `⋯ 170 more samples`, `= same`; empty if the function is not judged. */
export function stateText({ change, missing }: PinnedColumn, row: number): string {
  const code = change[row]!;
  if (code === 3) return `⋯ ${Number.isNaN(missing[row]) ? 'longer baseline' : `${count(missing[row]!)} more`}`;
  return (
    ({ '1': `▲ ${VERDICT_WORDS.grew}`, '-1': `▼ ${VERDICT_WORDS.shrank}`, '2': '= same' } as Record<string, string>)[
      String(code)
    ] ?? ''
  );
}

const relativeSize = (before: number, after: number): number =>
  before > 0 ? Math.abs(after - before) / before : after === before ? 0 : Infinity;
