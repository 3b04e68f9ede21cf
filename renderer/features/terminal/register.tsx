import type { ReactElement } from 'react';
import type { Registration } from '../../state/features.ts';
import { onDemand } from '../../state/on-demand.tsx';
import { useWorkbenchState, useWorkbench } from '../../state/workbench-context.ts';
import { visibleText } from '#core/analyze/function-label.ts';
import { useKeymap } from '../../ui/keys/use-keymap.ts';
import { Icon } from '../../ui/icons.tsx';

/** Opens and hides the terminal, and says which targets are prompting. */
function TerminalButton(): ReactElement {
  const { targets } = useWorkbench();
  const open = useWorkbenchState((state) => state.terminalOpen);
  const list = useWorkbenchState((state) => state.targets);
  const keys = useKeymap().textOf('terminal.toggle');
  const asking = (list?.targets ?? []).filter(({ state }) => state.kind === 'needs-you');
  return (
    <button
      type="button"
      className={asking.length > 0 ? 'status-button terminal-button asks' : 'status-button terminal-button'}
      aria-expanded={open}
      title={keys === null ? 'Terminal' : `Terminal (${keys})`}
      onClick={() => {
        if (open && asking.length === 0) targets.hideTerminal();
        else if (asking.length > 0) targets.showTerminal(asking[0]!.id);
        else targets.showTerminal();
      }}
    >
      {asking.length > 0 && <Icon name="question" />}
      {askText(asking.map(({ name }) => visibleText(name)))} <span aria-hidden="true">{open ? '▾' : '▴'}</span>
    </button>
  );
}

function askText(names: readonly string[]): string {
  if (names.length === 0) return 'terminal';
  return names.length === 1 ? `${names[0]} asks` : `${names.length} targets ask`;
}

const TerminalPane = onDemand(() => import('./terminal-pane.tsx').then((part) => part.TerminalPane));

function OpenTerminal(): ReactElement | null {
  return useWorkbenchState((state) => state.terminalOpen) ? <TerminalPane /> : null;
}

export const terminal = { regions: { below: OpenTerminal, statusEnd: TerminalButton } } satisfies Registration;
