import type { ExportColumn } from '../export.ts';
import { textColumn } from '../column.ts';
import type { Column, ShownTable } from '../table.types.ts';

/** One of the two lists: its rows in the order on screen, and what it says of them. */
export interface EdgeList {
  readonly noun: string;
  readonly columns: readonly Column[];
  readonly exported: readonly ExportColumn[];
  readonly rows: Int32Array;
}

/** Two lists, as one table: the callers' rows, then the callees'. */
interface BothLists {
  readonly shown: Pick<ShownTable, 'columns' | 'rows'>;
  readonly exported: readonly ExportColumn[];
}

/** Joins the lists below each other; the second column says which list a row is of. Both have the same columns. */
export function bothLists(callers: EdgeList, callees: EdgeList): BothLists {
  const callerCount = callers.rows.length;
  const of = <T>(at: number, read: (list: EdgeList, row: number) => T): T =>
    at < callerCount ? read(callers, callers.rows[at]!) : read(callees, callees.rows[at - callerCount]!);
  const relation = textColumn('relation', 'Relation', 80, (at) => of(at, ({ noun }) => noun.toLowerCase()), {
    align: 'left',
  });
  const joined = callers.columns.map((column, place): Column => {
    const header = column.id === 'function' ? 'Function' : column.header;
    const pins = (at: number) => of(at, ({ columns }, row) => columns[place]!.pins?.(row) ?? []);
    if (column.kind !== 'number') {
      return { ...column, header, pins, text: (at) => of(at, ({ columns }, row) => textAt(columns[place]!, row)) };
    }
    return {
      ...column,
      header,
      pins,
      value: (at) => of(at, ({ columns }, row) => valueAt(columns[place]!, row)),
      format: (_, at) => of(at, ({ columns }, row) => textAt(columns[place]!, row)),
    };
  });
  const exported = callers.exported.map(({ header }, place): ExportColumn => ({
    header: place === 0 ? 'Function' : header,
    cell: (at) => of(at, (list, row) => list.exported[place]!.cell(row)),
  }));
  return {
    shown: {
      columns: [joined[0]!, relation, ...joined.slice(1)],
      rows: Int32Array.from({ length: callerCount + callees.rows.length }, (_, at) => at),
    },
    exported: [exported[0]!, { header: relation.header, cell: relation.text }, ...exported.slice(1)],
  };
}

const textAt = (column: Column, row: number): string =>
  column.kind === 'number' ? column.format(column.value(row), row) : column.text(row);

const valueAt = (column: Column, row: number): number => (column.kind === 'number' ? column.value(row) : 0);
