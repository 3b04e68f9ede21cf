import type { ReactElement, ReactNode } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { TargetRow } from '#core/contract/target.ts';
import { countOf } from '../../ui/format.ts';
import { PopoverButton } from '../../ui/menu/popover-button.tsx';
import { StateIcon } from '../../ui/status/target-state.tsx';
import { isLocal, shortTarget, STATE_LOOKS } from '../../ui/status/target-words.ts';

interface TargetFieldProps {
  readonly rows: readonly TargetRow[];
  /** IDs, in the order in which they were chosen. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  /** Returns what follows the list of targets. */
  readonly children: (close: () => void) => ReactNode;
}

/** Selects one target, or several that record concurrently. */
export function TargetField({ rows, chosen, onChange, children }: TargetFieldProps): ReactElement {
  const named = chosen.flatMap((id) => rows.find((row) => row.id === id) ?? []);
  const [first] = named;
  return (
    <div className="record-target">
      <span className="caption">target</span>
      <PopoverButton
        className="button"
        label="Targets to record on"
        face={
          <>
            {named.length === 1 && first !== undefined && <StateIcon state={first.state} spoken />}
            <span className="ellipsis">{faceText(named)}</span>
          </>
        }
      >
        {(close) => (
          <div className="target-choices">
            {rows.map((row) => (
              <label key={row.id} className="target-choice">
                <input
                  type="checkbox"
                  checked={chosen.includes(row.id)}
                  onChange={(event) => {
                    const rest = chosen.filter((id) => id !== row.id);
                    onChange(event.target.checked ? [...rest, row.id] : rest);
                  }}
                />
                <StateIcon state={row.state} spoken={false} />
                <span className="ellipsis">{visibleText(row.name)}</span>
                <small className="dim">{isLocal(row) ? 'this machine' : stateText(row)}</small>
              </label>
            ))}
            <p className="dim">Hosts record concurrently; a failure on one does not affect the others.</p>
            {children(close)}
          </div>
        )}
      </PopoverButton>
    </div>
  );
}

function faceText(named: readonly TargetRow[]): string {
  if (named.length > 2) return countOf(named.length, 'host');
  return named.length === 0 ? 'choose…' : named.map(({ name }) => visibleText(name)).join(' and ');
}

const stateText = ({ id, state }: TargetRow): string => `${shortTarget(id)} · ${STATE_LOOKS[state.kind].sentence}`;
