import { useState, type ReactElement } from 'react';
import { failurePage } from '#core/contract/failure-pages.ts';
import './failure-help.css';

/** Unfolds the page that explains a failure, a check or a diagnostic; nothing if there is none. */
export function FailureHelp({ code }: { code: string }): ReactElement | null {
  const page = failurePage(code);
  const [text, setText] = useState<string | null>(null);
  if (page === null) return null;
  const load = async (): Promise<void> => {
    const { failureTextOf } = await import('./failure-texts.ts');
    setText(failureTextOf(page));
  };
  return (
    <details className="failure-help" onToggle={() => void load()}>
      <summary>More: {page.replaceAll('-', ' ')}</summary>
      {text !== null && <div className="failure-text">{text}</div>}
    </details>
  );
}
