import { useState, type FormEvent, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { OfferedHost } from '#core/contract/target.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { toProblem } from '../../state/problem.ts';
import type { Problem } from '../../ui/problem.ts';
import { SshCommand } from './ssh-command.tsx';
import { readTarget } from '../../ui/status/target-words.ts';
import { useConnectPlan } from './use-connect-plan.ts';
import { Button } from '../../ui/buttons.tsx';
import { MonoField, TextField } from '../../ui/fields/labelled-fields.tsx';

/**
 * Adds a host, typed or from ~/.ssh/config, under a name; shows the exact ssh command, and saves the host or connects.
 */
export function AddTargetDialog(): ReactElement {
  const { engine, targets, showDialog } = useWorkbench();
  const list = useWorkbenchState((state) => state.targets);
  const [typed, setTyped] = useState('');
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const read = readTarget(typed);
  const planned = useConnectPlan(engine, read.ok ? read.id : null);
  const close = (): void => showDialog(null);
  const save = async (): Promise<boolean> => {
    if (!read.ok) return false;
    try {
      await targets.save(read.id, name.trim() === '' ? read.name : name.trim());
      close();
      return true;
    } catch (error) {
      setProblem(toProblem(error));
      return false;
    }
  };
  const connect = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!read.ok || planned.plan === null || !(await save())) return;
    await targets.connectConfirmed(read.id, planned.plan.confirmation);
  };
  const shown = problem ?? planned.problem;
  return (
    <Dialog title="Add a target" className="target-dialog" onClose={close}>
      <form onSubmit={(event) => void connect(event)}>
        <div className="dialog-body">
          <div className="target-fields">
            <MonoField
              label="Host"
              value={typed}
              placeholder="ssh://user@host:port"
              autoCapitalize="off"
              isWrong={typed !== '' && !read.ok}
              aria-describedby="target-hint"
              onChange={(text) => {
                setTyped(text);
                setProblem(null);
              }}
            />
            <TextField
              label="Name"
              value={name}
              maxLength={100}
              placeholder={read.ok ? read.name : 'same as host'}
              onChange={setName}
            />
          </div>
          {!read.ok && (
            <p id="target-hint" className={typed === '' ? 'dim' : 'target-wrong'}>
              {visibleText(read.message)}
            </p>
          )}
          {typed === '' && (
            <OfferedHosts
              offered={list?.offered ?? []}
              notes={list?.notes ?? []}
              onChoose={(host) => {
                setTyped(host.id);
                setName(host.name);
              }}
            />
          )}
          {shown !== null && <ProblemView problem={shown} />}
          {planned.plan !== null && <SshCommand argv={planned.plan.command} />}
        </div>
        <div className="dialog-actions">
          <Button onClick={close}>Cancel</Button>
          <Button disabled={!read.ok} onClick={() => void save()}>
            Save only
          </Button>
          <Button type="submit" className="primary" disabled={planned.plan === null}>
            Connect
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface OfferedHostsProps {
  readonly offered: readonly OfferedHost[];
  readonly notes: readonly string[];
  readonly onChoose: (host: OfferedHost) => void;
}

function OfferedHosts({ offered, notes, onChoose }: OfferedHostsProps): ReactElement | null {
  if (offered.length === 0 && notes.length === 0) return null;
  return (
    <>
      {offered.length > 0 && <h3 className="target-offers-head">Hosts of your ~/.ssh/config</h3>}
      <ul className="target-offers">
        {offered.map((host) => (
          <li key={host.id}>
            <button type="button" className="sample-row" onClick={() => onChoose(host)}>
              <span className="ellipsis">{visibleText(host.name)}</span>
              {host.hostName !== null && <span className="dim mono">{visibleText(host.hostName)}</span>}
            </button>
          </li>
        ))}
      </ul>
      {notes.map((note) => (
        <p key={note} className="dim target-note">
          {visibleText(note)}
        </p>
      ))}
    </>
  );
}
