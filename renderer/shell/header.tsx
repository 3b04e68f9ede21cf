import type { ReactElement } from 'react';
import type { CommandSource } from '../state/features.ts';
import { Toolbar } from './toolbar.tsx';
import { useStore } from '../state/store.ts';
import type { OpenTab } from '../state/tabs/open-tab.ts';
import type { ThemeChoice } from '../state/preferences.ts';
import { useKeymap } from '../ui/keys/use-keymap.ts';
import { Mark, type IconName } from '../ui/icons.tsx';
import { showLibrary, useLibraryPlace } from '../state/library-place.ts';
import { useTabTitle } from '../state/tab-title.ts';
import { useWorkbench, useWorkbenchState } from '../state/workbench-context.ts';
import { IconButton } from '../ui/buttons.tsx';

const THEMES: Readonly<Record<ThemeChoice, { icon: IconName; name: string; next: ThemeChoice }>> = {
  system: { icon: 'contrast', name: 'system', next: 'light' },
  light: { icon: 'sun', name: 'light', next: 'dark' },
  dark: { icon: 'moon', name: 'dark', next: 'system' },
};

export function Header({ sources }: { sources: readonly CommandSource[] }): ReactElement {
  const workbench = useWorkbench();
  const theme = THEMES[useStore(workbench.preferences, (state) => state.theme)];
  const active = useWorkbenchState((state) => state.tabs.find((tab) => tab.id === state.activeTab) ?? null);
  const libraryPlace = useLibraryPlace();
  const paletteKeys = useKeymap().textOf('commands.show');
  return (
    <header className="header">
      <IconButton
        icon="sidebar"
        label="Library"
        aria-pressed={libraryPlace !== null}
        shortcut="library.toggle"
        onClick={() => showLibrary(workbench, libraryPlace === null)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && libraryPlace === 'over') showLibrary(workbench, false);
        }}
      />
      <Mark />
      <h1>Flamebench</h1>
      <Toolbar sources={sources} />
      {active !== null && <Crumb tab={active} />}
      <button type="button" className="command-hint" onClick={() => workbench.showDialog({ kind: 'commands' })}>
        <span>Search commands</span> {paletteKeys !== null && <kbd>{paletteKeys}</kbd>}
      </button>
      <IconButton
        icon={theme.icon}
        label={`Theme: ${theme.name}. Change`}
        title={`Theme: ${theme.name}`}
        onClick={() => workbench.preferences.set({ theme: theme.next })}
      />
      <IconButton
        icon="settings"
        label="Settings"
        shortcut="settings.show"
        onClick={() => workbench.showDialog({ kind: 'settings' })}
      />
    </header>
  );
}

function Crumb({ tab }: { tab: OpenTab }): ReactElement {
  return <span className="crumb ellipsis">{useTabTitle(tab)}</span>;
}
