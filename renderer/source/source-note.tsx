import type { ReactElement, ReactNode } from 'react';
import { Icon } from '../shell/icons.tsx';
import { visibleText } from '../flame/frame-label.ts';

interface SourceNoteProps {
  readonly kind: 'info' | 'warn';
  readonly lines: readonly (string | null)[];
  readonly children?: ReactNode;
}

/** Why something is not shown, or may not be what it seems, and what to do. */
export function SourceNote({ kind, lines, children }: SourceNoteProps): ReactElement {
  return (
    <div className={`source-note ${kind}`} role="status">
      <Icon name={kind === 'warn' ? 'warning' : 'info'} />
      <div>
        {lines
          .filter((line) => line !== null)
          .map((line) => (
            <p key={line}>{visibleText(line)}</p>
          ))}
        {children}
      </div>
    </div>
  );
}
