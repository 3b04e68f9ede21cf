import type { ReactElement, ReactNode } from 'react';
import { changeTitle, type LoadTable } from '#core/load/load-text.ts';
import { visibleText } from '#core/analyze/function-label.ts';

/** What scrolls sideways around a wide table; focusable, so that keys scroll it. */
export const TableRegion = ({ label, children }: { label: string; children: ReactNode }): ReactElement => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <div className="load-table" role="region" aria-label={label} tabIndex={0}>
    {children}
  </div>
);

/** A table of texts, each row named by its second column, or by the only one that names it. A change is in the cell of its values, so that both fit. */
export const TextTable = ({ label, table }: { label: string; table: LoadTable }): ReactElement => (
  <TableRegion label={label}>
    <table>
      <thead>
        <tr>
          {table.header.map((title, column) =>
            isChange(table, column) ? null : (
              <th key={title} scope="col" className={sideOf(table, column)}>
                {title}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row, place) => (
          <tr key={place}>
            {row.map((cell, column) =>
              column === Math.min(1, table.names - 1) ? (
                <th key={column} scope="row" className={sideOf(table, column)}>
                  {visibleText(cell)}
                </th>
              ) : isChange(table, column) ? null : (
                <td key={column} className={sideOf(table, column)}>
                  {visibleText(cell)}
                  {isChange(table, column + 1) && <span className="load-change">{visibleText(row[column + 1]!)}</span>}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </TableRegion>
);

const isChange = ({ header }: LoadTable, column: number): boolean =>
  column > 0 && header[column] === changeTitle(header[column - 1]!);

const sideOf = ({ names }: LoadTable, column: number): string | undefined => (column < names ? 'name' : undefined);
