import { useState, type ReactElement } from 'react';
import { useKeymap } from '../../ui/keys/use-keymap.ts';
import type { IconName } from '../../ui/icons.tsx';
import { Menu, type MenuGroups } from '../../ui/menu/menu.tsx';
import { MAX_VIEWS } from '../../state/profile/views.ts';
import { useProfileTab, useTabState } from '../../state/profile/context.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { splitChoices } from './view-commands.ts';
import { IconButton } from '../../ui/buttons.tsx';
import { below } from '../../ui/menu/menu-point.ts';

/** Undo, redo, and splitting the view. */
export function ViewTools(): ReactElement {
  const tab = useProfileTab();
  const keymap = useKeymap();
  const canUndo = useTabState((state) => state.canUndo);
  const canRedo = useTabState((state) => state.canRedo);
  return (
    <>
      <Tool name="Undo" icon="undo" keys={keymap.textOf('view.undo')} disabled={!canUndo} onClick={tab.undo} />
      <Tool name="Redo" icon="redo" keys={keymap.textOf('view.redo')} disabled={!canRedo} onClick={tab.redo} />
      <SplitButton />
    </>
  );
}

interface ToolProps {
  readonly name: string;
  readonly icon: IconName;
  readonly keys: string | null;
  readonly disabled: boolean;
  readonly onClick: () => void;
}

/** A button that keeps the focus if it is unavailable: it is marked as disabled without the attribute. */
function Tool({ name, icon, keys, disabled, onClick }: ToolProps): ReactElement {
  return (
    <IconButton
      icon={icon}
      label={name}
      aria-disabled={disabled}
      title={keys === null ? name : `${name} (${keys})`}
      onClick={() => {
        if (!disabled) onClick();
      }}
    />
  );
}

function SplitButton(): ReactElement {
  const { parts } = useWorkbench();
  const tab = useProfileTab();
  const full = useTabState((state) => state.views.length >= MAX_VIEWS);
  const [point, setPoint] = useState<{ x: number; y: number } | null>(null);
  const groups: MenuGroups = splitChoices(parts, tab).map((group) =>
    group.map(({ name, run }) => ({ label: name, run })),
  );
  return (
    <>
      <IconButton
        icon="split"
        label="Split view"
        aria-haspopup="menu"
        aria-expanded={point !== null}
        aria-disabled={full}
        title={
          full
            ? `No more than ${MAX_VIEWS} views`
            : 'Split view: show another value type, or the same one, side by side'
        }
        onClick={(event) => {
          if (!full) setPoint(below(event.currentTarget, 4));
        }}
      />
      {point !== null && <Menu title="Split view" groups={groups} point={point} onClose={() => setPoint(null)} />}
    </>
  );
}
