import type { ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';

interface TextTableProps {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A table of texts, each row named by its second column. */
export const TextTable = ({ header, rows }: TextTableProps): ReactElement => (
  <div className="load-table">
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
  </div>
);
