import { useRef, useState, type ReactElement } from 'react';
import { recordedProgram } from '#core/contract/recorded-program.ts';
import { useComparing } from '../experiments/use-comparing.ts';
import { Icon } from '../../ui/icons.tsx';
import { PlacedMenu, useRowMenu } from '../../ui/menu/row-menu.tsx';
import { useWorkbench } from '../../state/workbench-context.ts';
import { groupSize, type LibraryGroup } from '../../state/group-captures.ts';
import { countOf } from '../../ui/format.ts';
import { RenameField } from './rename-field.tsx';
import { trashRows } from './trash-rows.ts';
import { RowCheck, trashSelected, useSelecting } from './selection.tsx';

interface SeriesRowProps {
  readonly group: LibraryGroup;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** The replicates of one recording, or the captures of one load test or experiment, collapsed into one row. */
export function SeriesRow({ group, open, onToggle }: SeriesRowProps): ReactElement {
  const workbench = useWorkbench();
  const { library } = workbench;
  const [renaming, setRenaming] = useState(false);
  const row = useRef<HTMLButtonElement>(null);
  const selecting = useSelecting(group.captures);
  const menu = useRowMenu();
  const comparing = useComparing(group.captures);
  const size = group.isLoad ? countOf(group.captures.length, 'capture') : groupSize(group);
  const under = group.captures[0]!.load?.experiment === undefined ? 'Load test' : 'Experiment';
  const command = group.isLoad ? null : recordedProgram(group.captures[0]!).command;
  const canTrash = group.captures.every((capture) => capture.origin !== 'sample'); // The load test keeps its own name.
  const canRename = canTrash && !group.isLoad;
  return (
    <li className="capture">
      {renaming ? (
        <RenameField
          label={`New name of ${group.name}`}
          name={group.name}
          onRename={(name) => void library.renameGroup(group, name)}
          onDone={() => {
            setRenaming(false);
            setTimeout(() => row.current?.focus());
          }}
        />
      ) : (
        <button
          ref={row}
          type="button"
          className={selecting.isSelected ? 'side-row picked' : 'side-row'}
          {...selecting.row}
          title={[group.name, command, group.isLoad ? `${under} · ${size}` : size]
            .filter((line) => line !== null)
            .join('\n')}
          aria-expanded={open}
          onClick={(event) => {
            if (!selecting.onClick(event)) onToggle();
          }}
          onKeyDown={(event) => {
            if (selecting.onKeyDown(event)) return;
            if (event.key === ' ' && (event.ctrlKey || event.metaKey) && !group.isLoad) comparing.toggle();
            else if (event.key === 'Delete' && selecting.many.length > 0) trashSelected(workbench, selecting.many);
            else if (event.key === 'F2' && canRename) setRenaming(true);
            else return;
            event.preventDefault();
          }}
          onContextMenu={menu.onContextMenu}
        >
          <Icon name={open ? 'chevron-down' : 'chevron-right'} />
          <span className="ellipsis">{group.name}</span>
          {comparing.side !== null && <span className="row-side">{comparing.side}</span>}
          <small>{size}</small>
        </button>
      )}
      <RowCheck label={`Select ${group.name}`} selecting={selecting} />
      <PlacedMenu
        title={group.name}
        place={menu}
        groups={() => [
          [{ label: selecting.isSelected ? 'Deselect' : 'Select', hint: 'Shift+Space', run: selecting.toggle }],
          // Captures of several steps are no replicates of each other.
          group.isLoad ? [] : comparing.items(),
          canRename ? [{ label: 'Rename…', hint: 'F2', run: () => setRenaming(true) }] : [],
          canTrash
            ? [
                {
                  label: `Move all ${countOf(group.captures.length, group.isLoad ? 'capture' : 'run')} to the trash`,
                  danger: true,
                  run: () => void trashRows(workbench, group.captures),
                },
              ]
            : [],
        ]}
      />
    </li>
  );
}
