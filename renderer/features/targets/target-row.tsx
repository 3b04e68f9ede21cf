import type { KeyboardEvent, ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { TargetRow } from '#core/contract/target.ts';
import { RowMenu, useRowMenu } from '../../ui/menu/row-menu.tsx';
import { Icon } from '../../ui/icons.tsx';
import type { MenuGroups, MenuItem } from '../../ui/menu/menu.tsx';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import type { Workbench } from '../../state/workbench.ts';
import { worstCheck } from '../../state/targets/doctor-report.ts';
import { StateIcon } from '../../ui/status/target-state.tsx';
import { isLocal, STATE_LOOKS, shortTarget } from '../../ui/status/target-words.ts';

/**
 * A row for a target: click or Enter does the next step (connect, answer, record), F2 renames, Delete removes,
 * right-click opens its menu.
 */
export function TargetItem({ row }: { row: TargetRow }): ReactElement {
  const workbench = useWorkbench();
  const menu = useRowMenu();
  const report = useWorkbenchState((state) => state.doctors.get(row.id) ?? null);
  const worst = report === null || report.running || row.state.kind !== 'up' ? null : worstCheck(report.checks);
  const groups = targetMenu(workbench, row);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isLocal(row)) return;
    if (event.key === 'F2') workbench.showDialog({ kind: 'rename-target', row });
    else if (event.key === 'Delete') void workbench.targets.remove(row);
    else return;
    event.preventDefault();
  };
  return (
    <li className="capture">
      <button
        type="button"
        className="side-row target-row"
        title={rowTitle(row, groups[0]?.[0]?.label ?? '')}
        onClick={() => groups[0]?.[0]?.run()}
        onKeyDown={onKeyDown}
        onContextMenu={menu.onContextMenu}
      >
        <StateIcon state={row.state} spoken={row.state.kind === 'up' && !isLocal(row)} />
        <span className="ellipsis">{visibleText(row.name)}</span>
        {worst === null ? (
          <small>{isLocal(row) ? 'perf' : STATE_LOOKS[row.state.kind].text}</small>
        ) : (
          <small className={`target-check ${worst.status}`}>
            <Icon name={worst.status === 'failed' ? 'close' : 'warning'} />
            {worst.id.replaceAll('-', ' ')}
          </small>
        )}
      </button>
      <RowMenu title={row.name} groups={() => groups} place={menu} />
    </li>
  );
}

/** Returns the menu of a target; a click on the target runs the first item. */
function targetMenu({ targets, showDialog }: Workbench, row: TargetRow): MenuGroups {
  const { kind } = row.state;
  const record: MenuItem = {
    label: 'Record here…',
    run: () => showDialog({ kind: 'record', targets: [row.id] }),
  };
  const doctor: MenuItem = {
    label: 'Check target…',
    run: () => showDialog({ kind: 'doctor', target: row.id }),
  };
  if (isLocal(row)) return [[record, doctor]];
  const terminal: MenuItem = {
    label: kind === 'needs-you' ? 'Answer in the terminal' : 'Show the terminal',
    run: () => targets.showTerminal(row.id),
  };
  const connect: MenuItem = {
    label: kind === 'lost' ? 'Connect again' : 'Connect',
    run: () => void targets.connect(row.id),
  };
  const disconnect: MenuItem = {
    label: kind === 'up' ? 'Disconnect' : 'Stop connecting',
    run: () => void targets.disconnect(row.id),
  };
  const isOn = kind === 'up' || kind === 'connecting' || kind === 'needs-you';
  const first = kind === 'up' ? [record, doctor, terminal] : isOn ? [terminal] : [connect, record, doctor, terminal];
  return [
    first,
    isOn ? [disconnect] : [],
    [
      {
        label: row.origin === 'saved' ? 'Rename…' : 'Save with a name…',
        hint: 'F2',
        run: () => showDialog({ kind: 'rename-target', row }),
      },
      { label: 'Remove', hint: 'Delete', danger: true, run: () => void targets.remove(row) },
    ],
  ];
}

function rowTitle({ name, id, state, origin }: TargetRow, click: string): string {
  const lines = [
    visibleText(name),
    origin === 'local' ? 'this machine' : shortTarget(id),
    state.message ?? (state.kind === 'up' ? null : STATE_LOOKS[state.kind].sentence),
    state.remedy,
    `Click: ${click}`,
  ];
  return lines.flatMap((line) => (line === null ? [] : [visibleText(line)])).join('\n');
}
