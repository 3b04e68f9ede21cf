import type { ReactElement } from 'react';
import { Mark } from './icons.tsx';
import { useTheme } from './theme.ts';

/** The page was opened without a session. */
export function StartProblem(): ReactElement {
  useTheme('system');
  return (
    <main className="start-problem">
      <Mark />
      <h1>This page has no session</h1>
      <p>
        The link that Flamebench prints opens the workbench once, within 60 seconds. Run <code>flamebench</code> (or{' '}
        <code>npm start</code>) again and open the new link.
      </p>
    </main>
  );
}
