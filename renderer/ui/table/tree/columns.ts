import type { RowOrder } from '#core/analyze/tree/sorted-children.ts';
import { ROOT_LABEL } from '#core/analyze/function-label.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { baseName } from '#core/model/base-name.ts';
import { percentOf, type ExportColumn } from '../export.ts';
import type { TableFormat } from '../format.ts';
import { numberColumn, textColumn } from '../column.ts';
import type { Column, FunctionTexts, NumberColumn, SortOrder, TextColumn } from '../table.types.ts';
import { fitting } from '../text-width.ts';
import type { TreeRow } from './rows-cache.ts';

/** Columns of the call tree; each has a row in the export. */
type TreeColumnId =
  | 'function'
  | 'total'
  | 'total-share'
  | 'parent-share'
  | 'self'
  | 'self-share'
  | 'module'
  | 'source'
  | 'kind';

/** Default columns. */
export const OWN_TREE_COLUMNS = ['function', 'total', 'total-share', 'parent-share', 'self', 'module'];
export const NARROW_TREE_COLUMNS = ['function', 'total', 'total-share', 'self'];

interface TreeColumnsOf {
  /** Returns the row of a node; undefined while it is loading. */
  readonly rowOf: (node: number) => TreeRow | undefined;
  readonly texts: FunctionTexts;
  readonly totalWeight: number;
  readonly format: TableFormat;
  readonly matches: Uint8Array | null;
  readonly narrow: boolean;
}

function nodeName(texts: FunctionTexts, func: number): string {
  return func < 0 ? ROOT_LABEL : texts.name(func as FunctionIndex);
}

/** Returns columns over the nodes of the tree; the first is that of the tree. */
export function treeColumns({ rowOf, texts, totalWeight, format, matches, narrow }: TreeColumnsOf): Column[] {
  const func = (node: number) => rowOf(node)?.func ?? -1;
  const text = (id: TreeColumnId, header: string, width: number, read: (func: FunctionIndex) => string): TextColumn => {
    const textOf = (node: number): string => (func(node) < 0 ? '' : read(func(node) as FunctionIndex));
    return textColumn(id, header, width, textOf, { sortable: false });
  };
  const longest = format.column(totalWeight);
  const number = (id: TreeColumnId, header: string, title: string, width: number, of: 'self' | 'total'): NumberColumn =>
    numberColumn(id, header, title, width, (node) => rowOf(node)?.[of] ?? 0, format.column, { exact: format.exact });
  const share = (value: number) => format.share(value, totalWeight);
  return [
    {
      kind: 'tree',
      id: 'function',
      header: 'Call tree',
      width: 420,
      minWidth: narrow ? 210 : 240,
      text: (node) => nodeName(texts, func(node)),
      colour: (node) => (func(node) < 0 ? null : (texts.colour?.(func(node) as FunctionIndex) ?? null)),
      isMatch: (node) => matches !== null && matches[func(node)] === 1,
      ...(texts.pins === undefined ? {} : { pins: (node: number) => texts.pins!(func(node) as FunctionIndex, node) }),
    },
    {
      ...number(
        'total',
        'Total',
        'Weight of the stacks that pass through this node',
        fitting(narrow ? 110 : 160, longest),
        'total',
      ),
      barWhole: totalWeight,
    },
    { ...number('total-share', 'Total %', 'Total as a share of the view', 74, 'total'), format: share },
    {
      ...number('parent-share', 'Of parent', 'Total as a share of the parent row', 84, 'total'),
      value: (node) => {
        const row = rowOf(node);
        return row === undefined ? Number.NaN : partOfParent(row);
      },
      format: (part) => (Number.isNaN(part) ? '–' : format.share(part, 1)),
      exact: () => '',
    },
    number('self', 'Self', 'Weight of the stacks that end in this node', fitting(narrow ? 84 : 104, longest), 'self'),
    { ...number('self-share', 'Self %', 'Self as a share of the view', 74, 'self'), format: share },
    text('module', 'Module', 130, (at) => baseName(texts.module(at))),
    text('source', 'File:line', 200, texts.source),
    text('kind', 'Kind', 96, texts.kind),
  ];
}

/**
 * Returns the shown columns over rows that were read, by their position; names are indented by their level, which the
 * grid shows otherwise.
 */
export function readTreeColumns(
  rows: readonly TreeRow[],
  { shown, ...of }: Omit<TreeColumnsOf, 'rowOf'> & { readonly shown: readonly string[] },
): Column[] {
  // Pins on call paths are found by node.
  const { pins } = of.texts;
  const texts = {
    ...of.texts,
    ...(pins && { pins: (func: FunctionIndex, at: number | null) => pins(func, at === null ? null : rows[at]!.node) }),
  };
  const columns = treeColumns({ ...of, texts, rowOf: (at) => rows[at] });
  return shown.flatMap((id) => {
    const column = columns.find((one) => one.id === id);
    if (column?.kind !== 'tree') return column ?? [];
    return { ...column, text: (at: number) => `${indentOf(rows[at]!, NO_BREAK)}${column.text(at)}` };
  });
}

/** Markdown and pictures keep it at the start of a cell. */
const NO_BREAK = '\u00a0';

const indentOf = ({ place }: TreeRow, space: string): string => space.repeat(2 * Math.min(MAX_INDENT, place.level - 1));

/** Returns the order of rows; sorting by a share of siblings equals sorting by total. */
export function treeOrder({ column, direction }: SortOrder): RowOrder {
  const descending = direction === 'descending';
  if (column === 'function') return { by: 'name', descending };
  if (column === 'self' || column === 'self-share') return { by: 'self', descending };
  return { by: 'total', descending };
}

/** NaN for a row without a parent that has weight. */
const partOfParent = ({ total, parentTotal }: TreeRow): number =>
  parentTotal === 0 ? Number.NaN : total / parentTotal;

/** Returns all columns for export: the level in a column of its own, and names indented by it. */
export function treeExport(
  rows: readonly TreeRow[],
  { texts, totalWeight, format }: Pick<TreeColumnsOf, 'texts' | 'totalWeight' | 'format'>,
): ExportColumn[] {
  const unit = format.unit === '' ? 'count' : format.unit;
  const of = (read: (row: TreeRow) => string | number) => (at: number) => read(rows[at]!);
  const text = (read: (func: FunctionIndex) => string) =>
    of(({ func }) => (func < 0 ? '' : read(func as FunctionIndex)));
  const columns: Readonly<Record<TreeColumnId, ExportColumn>> = {
    function: { header: 'Function', cell: of((row) => `${indentOf(row, ' ')}${nodeName(texts, row.func)}`) },
    total: { header: `Total (${unit})`, cell: of(({ total }) => total) },
    'total-share': { header: 'Total %', cell: of(({ total }) => percentOf(total, totalWeight)) },
    'parent-share': {
      header: 'Of parent %',
      cell: of((row) => (Number.isNaN(partOfParent(row)) ? '' : percentOf(row.total, row.parentTotal))),
    },
    self: { header: `Self (${unit})`, cell: of(({ self }) => self) },
    'self-share': { header: 'Self %', cell: of(({ self }) => percentOf(self, totalWeight)) },
    module: { header: 'Module', cell: text(texts.module) },
    source: { header: 'File:line', cell: text(texts.source) },
    kind: { header: 'Kind', cell: text(texts.kind) },
  };
  return [{ header: 'Level', cell: of(({ place }) => place.level - 1) }, ...Object.values(columns)];
}

/**
 * Maximum indentation; a stack of 10,000 frames would fill lines with spaces, and deeper rows are identified by their
 * level.
 */
const MAX_INDENT = 100;
