import type { ReactElement } from 'react';
import type { DamagedCapture } from '#core/contract/schemas.ts';

/** Folders of the library that can't be read: named with what to do, never hidden. */
export function DamagedRows({ rows }: { rows: readonly DamagedCapture[] }): ReactElement | null {
  if (rows.length === 0) return null;
  return (
    <ul>
      {rows.map((folder) => (
        <li key={folder.id}>
          <details className="damaged-row">
            <summary>
              <span className="badge danger">damaged</span>
              <span className="ellipsis">{folder.id}</span>
            </summary>
            <p>{folder.message}</p>
            <p className="dim">{folder.remedy}</p>
          </details>
        </li>
      ))}
    </ul>
  );
}
