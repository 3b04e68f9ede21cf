import { useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { experimentFileName } from '#core/contract/experiment-file.ts';
import type { ExperimentState } from '#core/contract/experiment.ts';
import { RowMenu, useRowMenu } from '../../ui/menu/row-menu.tsx';
import { dateAndTime } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import type { MenuGroups } from '../../ui/menu/menu.tsx';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { download } from '../../state/transforms/export-file.ts';
import { SIDES } from '../../state/compare/sides.ts';
import { ExperimentDialog } from './experiment-dialog.tsx';
import { ExperimentSideRows } from './experiment-side-rows.tsx';

/** One experiment: click or Enter opens, F2 edits, Delete moves to the trash, the arrow shows its sides. */
export function ExperimentRow({ state }: { state: ExperimentState }): ReactElement {
  const { experiments } = useWorkbench();
  const [isOpen, setOpen] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const menu = useRowMenu();
  const { experiment, missing } = state;
  const { id, name, before, after, notes, changedAt } = experiment;
  const isActive = useWorkbenchState(({ tabs, activeTab }) => {
    const tab = tabs.find((one) => one.id === activeTab);
    return tab?.kind === 'compare' && tab.store.get().experimentId === id;
  });
  const open = (): void => void experiments.open(id);
  const exportFile = async (): Promise<void> => {
    const content = await experiments.file(id);
    if (content !== null) download(content, experimentFileName(name));
  };
  const groups: MenuGroups = [
    [
      { label: 'Open', hint: 'Enter', run: open },
      {
        label: 'Name, labels and notes…',
        hint: 'F2',
        run: () => {
          setEditing(true);
        },
      },
      { label: 'Export to a file', run: () => void exportFile() },
    ],
    [
      {
        label: 'Move to the trash',
        hint: 'Delete',
        danger: true,
        run: () => void experiments.trash(state),
      },
    ],
  ];
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'F2') setEditing(true);
    else if (event.key === 'Delete') void experiments.trash(state);
    else if (event.key === 'ArrowRight') setOpen(true);
    else if (event.key === 'ArrowLeft') setOpen(false);
    else return;
    event.preventDefault();
  };
  return (
    <li className="experiment">
      <button
        type="button"
        className="icon-button experiment-toggle"
        aria-expanded={isOpen}
        aria-label={`Sides of ${name}`}
        onClick={() => {
          setOpen(!isOpen);
        }}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
      </button>
      <button
        type="button"
        className={isActive ? 'side-row on' : 'side-row'}
        aria-current={isActive ? 'true' : undefined}
        title={[name, `changed ${dateAndTime(changedAt)}`, notes].filter((line) => line !== '').join('\n')}
        onClick={open}
        onKeyDown={onKeyDown}
        onContextMenu={menu.onContextMenu}
      >
        <span className="ellipsis">{name}</span>
        <span className="row-end">
          {missing.length > 0 && <span className="badge warn">{missing.length} missing</span>}
          <small>{sizes(before.captures.length, after.captures.length)}</small>
        </span>
      </button>
      <RowMenu title={name} groups={groups} place={menu} />
      {isOpen && (
        <>
          {notes !== '' && <p className="experiment-notes ellipsis">{notes}</p>}
          <ul className="experiment-sides">
            {SIDES.map((side) => (
              <ExperimentSideRows key={side} state={state} side={side} />
            ))}
          </ul>
        </>
      )}
      {isEditing && (
        <ExperimentDialog
          experiment={experiment}
          onClose={() => {
            setEditing(false);
          }}
        />
      )}
    </li>
  );
}

/** `2 × 5`: two sides of five captures. */
const sizes = (before: number, after: number): string => (before === after ? `2 × ${before}` : `${before} + ${after}`);
