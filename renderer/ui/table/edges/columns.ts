import type { NeighbourList } from '#core/analyze/tree/neighbours.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { baseName } from '#core/model/base-name.ts';
import { percentOf, type ExportColumn } from '../export.ts';
import type { TableFormat } from '../format.ts';
import { nameColumn, numberColumn, textColumn } from '../column.ts';
import type { Column, FunctionTexts } from '../table.types.ts';
import { fitting } from '../text-width.ts';

/** IDs of rows in a list of calls that are not functions. */
const NO_FUNCTION = { root: -1, self: -2 } as const;

const LABELS: ReadonlyMap<number, string> = new Map([
  [NO_FUNCTION.root, '(root of the stack)'],
  [NO_FUNCTION.self, '(self)'],
]);

/** Columns of a list of calls; each has a row in the export. */
type EdgeColumnId = 'function' | 'weight' | 'of-function' | 'share' | 'module' | 'source';

export const OWN_EDGE_COLUMNS = ['function', 'weight', 'of-function'];
/** Columns shown in a narrow list, where the bar shows the share. */
export const NARROW_EDGE_COLUMNS = ['function', 'weight'];

export interface EdgeColumnsOf {
  readonly list: NeighbourList;
  /** `Caller` or `Callee`. */
  readonly noun: string;
  readonly texts: FunctionTexts;
  readonly functionTotal: number;
  readonly totalWeight: number;
  readonly format: TableFormat;
  readonly matches: Uint8Array | null;
  readonly narrow: boolean;
}

/** Returns the callees with the function's self weight; together they add up to its total. */
export function withSelf(callees: NeighbourList, self: number): NeighbourList {
  if (self === 0) return callees;
  return {
    length: callees.length + 1,
    func: Int32Array.from([NO_FUNCTION.self, ...callees.func]),
    weight: Float64Array.from([self, ...callees.weight]),
  };
}

export function edgeColumns({
  list,
  noun,
  texts,
  functionTotal,
  totalWeight,
  format,
  matches,
  narrow,
}: EdgeColumnsOf): Column[] {
  const func = (row: number) => list.func[row] as FunctionIndex;
  const weight = (id: EdgeColumnId, header: string, title: string, width: number, text: (value: number) => string) =>
    numberColumn(id, header, title, width, (row) => list.weight[row]!, text, { exact: format.exact });
  const text = (id: EdgeColumnId, header: string, width: number, read: (row: number) => string) =>
    textColumn(id, header, width, read, { filtered: true });
  const ofFunction = (value: number): string => format.share(value, functionTotal);
  const ofView = (value: number): string => format.share(value, totalWeight);
  const module = (row: number): string => (func(row) < 0 ? '' : baseName(texts.module(func(row))));
  const source = (row: number): string => (func(row) < 0 ? '' : texts.source(func(row)));
  const widest = fitting(narrow ? 110 : 140, format.column(functionTotal));
  return [
    nameColumn(
      noun,
      300,
      { func, texts, matches },
      {
        minWidth: narrow ? 110 : 150,
        filtered: true,
        text: (row) => LABELS.get(func(row)) ?? texts.name(func(row)),
      },
    ),
    {
      ...weight('weight', 'Weight', 'Total of stacks containing this call', widest, format.column),
      barWhole: functionTotal,
    },
    weight('of-function', 'Share', 'Share of the function’s total', 76, ofFunction),
    weight('share', 'Of view', 'Share of the whole view', 78, ofView),
    text('module', 'Module', 110, module),
    text('source', 'File:line', 160, source),
  ];
}

export function edgeExport({ list, noun, texts, functionTotal, totalWeight, format }: EdgeColumnsOf): ExportColumn[] {
  const func = (row: number) => list.func[row] as FunctionIndex;
  const columns: Readonly<Record<EdgeColumnId, ExportColumn>> = {
    function: { header: noun, cell: (row) => LABELS.get(func(row)) ?? texts.name(func(row)) },
    weight: { header: `Weight (${format.unit === '' ? 'count' : format.unit})`, cell: (row) => list.weight[row]! },
    'of-function': { header: 'Of function %', cell: (row) => percentOf(list.weight[row]!, functionTotal) },
    share: { header: 'Of view %', cell: (row) => percentOf(list.weight[row]!, totalWeight) },
    module: { header: 'Module', cell: (row) => (func(row) < 0 ? '' : texts.module(func(row))) },
    source: { header: 'File:line', cell: (row) => (func(row) < 0 ? '' : texts.source(func(row))) },
  };
  return Object.values(columns);
}
