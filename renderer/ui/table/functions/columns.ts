import type { ValueText } from '#core/compare/value-text.ts';
import { baseName } from '#core/colour/package-of.ts';
import type { FunctionStats } from '#core/analyze/view/stack-view.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { relativeChange } from '../../flame/chart/delta-look.ts';
import { percentOf, type ExportColumn } from '../export.ts';
import type { TableFormat } from '../format.ts';
import type { Column, FunctionTexts, NumberColumn, TextColumn } from '../table.types.ts';

/** Default columns. */
export const OWN_FUNCTION_COLUMNS = ['function', 'self', 'self-share', 'total', 'total-share', 'module'];

export const FUNCTION_TEXTS = { function: 'name', module: 'module', source: 'source' } as const;

/** Widths in CSS pixels; that of the function column is its minimum. */
const WIDE = { function: 180, self: 112, share: 72, total: 176, module: 136 };
const NARROW = { function: 150, self: 84, share: 70, total: 130, module: 130 };

export interface FunctionColumnsOf {
  readonly stats: FunctionStats;
  readonly texts: FunctionTexts;
  readonly totalWeight: number;
  readonly format: TableFormat;
  readonly matches: Uint8Array | null;
  /** Counts in samples, in the order of `stats`; null until known. */
  readonly counts: FunctionStats | null;
  /** Ranks by function; see `TextColumn.ranks`. */
  readonly ranks: ReadonlyMap<string, Int32Array>;
  readonly narrow: boolean;
  /** Null unless the profile is live. */
  readonly growth: TableGrowth | null;
}

