import type { ReactElement, ReactNode } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';

/** What scrolls sideways around a wide table; focusable, so that keys scroll it. */
export const TableRegion = ({ label, children }: { label: string; children: ReactNode }): ReactElement => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <div className="load-table" role="region" aria-label={label} tabIndex={0}>
    {children}
  </div>
);

interface TextTableProps {
  readonly label: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A table of texts, each row named by its second column. */
export const TextTable = ({ label, header, rows }: TextTableProps): ReactElement => (
  <TableRegion label={label}>
    <table>
      <thead>
        <tr>
          {header.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, place) => (
          <tr key={place}>
            {row.map((cell, column) =>
              column === 1 ? (
                <th key={header[column]} scope="row">
                  {visibleText(cell)}
                </th>
              ) : (
                <td key={header[column]}>{visibleText(cell)}</td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </TableRegion>
);
