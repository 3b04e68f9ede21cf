import { useState } from 'react';
import type { ReactElement } from 'react';
import { countOf } from '../shell/format.ts';
import { Icon } from '../shell/icons.tsx';
import { Menu } from '../shell/menu.tsx';
import { useWorkbench } from '../shell/workbench-context.ts';
import type { CaptureGroup } from './group-captures.ts';

interface SeriesRowProps {
  readonly group: CaptureGroup;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** The replicates of one recording, folded into a row. */
export function SeriesRow({ group, open, onToggle }: SeriesRowProps): ReactElement {
  const { library } = useWorkbench();
  const [menuAt, setMenuAt] = useState<{ x: number; y: number } | null>(null);
  const canTrash = group.captures.every((capture) => capture.origin !== 'sample');
  return (
    <li>
      <button
        type="button"
        className="side-row"
        aria-expanded={open}
        onClick={onToggle}
        onContextMenu={(event) => {
          event.preventDefault();
          if (canTrash) setMenuAt({ x: event.clientX, y: event.clientY });
        }}
      >
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
        <span className="ellipsis">{group.name}</span>
        <small>{countOf(group.captures.length, 'run')}</small>
      </button>
      {menuAt !== null && (
        <Menu
          title={group.name}
          point={menuAt}
          onClose={() => {
            setMenuAt(null);
          }}
          groups={[
            [
              {
                label: `Move all ${group.captures.length} runs to the trash`,
                danger: true,
                run: () => void library.trash(group.captures),
              },
            ],
          ]}
        />
      )}
    </li>
  );
}
