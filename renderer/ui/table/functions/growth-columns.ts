import type { ValueText } from '#core/compare/value-text.ts';
import { relativeChange } from '../../flame/chart/delta-look.ts';
import type { ExportColumn } from '../export.ts';
import type { NumberColumn } from '../table.types.ts';
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
  /** 1 grew, −1 shrank, 0 no change found. */
  readonly change: Int8Array;
}

/** Returns the columns that a live profile's table has besides its weights. */
export function tableGrowth(values: GrowthValues): TableGrowth {
  const isPinned = values.pinned !== null;
  const own = OWN_FUNCTION_COLUMNS.flatMap((id) => {
    if (id === 'total-share') return isPinned ? ['total-delta', 'total-relative', 'trend'] : [id, 'trend'];
    return id === 'self-share' && isPinned ? ['self-delta'] : [id];
  });
  return { own, columns: growthColumns(values), exports: growthExport(values) };
}

const TRENDS = { '1': '▲ hotter', '0': '', '-1': '▼ cooler' } as const;
const TONES = { '1': 'grew', '0': 'plain', '-1': 'shrank' } as const;
type Sign = keyof typeof TRENDS;

/** Returns the columns of a live profile. Only judged changes are coloured. */
function growthColumns({ trends, pinned }: GrowthValues): NumberColumn[] {
  const trend: NumberColumn = {
    kind: 'number',
    id: 'trend',
    header: 'Trend',
    title: 'Second half of the window against the first: hotter or cooler by more than sampling noise',
    width: 84,
    minWidth: 56,
    value: (row) => trends?.[row] ?? 0,
    format: (sign) => TRENDS[String(sign) as Sign],
  };
  if (pinned === null) return [trend];
  const { values } = pinned;
  const columns = (measure: 'self' | 'total'): NumberColumn[] => {
    const { before, after, change } = pinned[measure];
    const tone = (row: number) => (change[row] === 0 ? 'dim' : TONES[String(change[row]) as Sign]);
    const shared = { kind: 'number', minWidth: 56 } as const;
    return [
      {
        ...shared,
        id: `${measure}-before`,
        header: `${measure} before`,
        title: `${measure} in the baseline${values.per}`,
        width: 112,
        value: (row) => before[row]!,
        format: values.column,
        exact: (value) => values.value(value) + values.per,
      },
      {
        ...shared,
        id: `${measure}-delta`,
        header: `Δ ${measure}`,
        title: `Now − baseline${values.per}; coloured once it is found to have changed since the pin`,
        width: 112,
        value: (row) => after[row]! - before[row]!,
        format: values.columnDelta,
        exact: (value) => values.delta(value) + values.per,
        tone,
      },
      {
        ...shared,
        id: `${measure}-relative`,
        header: `Δ % ${measure}`,
        title: 'Relative to the baseline: “new” from zero, “gone” to zero',
        width: 84,
        value: (row) => relativeSize(before[row]!, after[row]!),
        format: (_, row) => relativeChange(before[row]!, after[row]!, values),
        tone,
      },
    ];
  };
  return [trend, ...columns('total'), ...columns('self')];
}

const relativeSize = (before: number, after: number): number =>
  before > 0 ? Math.abs(after - before) / before : after === before ? 0 : Infinity;

function growthExport({ trends, pinned }: GrowthValues): Record<string, ExportColumn> {
  const trend = { header: 'Trend', cell: (row: number) => ['cooler', '', 'hotter'][(trends?.[row] ?? 0) + 1]! };
  if (pinned === null) return { trend };
  const columns = (measure: 'self' | 'total'): Record<string, ExportColumn> => {
    const { before, after } = pinned[measure];
    const per = pinned.values.per;
    const relative = (row: number): number | string => (before[row]! > 0 ? (after[row]! / before[row]! - 1) * 100 : '');
    return {
      [`${measure}-before`]: { header: `${measure} before${per}`, cell: (row) => before[row]! },
      [`${measure}-delta`]: { header: `Δ ${measure}${per}`, cell: (row) => after[row]! - before[row]! },
      [`${measure}-relative`]: { header: `Δ % ${measure}`, cell: relative },
    };
  };
  return { trend, ...columns('self'), ...columns('total') };
}
