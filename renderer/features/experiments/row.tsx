import { useState, type KeyboardEvent, type ReactElement } from 'react';
import { experimentFileName } from '#core/contract/experiment-file.ts';
import type { ExperimentState } from '#core/contract/experiment.ts';
import { SIDES } from '#core/contract/side.ts';
import { RowMenu, useRowMenu } from '../../ui/menu/row-menu.tsx';
import { countOf, dateAndTime } from '../../ui/format.ts';
import type { MenuGroups } from '../../ui/menu/menu.tsx';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { download } from '../../state/transforms/export-file.ts';
import { openForReport } from '../../state/reports/open-for-report.ts';
import { analysedTabs, asCompareTab } from '../../state/tabs/open-tab.ts';
import { ExperimentDialog } from './dialog.tsx';
import { ExperimentSideRows } from './side-rows.tsx';
import { loadPart } from '../../ui/load-part.ts';
import { IconButton } from '../../ui/buttons.tsx';

/**
 * A row for an experiment: click or Enter opens it, F2 edits, Delete moves it to the trash, the arrow shows its sides.
 */
export function ExperimentRow({ state }: { state: ExperimentState }): ReactElement {
  const workbench = useWorkbench();
  const { experiments } = workbench;
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
  const noteCount = useWorkbenchState((counted) => counted.noteCounts[experiment.id] ?? 0);
  const addNote = async (): Promise<void> => {
    await experiments.open(experiment.id);
    const tab = analysedTabs(workbench.store.get().tabs).find(
      (one) => asCompareTab(one)?.store.get().experimentId === experiment.id,
    );
    if (tab === undefined) return;
    const { startNote } = await loadPart(() => import('../../state/start-note.ts'));
    await startNote(workbench, tab, 'whole');
  };
  const groups: MenuGroups = [
    [
      { label: 'Open', hint: 'Enter', run: open },
      { label: 'Name, labels and notes…', hint: 'F2', run: () => setEditing(true) },
      { label: 'Add note…', run: () => void addNote() },
      ...(experiment.loads === undefined
        ? []
        : [{ label: 'Result under load', run: () => workbench.tabs.openLoad({ page: 'experiment', shown: id }) }]),
      { label: 'Report…', run: () => void openForReport(workbench, id) },
      { label: 'Export to a file', run: () => void exportFile() },
    ],
    [{ label: 'Move to the trash', hint: 'Delete', danger: true, run: () => void experiments.trash(state) }],
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
      <IconButton
        icon={isOpen ? 'chevron-down' : 'chevron-right'}
        className="experiment-toggle"
        aria-expanded={isOpen}
        label={`Sides of ${name}`}
        onClick={() => setOpen(!isOpen)}
      />
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
          {noteCount > 0 && <small>{countOf(noteCount, 'note')}</small>}
          <small>{sizes(before.captures.length, after.captures.length)}</small>
        </span>
      </button>
      <RowMenu title={name} groups={() => groups} place={menu} />
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
      {isEditing && <ExperimentDialog experiment={experiment} onClose={() => setEditing(false)} />}
    </li>
  );
}

/** Returns the number of captures per side: `2 × 5`. */
const sizes = (before: number, after: number): string => (before === after ? `2 × ${before}` : `${before} + ${after}`);
