import { useState } from 'react';
import type { ReactElement } from 'react';
import { startCaptureDrag } from '../../ui/lists/capture-drag.ts';
import { useComparing } from '../experiments/use-comparing.ts';
import { Icon } from '../../ui/icons.tsx';
import { Menu } from '../../ui/menu/menu.tsx';
import { useWorkbench } from '../../state/workbench-context.ts';
import { groupSize } from '../../state/group-captures.ts';
import type { CaptureGroup } from '../../state/group-captures.ts';
import { menuPoint } from '../../ui/menu/menu-point.ts';

interface SeriesRowProps {
  readonly group: CaptureGroup;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** The replicates of one recording, collapsed into one row. */
export function SeriesRow({ group, open, onToggle }: SeriesRowProps): ReactElement {
  const { library, store } = useWorkbench();
  const [menuAt, setMenuAt] = useState<{ x: number; y: number } | null>(null);
  const comparing = useComparing(group.captures);
  const canTrash = group.captures.every((capture) => capture.origin !== 'sample');
  return (
    <li>
      <button
        type="button"
        className="side-row"
        title={[group.name, group.command, groupSize(group)].filter((line) => line !== null).join('\n')}
        aria-expanded={open}
        draggable
        onDragStart={(event) => {
          startCaptureDrag(
            event,
            group.captures.map(({ id }) => id),
          );
          // Changing the page synchronously would end the drag.
          setTimeout(() => store.set({ draggingCaptures: true }));
        }}
        onDragEnd={() => {
          store.set({ draggingCaptures: false });
        }}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey) comparing.toggle();
          else onToggle();
        }}
        onKeyDown={(event) => {
          if (event.key !== ' ' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          comparing.toggle();
        }}
        onContextMenu={(event) => {
          event.preventDefault();
          setMenuAt(menuPoint(event.currentTarget, event));
        }}
      >
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
        <span className="ellipsis">{group.name}</span>
        {comparing.side !== null && <span className="row-side">{comparing.side}</span>}
        <small>{groupSize(group)}</small>
      </button>
      {menuAt !== null && (
        <Menu
          title={group.name}
          point={menuAt}
          onClose={() => {
            setMenuAt(null);
          }}
          groups={[
            comparing.items,
            canTrash
              ? [
                  {
                    label: `Move all ${group.captures.length} runs to the trash`,
                    danger: true,
                    run: () => void library.trash(group.captures),
                  },
                ]
              : [],
          ]}
        />
      )}
    </li>
  );
}
