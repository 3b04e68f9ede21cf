import { useMemo, type JSX } from 'react';
import type { FunctionIndex } from '#core/model/brand.ts';
import { DataTable } from './data-table.tsx';
import type { Column, FunctionTableProps, SortOrder } from './table.types.ts';

const BY_TOTAL: SortOrder = { column: 'total', direction: 'descending' };

/** Functions with self and total weight. */
export function FunctionTable(props: FunctionTableProps): JSX.Element {
  const { stats, names, totalWeight, format, selected } = props;
  const columns = useMemo<readonly Column[]>(() => {
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
        minWidth: 180,
        mono: true,
        align: 'left',
        text: (row) => names.name(func(row)),
      },
      { ...number, id: 'self', header: 'Self', width: 116, values: stats.self, format: format.value },
      { ...number, id: 'self-share', header: 'Self %', width: 84, values: stats.self, format: share },
      {
        ...number,
        id: 'total',
        header: 'Total',
        width: 226,
        values: stats.total,
        format: format.value,
        barWhole: totalWeight,
      },
      { ...number, id: 'total-share', header: 'Total %', width: 88, values: stats.total, format: share },
      {
        ...text,
        id: 'module',
        header: 'Module',
        width: 150,
        minWidth: 64,
        mono: false,
        align: 'right',
        text: (row) => names.module(func(row)),
      },
    ];
  }, [stats, names, totalWeight, format]);
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
