import { useMemo, type JSX } from 'react';
import type { FunctionIndex } from '#core/model/brand.ts';
import { DataTable } from './data-table.tsx';
import type { Column, FunctionTableProps, SortOrder } from './table.types.ts';

const BY_TOTAL: SortOrder = { column: 'total', direction: 'descending' };

/** CSS pixels; the function's own is its least. */
const WIDE = { function: 180, self: 116, selfShare: 84, total: 226, totalShare: 88, module: 150 };
const NARROW = { function: 150, self: 84, selfShare: 70, total: 130, totalShare: 74, module: 130 };

/** Functions with self and total weight. */
export function FunctionTable(props: FunctionTableProps): JSX.Element {
  const { stats, names, totalWeight, format, selected, narrow = false } = props;
  const columns = useMemo<readonly Column[]>(() => {
    const px = narrow ? NARROW : WIDE;
    const func = (row: number) => stats.func[row] as FunctionIndex;
    const share = (value: number) => format.share(value, totalWeight);
    const number = { kind: 'number', minWidth: 56 } as const;
    const text = { kind: 'text', filtered: true } as const;
    return [
      {
        ...text,
        id: 'function',
        header: 'Function',
        width: 420,
        minWidth: px.function,
        mono: true,
        align: 'left',
        text: (row) => names.name(func(row)),
      },
      { ...number, id: 'self', header: 'Self', width: px.self, values: stats.self, format: format.value },
      { ...number, id: 'self-share', header: 'Self %', width: px.selfShare, values: stats.self, format: share },
      {
        ...number,
        id: 'total',
        header: 'Total',
        width: px.total,
        values: stats.total,
        format: format.value,
        barWhole: totalWeight,
      },
      { ...number, id: 'total-share', header: 'Total %', width: px.totalShare, values: stats.total, format: share },
      {
        ...text,
        id: 'module',
        header: 'Module',
        width: px.module,
        minWidth: 64,
        mono: false,
        align: 'right',
        text: (row) => names.module(func(row)),
      },
    ];
  }, [stats, names, totalWeight, format, narrow]);
  const selectedRow = useMemo(() => {
    const row = selected === null ? -1 : stats.func.indexOf(selected);
    return row < 0 ? null : row;
  }, [stats, selected]);

  const { onActivate, onContextMenu } = props;
  return (
    <DataTable
      label="Functions by self and total weight"
      rowNoun="functions"
      rowCount={stats.length}
      columns={columns}
      initialSort={BY_TOTAL}
      selectedRow={selectedRow}
      onSelectRow={(row) => props.onSelect(stats.func[row] as FunctionIndex)}
      {...(onActivate === undefined
        ? {}
        : { onActivateRow: (row: number) => onActivate(stats.func[row] as FunctionIndex) })}
      {...(onContextMenu === undefined
        ? {}
        : { onContextMenu: (row, point) => onContextMenu(stats.func[row] as FunctionIndex, point) })}
      {...(props.filter === undefined ? {} : { filter: props.filter })}
      {...(props.onFilterChange === undefined ? {} : { onFilterChange: props.onFilterChange })}
    />
  );
}
