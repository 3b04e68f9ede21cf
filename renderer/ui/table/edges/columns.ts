import type { NeighbourList } from '#core/analyze/tree/neighbours.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { baseName } from '#core/colour/package-of.ts';
import { percentOf, type ExportColumn } from '../export.ts';
import type { TableFormat } from '../format.ts';
import type { Column, FunctionTexts } from '../table.types.ts';
import { fitting } from '../text-width.ts';

/** IDs of rows in a list of calls that are not functions. */
const NO_FUNCTION = { root: -1, self: -2 } as const;

const LABELS: ReadonlyMap<number, string> = new Map([
  [NO_FUNCTION.root, '(root of the stack)'],
  [NO_FUNCTION.self, '(self)'],
]);

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
  const text = { kind: 'text', minWidth: 64, mono: false, align: 'right', filtered: true } as const;
  const weight = {
    kind: 'number',
    minWidth: 56,
    value: (row: number) => list.weight[row]!,
    exact: format.exact,
  } as const;
  return [
    {
      ...text,
      id: 'function',
      header: noun,
      width: 300,
      minWidth: narrow ? 110 : 150,
      mono: true,
      align: 'left',
      text: (row) => LABELS.get(func(row)) ?? texts.name(func(row)),
      isMatch: (row) => matches !== null && matches[func(row)] === 1,
      ...(texts.pins === undefined
        ? {}
        : { pins: (row: number) => (func(row) < 0 ? [] : texts.pins!(func(row), null)) }),
    },
    {
      ...weight,
      id: 'weight',
      header: 'Weight',
      title: 'Total of stacks containing this call',
      width: fitting(narrow ? 110 : 140, format.column(functionTotal)),
      format: format.column,
      barWhole: functionTotal,
    },
    {
      ...weight,
      id: 'of-function',
      header: 'Share',
      title: 'Share of the function’s total',
      width: 76,
      format: (value) => format.share(value, functionTotal),
    },
    {
      ...weight,
      id: 'share',
      header: 'Of view',
      title: 'Share of the whole view',
      width: 78,
      format: (value) => format.share(value, totalWeight),
    },
    {
      ...text,
      id: 'module',
      header: 'Module',
      width: 110,
      text: (row) => (func(row) < 0 ? '' : baseName(texts.module(func(row)))),
    },
    {
      ...text,
      id: 'source',
      header: 'File:line',
      width: 160,
      text: (row) => (func(row) < 0 ? '' : texts.source(func(row))),
    },
  ];
}

export function edgeExport({ list, noun, texts, functionTotal, totalWeight, format }: EdgeColumnsOf): ExportColumn[] {
  const func = (row: number) => list.func[row] as FunctionIndex;
  return [
    { header: noun, cell: (row) => LABELS.get(func(row)) ?? texts.name(func(row)) },
    { header: `Weight (${format.unit === '' ? 'count' : format.unit})`, cell: (row) => list.weight[row]! },
    { header: 'Of function %', cell: (row) => percentOf(list.weight[row]!, functionTotal) },
    { header: 'Of view %', cell: (row) => percentOf(list.weight[row]!, totalWeight) },
    { header: 'Module', cell: (row) => (func(row) < 0 ? '' : texts.module(func(row))) },
    { header: 'File:line', cell: (row) => (func(row) < 0 ? '' : texts.source(func(row))) },
  ];
}
