import type { ReactElement } from 'react';
import type { ShortcutId } from '../../ui/keys/shortcuts.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { MenuButton } from '../../ui/menu/menu-button.tsx';
import { MAX_VIEWS } from '../../state/profile/views.ts';
import { useProfileTab, useTabState } from '../../state/profile/context.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { splitChoices } from './view-commands.ts';
import { IconButton } from '../../ui/buttons.tsx';

/** Undo, redo, and splitting the view. */
export function ViewTools(): ReactElement {
  const tab = useProfileTab();
  const canUndo = useTabState((state) => state.canUndo);
  const canRedo = useTabState((state) => state.canRedo);
  return (
    <>
      <Tool name="Undo" icon="undo" shortcut="view.undo" disabled={!canUndo} onClick={tab.undo} />
      <Tool name="Redo" icon="redo" shortcut="view.redo" disabled={!canRedo} onClick={tab.redo} />
      <SplitButton />
    </>
  );
}

interface ToolProps {
  readonly name: string;
  readonly icon: IconName;
  readonly shortcut: ShortcutId;
  readonly disabled: boolean;
  readonly onClick: () => void;
}

/** A button that keeps the focus if it is unavailable: it is marked as disabled without the attribute. */
function Tool({ name, icon, shortcut, disabled, onClick }: ToolProps): ReactElement {
  return (
    <IconButton
      icon={icon}
      label={name}
      aria-disabled={disabled}
      shortcut={shortcut}
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
  return (
    <MenuButton
      className="icon-button"
      aria-label="Split view"
      aria-disabled={full}
      title={
        full ? `No more than ${MAX_VIEWS} views` : 'Split view: show another value type, or the same one, side by side'
      }
      gapPx={4}
      menuTitle="Split view"
      groups={() => splitChoices(parts, tab).map((group) => group.map(({ name, run }) => ({ label: name, run })))}
    >
      <Icon name="split" />
    </MenuButton>
  );
}
