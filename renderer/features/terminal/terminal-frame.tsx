import type { ReactElement, ReactNode } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { TargetRow } from '#core/contract/target.ts';
import { countOf } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { useWorkbench } from '../../state/workbench-context.ts';
import { useStore } from '../../state/store.ts';
import { StateIcon, StateText } from '../../ui/status/target-state.tsx';
import { isLocal, shortTarget } from '../../ui/status/target-words.ts';
import { TerminalScreen } from './terminal-screen.tsx';
import './terminal.css';

/**
 * A target's terminal below a head that no host can write to, which shows whose terminal it is and whether it is
 * prompting. Input is accepted only then.
 */
export function TerminalFrame({ row, children }: { row: TargetRow; children?: ReactNode }): ReactElement {
  const { targets } = useWorkbench();
  const terminal = targets.terminal(row.id);
  const dropped = useStore(terminal.log.facts, (facts) => facts.dropped);
  const isEmpty = useStore(terminal.log.facts, (facts) => facts.isEmpty);
  const refused = useStore(terminal.facts, (facts) => facts.refused);
  const asks = row.state.kind === 'needs-you';
  const name = visibleText(row.name);
  return (
    <div className={asks ? 'terminal-frame fill asks' : 'terminal-frame fill'}>
      <div className="terminal-head">
        <StateIcon state={row.state} spoken={false} />
        <b className="ellipsis">{asks ? `${name} asks` : name}</b>
        <span className="terminal-host mono ellipsis">{visibleText(shortTarget(row.id))}</span>
        <span className="terminal-state" role="status">
          <StateText state={row.state} />
        </span>
        {dropped > 0 && (
          <span
            className="badge warn"
            title="Clipboard, links, titles, window operations, cursor movement and similar sequences are blocked."
          >
            <Icon name="warning" />
            {countOf(dropped, 'control sequence')} left out
          </span>
        )}
        {children}
      </div>
      <TerminalScreen
        key={row.id}
        label={`Terminal of ${name}`}
        log={terminal.log}
        asks={asks}
        onInput={terminal.typed.type}
        onSize={(size) => targets.resizeTerminal(row.id, size)}
      />
      <p className="terminal-foot">
        {isLocal(row) ? 'Output of launched programs; input is ignored.' : footText(asks, isEmpty, refused)}
      </p>
    </div>
  );
}

function footText(asks: boolean, isEmpty: boolean, refused: boolean): string {
  if (asks)
    return 'Your input answers this prompt; Tab leaves the terminal. The text above comes from the host and ssh.';
  if (refused) return 'The prompt is gone; your last input was not sent.';
  return isEmpty ? 'ssh output appears here. No prompt is waiting.' : 'No prompt is waiting; input is ignored.';
}
