import type { Registration } from '../../state/features.ts';
import { onDemand } from '../../state/on-demand.tsx';
import type { SettingsPage } from '../../state/workbench-state.ts';

const SettingsDialog = onDemand(() => import('./settings-dialog.tsx').then((part) => part.SettingsDialog));

const PAGES: readonly (readonly [SettingsPage, string])[] = [
  ['numbers', 'numbers'],
  ['start', 'start and session'],
  ['types', 'value types'],
  ['keys', 'keys'],
];

export const settings = {
  commands: ({ preferences, showDialog }) => [
    { id: 'settings.show', name: 'Settings…', run: () => showDialog({ kind: 'settings' }) },
    ...PAGES.map(([page, name]) => ({
      id: `settings.${page}`,
      name: `Settings: ${name}…`,
      run: () => showDialog({ kind: 'settings', page }),
    })),
    ...(['system', 'light', 'dark'] as const).map((theme) => ({
      id: `theme.${theme}`,
      name: theme === 'system' ? 'Theme: system' : `Theme: ${theme}`,
      run: () => preferences.set({ theme }),
    })),
    ...(['compact', 'comfortable'] as const).map((density) => ({
      id: `density.${density}`,
      name: `Density: ${density}`,
      run: () => preferences.set({ density }),
    })),
  ],
  dialogs: { settings: ({ dialog }) => <SettingsDialog page={dialog.page ?? 'look'} /> },
} satisfies Registration;
