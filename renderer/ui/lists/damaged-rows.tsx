import type { ReactElement } from 'react';
import type { DamagedCapture } from '#core/contract/schemas.ts';
import { Button } from '../buttons.tsx';

interface DamagedRowsProps {
  readonly rows: readonly DamagedCapture[];
  /** Moves the folder to the trash. */
  readonly onDelete: (row: DamagedCapture) => void;
}

/** Unreadable folders of the library, listed with their remedy instead of being hidden. */
export function DamagedRows({ rows, onDelete }: DamagedRowsProps): ReactElement | null {
  if (rows.length === 0) return null;
  return (
    <ul>
      {rows.map((folder) => (
        <li key={folder.id}>
          <details className="damaged-row">
            <summary>
              <span className="badge danger">broken</span>
              <span className="ellipsis">{folder.id}</span>
            </summary>
            <p>{folder.message}</p>
            <p className="dim">{folder.remedy}</p>
            <Button aria-label={`Delete ${folder.id}`} onClick={() => onDelete(folder)}>
              Delete
            </Button>
          </details>
        </li>
      ))}
    </ul>
  );
}
