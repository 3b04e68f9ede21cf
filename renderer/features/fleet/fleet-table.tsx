import type { ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { TableRegion } from '../load/text-table.tsx';
import { Button } from '../../ui/buttons.tsx';

interface FleetRow {
  readonly cells: readonly string[];
  readonly action?: { readonly label: string; readonly name: string; readonly run: () => void };
}

interface FleetTableProps {
  readonly label: string;
  readonly header: readonly string[];
  /** The column that names a row. */
  readonly named: number;
  /** Columns of numbers; the others are of text. */
  readonly numbers: readonly number[];
  readonly rows: readonly FleetRow[];
  readonly more: number;
}

const LONGEST = 200;

const classOf = (numbers: readonly number[], column: number): string | undefined =>
  numbers.includes(column) ? undefined : 'fleet-text';

/** A table of texts, with an action per row. */
export const FleetTable = ({ label, header, named, numbers, rows, more }: FleetTableProps): ReactElement => (
  <TableRegion label={label}>
    <table>
      <thead>
        <tr>
          {header.map((title, column) => (
            <th key={title} scope="col" className={classOf(numbers, column)}>
              {title}
            </th>
          ))}
          {rows.some(({ action }) => action !== undefined) && (
            <th scope="col">
              <span className="sr-only">Action</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ cells, action }, place) => (
          <tr key={place}>
            {cells.map((cell, column) => {
              const text = visibleText(cell.slice(0, LONGEST)) + (cell.length > LONGEST ? '…' : '');
              return column === named ? (
                <th key={header[column]} scope="row" className="fleet-text">
                  {text || '(none)'}
                </th>
              ) : (
                <td key={header[column]} className={classOf(numbers, column)}>
                  {text}
                </td>
              );
            })}
            {action !== undefined && (
              <td>
                <Button
                  aria-label={`${action.label} ${visibleText(action.name.slice(0, LONGEST))}`}
                  onClick={action.run}
                >
                  {action.label}
                </Button>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
    {more > 0 && <p className="dim">{more} more rows; narrow the selection.</p>}
  </TableRegion>
);
