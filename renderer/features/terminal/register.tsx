import type { ReactElement } from 'react';
import type { Registration } from '../../state/features.ts';
import { onDemand } from '../../state/on-demand.tsx';
import { useWorkbenchState } from '../../state/workbench-context.ts';
import { TerminalButton } from './terminal-button.tsx';

const TerminalPane = onDemand(() => import('./terminal-pane.tsx').then((part) => part.TerminalPane));

function OpenTerminal(): ReactElement | null {
  return useWorkbenchState((state) => state.terminalOpen) ? <TerminalPane /> : null;
}

export const terminal = { regions: { below: OpenTerminal, statusEnd: TerminalButton } } satisfies Registration;
