import { baseName } from '#core/model/base-name.ts';
import type { FunctionStats } from '#core/analyze/view/stack-view.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { percentOf, type ExportColumn } from '../export.ts';
import type { TableFormat } from '../format.ts';
import { nameColumn, numberColumn, textColumn } from '../column.ts';
import type { Column, FunctionTexts, NumberColumn, TextColumn } from '../table.types.ts';
import { fitting } from '../text-width.ts';

/** Default columns. */
export const OWN_FUNCTION_COLUMNS: readonly string[] = [
  'function',
  'self',
  'self-share',
  'total',
  'total-share',
  'module',
];

/** Columns of every functions table; each has a row in the export. */
type FunctionColumnId =
  | 'function'
  | 'self'
  | 'self-share'
  | 'total'
  | 'total-share'
  | 'module'
  | 'source'
  | 'kind'
  | 'self-error'
  | 'total-error'
  | 'self-samples'
  | 'samples';

export const FUNCTION_TEXTS = { function: 'name', module: 'module', source: 'source' } as const;

/** Widths in CSS pixels; that of the function column is its minimum, and those of weights are, too. */
const WIDE = { function: 180, self: 112, share: 72, total: 176, module: 136 };
const NARROW = { function: 196, self: 84, share: 74, total: 130, module: 130 };

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

/** Additional columns of a live profile's table. */
export interface TableGrowth {
  /** The default columns, by ID. */
  readonly own: readonly string[];
  readonly columns: readonly NumberColumn[];
  /** By column. */
  readonly exports: Readonly<Record<string, ExportColumn>>;
}

/** Returns all columns of the function table; the first is the function's name. */
export function functionTableColumns(of: FunctionColumnsOf): Column[] {
  const { stats, texts, totalWeight, format, matches, counts, narrow } = of;
  const { self, total } = stats;
  const px = narrow ? NARROW : WIDE;
  const func = (row: number) => stats.func[row] as FunctionIndex;
  const ranksOf = (id: FunctionColumnId): Pick<TextColumn, 'ranks'> => {
    const rank = of.ranks.get(id);
    return rank === undefined ? {} : { ranks: once(() => rankByRow(stats, rank)) };
  };
  const text = (
    id: FunctionColumnId,
    header: string,
    width: number,
    read: (func: FunctionIndex) => string,
  ): TextColumn => {
    const own = { filtered: true, ...ranksOf(id) };
    return textColumn(id, header, width, (row) => read(func(row)), own);
  };
  const longest = format.column(totalWeight);
  const weight = (
    id: FunctionColumnId,
    header: string,
    title: string,
    width: number,
    values: Float64Array,
    own: Partial<NumberColumn> = {},
  ): NumberColumn =>
    numberColumn(id, header, title, width, (row) => values[row]!, format.column, {
      values,
      exact: format.exact,
      ...own,
    });
  const share = (value: number) => format.share(value, totalWeight);
  const error = (value: number): string => `${share(value)}${format.error?.(value) ?? ''}`;
  const asShare = { format: share, exact: error };
  const errorColumn = (id: FunctionColumnId, header: string, title: string, values: Float64Array): NumberColumn =>
    weight(id, header, title, 80, values, { format: (value) => format.error?.(value).trim() || '–', exact: error });
  const samples = (
    id: FunctionColumnId,
    header: string,
    title: string,
    values: Float64Array | undefined,
  ): NumberColumn => {
    const text = (count: number): string => (Number.isNaN(count) ? '…' : format.count(count));
    return numberColumn(id, header, title, 96, (row) => values?.[row] ?? Number.NaN, text, {
      ...(values === undefined ? {} : { values }),
      exact: () => '',
    });
  };
  return [
    nameColumn(
      'Function',
      420,
      { func, texts, matches },
      {
        minWidth: px.function,
        filtered: true,
        colour: (row) => texts.colour?.(func(row)) ?? null,
        ...ranksOf('function'),
      },
    ),
    weight('self', 'Self', 'Weight of the stacks that end in the function', fitting(px.self, longest), self, {
      ties: total,
    }),
    weight('self-share', 'Self %', 'Self as a share of the view', px.share, self, { ties: total, ...asShare }),
    weight('total', 'Total', 'Weight of the stacks that contain the function', fitting(px.total, longest), total, {
      barWhole: totalWeight,
    }),
    weight('total-share', 'Total %', 'Total as a share of the view', px.share, total, asShare),
    text('module', 'Module', px.module, (at) => baseName(texts.module(at))),
    text('source', 'File:line', 200, texts.source),
    text('kind', 'Kind', 96, texts.kind),
    errorColumn('self-error', 'Self ±', 'Sampling error of self as a share of the view, 95 %', self),
    errorColumn('total-error', 'Total ±', 'Sampling error of total as a share of the view, 95 %', total),
    samples('self-samples', 'Self samples', 'Samples whose stack ends in the function', counts?.self),
    samples('samples', 'Samples', 'Samples whose stack contains the function', counts?.total),
    ...(of.growth?.columns ?? []),
  ];
}

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
  const own: Readonly<Record<FunctionColumnId, ExportColumn>> = {
    function: { header: 'Function', cell: (row) => texts.name(func(row)) },
    self: { header: `Self (${unit})`, cell: (row) => stats.self[row]! },
    'self-share': { header: 'Self %', cell: (row) => percentOf(stats.self[row]!, totalWeight) },
    total: { header: `Total (${unit})`, cell: (row) => stats.total[row]! },
    'total-share': { header: 'Total %', cell: (row) => percentOf(stats.total[row]!, totalWeight) },
    module: { header: 'Module', cell: (row) => texts.module(func(row)) },
    source: { header: 'File:line', cell: (row) => texts.source(func(row)) },
    kind: { header: 'Kind', cell: (row) => texts.kind(func(row)) },
    'self-error': { header: 'Self ±', cell: (row) => format.error?.(stats.self[row]!).trim() ?? '' },
    'total-error': { header: 'Total ±', cell: (row) => format.error?.(stats.total[row]!).trim() ?? '' },
    'self-samples': { header: 'Self samples', cell: (row) => counts?.self[row] ?? '' },
    samples: { header: 'Samples', cell: (row) => counts?.total[row] ?? '' },
  };
  const columns: Readonly<Record<string, ExportColumn>> = { ...own, ...of.growth?.exports };
  return shown.flatMap((id) => columns[id] ?? []);
}
