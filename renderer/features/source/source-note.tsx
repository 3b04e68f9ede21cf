import type { ReactElement, ReactNode } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { Icon } from '../../ui/icons.tsx';

interface SourceNoteProps {
  readonly kind: 'info' | 'warn';
  readonly lines: readonly (string | null)[];
  readonly children?: ReactNode;
}

/** Formats a remedy, which is written as part of a line ("run: …"), as a sentence. */
function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[\p{L}\p{N})]$/u.test(capital) ? `${capital}.` : capital;
}

/** Explains why something is not shown or may be misleading, and what to do. */
export function SourceNote({ kind, lines, children }: SourceNoteProps): ReactElement {
  return (
    <div className={`source-note ${kind}`} role="status">
      <Icon name={kind === 'warn' ? 'warning' : 'info'} />
      <div>
        {lines
          .filter((line) => line !== null)
          .map((line) => (
            <p key={line}>{visibleText(sentence(line))}</p>
          ))}
        {children}
      </div>
    </div>
  );
}
