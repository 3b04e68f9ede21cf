import type { ReactElement } from 'react';
import { useStore } from '../state/store.ts';
import type { ThemeChoice } from '../state/preferences.ts';
import { Icon, Mark } from './icons.tsx';
import type { IconName } from './icons.tsx';
import { tabTitle } from './tab-title.ts';
import { useWorkbench, useWorkbenchState } from './workbench-context.ts';

const THEMES: Readonly<Record<ThemeChoice, { icon: IconName; name: string; next: ThemeChoice }>> = {
  system: { icon: 'contrast', name: 'as the system', next: 'light' },
  light: { icon: 'sun', name: 'light', next: 'dark' },
  dark: { icon: 'moon', name: 'dark', next: 'system' },
};

export function Header(): ReactElement {
  const workbench = useWorkbench();
  const theme = THEMES[useStore(workbench.preferences, (state) => state.theme)];
  const active = useWorkbenchState((state) => state.tabs.find((tab) => tab.id === state.activeTab) ?? null);
  const captures = useWorkbenchState((state) => state.captures);
  return (
    <header className="header">
      <Mark />
      <h1>Flamebench</h1>
      {active !== null && <span className="crumb ellipsis">{tabTitle(active, captures)}</span>}
      <button
        type="button"
        className="command-hint"
        onClick={() => {
          workbench.showDialog({ kind: 'commands' });
        }}
      >
        Search commands <kbd>Ctrl K</kbd>
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={`Theme: ${theme.name}. Change`}
        title={`Theme: ${theme.name}`}
        onClick={() => {
          workbench.preferences.set({ theme: theme.next });
        }}
      >
        <Icon name={theme.icon} />
      </button>
    </header>
  );
}
