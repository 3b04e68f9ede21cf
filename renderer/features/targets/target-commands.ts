import { visibleText } from '#core/analyze/function-label.ts';
import type { TargetRow } from '#core/contract/target.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import type { Command } from '../../state/command.ts';
import type { Workbench } from '../../state/workbench.ts';
import { isLocal } from '../../ui/status/target-words.ts';

/** Returns the commands for targets and their terminals. */
export function targetCommands(workbench: Workbench): Command[] {
  const { store, targets, parts, showDialog } = workbench;
  const { targets: list, terminalOpen, terminalTarget } = store.get();
  const toggle = (): void => {
    if (terminalOpen) {
      targets.hideTerminal();
      parts.rescueFocus();
    } else {
      targets.showTerminal();
      requestAnimationFrame(() => parts.focus('terminal'));
    }
  };
  return [
    { id: 'terminal.toggle', name: terminalOpen ? 'Hide the terminal' : 'Show the terminal', run: toggle },
    {
      id: 'target.doctor',
      name: 'Check a target…',
      run: () => showDialog({ kind: 'doctor', target: terminalTarget ?? LOCAL_TARGET }),
    },
    ...(list?.unavailable === null
      ? [{ id: 'target.add', name: 'Add a target…', run: () => showDialog({ kind: 'add-target' }) }]
      : []),
    ...(list?.targets ?? []).flatMap((row) => commandsOf(workbench, row)),
  ];
}

function commandsOf({ targets, showDialog }: Workbench, row: TargetRow): Command[] {
  const { id, state } = row;
  const name = visibleText(row.name);
  const record = {
    id: `target.record.${id}`,
    name: `Record on ${name}…`,
    run: () => showDialog({ kind: 'record', targets: [id] }),
  };
  const doctor = {
    id: `target.doctor.${id}`,
    name: `Check ${name}…`,
    run: () => showDialog({ kind: 'doctor', target: id }),
  };
  if (isLocal(row)) return [record, doctor];
  const isOn = state.kind === 'up' || state.kind === 'connecting' || state.kind === 'needs-you';
  return [
    record,
    doctor,
    isOn
      ? { id: `target.disconnect.${id}`, name: `Disconnect ${name}`, run: () => void targets.disconnect(id) }
      : { id: `target.connect.${id}`, name: `Connect ${name}`, run: () => void targets.connect(id) },
    { id: `target.terminal.${id}`, name: `Terminal of ${name}`, run: () => targets.showTerminal(id) },
    {
      id: `target.rename.${id}`,
      name: `Rename target ${name}…`,
      run: () => showDialog({ kind: 'rename-target', row }),
    },
    { id: `target.remove.${id}`, name: `Remove target ${name}`, run: () => void targets.remove(row) },
  ];
}