/** Additional content of a live profile's table, by row. */
export interface TableGrowth {
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

/** Returns the default columns; a live profile also has columns for its changes. */
export const ownFunctionColumns = (growth: TableGrowth | null): string[] =>
  OWN_FUNCTION_COLUMNS.flatMap((id) => {
    if (growth === null) return [id];
    if (id === 'total-share')
      return growth.pinned === null ? [id, 'trend'] : ['total-delta', 'total-relative', 'trend'];
    return id === 'self-share' && growth.pinned !== null ? ['self-delta'] : [id];
  });

/** Returns all columns of the function table; the first is the function's name. */
export function functionTableColumns(of: FunctionColumnsOf): Column[] {
  const { stats, texts, totalWeight, format, matches, counts, narrow } = of;
  const px = narrow ? NARROW : WIDE;
  const func = (row: number) => stats.func[row] as FunctionIndex;
  const text = (id: string, header: string, width: number, read: (func: FunctionIndex) => string): TextColumn => {
    const rank = of.ranks.get(id);
    return {
      kind: 'text',
      id,
      header,
      width,
      minWidth: 64,
      mono: false,
      align: 'right',
      filtered: true,
      text: (row) => read(func(row)),
      ...(rank === undefined ? {} : { ranks: once(() => rankByRow(stats, rank)) }),
    };
  };
  const weight = (id: string, header: string, title: string, width: number, values: Float64Array): NumberColumn => ({
    kind: 'number',
    id,
    header,
    title,
    width,
    minWidth: 56,
    value: (row) => values[row]!,
    values,
    format: format.column,
    exact: format.value,
  });
  const share = (value: number) => format.share(value, totalWeight);
  const samples = (id: string, header: string, title: string, values: Float64Array | undefined): NumberColumn => ({
    kind: 'number',
    id,
    header,
    title,
    width: 96,
    minWidth: 56,
    value: (row) => values?.[row] ?? Number.NaN,
    ...(values === undefined ? {} : { values }),
    format: (count) => (Number.isNaN(count) ? '…' : format.count(count)),
    exact: () => '',
  });
  return [
    {
      ...text('function', 'Function', 420, texts.name),
      minWidth: px.function,
      mono: true,
      align: 'left',
      colour: (row) => texts.colour?.(func(row)) ?? null,
      isMatch: (row) => matches !== null && matches[func(row)] === 1,
      ...(texts.pins === undefined ? {} : { pins: (row: number) => texts.pins!(func(row), null) }),
    },
    weight('self', 'Self', 'Weight of the stacks that end in the function', px.self, stats.self),
    { ...weight('self-share', 'Self %', 'Self as a share of the view', px.share, stats.self), format: share },
    {
      ...weight('total', 'Total', 'Weight of the stacks that contain the function', px.total, stats.total),
      barWhole: totalWeight,
    },
    { ...weight('total-share', 'Total %', 'Total as a share of the view', px.share, stats.total), format: share },
    text('module', 'Module', px.module, (at) => baseName(texts.module(at))),
    text('source', 'File:line', 200, texts.source),
    text('kind', 'Kind', 96, texts.kind),
    samples('self-samples', 'Self samples', 'Samples whose stack ends in the function', counts?.self),
    samples('samples', 'Samples', 'Samples whose stack contains the function', counts?.total),
    ...growthColumns(of.growth),
  ];
}

const TRENDS = { '1': '▲ hotter', '0': '', '-1': '▼ cooler' } as const;
const TONES = { '1': 'grew', '0': 'plain', '-1': 'shrank' } as const;
type Sign = keyof typeof TRENDS;

/** Returns the columns of a live profile. Only judged changes are coloured. */
function growthColumns(growth: TableGrowth | null): NumberColumn[] {
  if (growth === null) return [];
  const { trends, pinned } = growth;
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
  before === 0 ? (after === 0 ? 0 : Infinity) : Math.abs(after - before) / before;

function once<T>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}

function rankByRow({ length, func }: FunctionStats, rank: Int32Array): Float64Array {
  const byRow = new Float64Array(length);
  for (let row = 0; row < length; row++) byRow[row] = rank[func[row]!]!;
  return byRow;
}

/** Returns the visible columns for export. */
export function functionExport(of: FunctionColumnsOf, shown: readonly string[]): ExportColumn[] {
  const { stats, texts, totalWeight, format, counts } = of;
  const func = (row: number) => stats.func[row] as FunctionIndex;
  const unit = format.unit === '' ? 'count' : format.unit;
  const columns: Readonly<Record<string, ExportColumn>> = {
    function: { header: 'Function', cell: (row) => texts.name(func(row)) },
    self: { header: `Self (${unit})`, cell: (row) => stats.self[row]! },
    'self-share': { header: 'Self %', cell: (row) => percentOf(stats.self[row]!, totalWeight) },
    total: { header: `Total (${unit})`, cell: (row) => stats.total[row]! },
    'total-share': { header: 'Total %', cell: (row) => percentOf(stats.total[row]!, totalWeight) },
    module: { header: 'Module', cell: (row) => texts.module(func(row)) },
    source: { header: 'File:line', cell: (row) => texts.source(func(row)) },
    kind: { header: 'Kind', cell: (row) => texts.kind(func(row)) },
    'self-samples': { header: 'Self samples', cell: (row) => counts?.self[row] ?? '' },
    samples: { header: 'Samples', cell: (row) => counts?.total[row] ?? '' },
    ...growthExport(of.growth),
  };
  return shown.flatMap((id) => columns[id] ?? []);
}

function growthExport(growth: TableGrowth | null): Record<string, ExportColumn> {
  if (growth === null) return {};
  const { trends, pinned } = growth;
  const trend = { header: 'Trend', cell: (row: number) => ['cooler', '', 'hotter'][(trends?.[row] ?? 0) + 1]! };
  if (pinned === null) return { trend };
  const columns = (measure: 'self' | 'total'): Record<string, ExportColumn> => {
    const { before, after } = pinned[measure];
    const per = pinned.values.per;
    const relative = (row: number): number | string =>
      before[row] === 0 ? '' : (after[row]! / before[row]! - 1) * 100;
    return {
      [`${measure}-before`]: { header: `${measure} before${per}`, cell: (row) => before[row]! },
      [`${measure}-delta`]: { header: `Δ ${measure}${per}`, cell: (row) => after[row]! - before[row]! },
      [`${measure}-relative`]: { header: `Δ % ${measure}`, cell: relative },
    };
  };
  return { trend, ...columns('self'), ...columns('total') };
}
