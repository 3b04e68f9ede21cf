import type { Workbench } from '../state/workbench.ts';
import { transformCommands } from '../transforms/transform-commands.ts';
import { pickFiles } from './pick-files.ts';
import { tabTitle } from './tab-title.ts';

export interface Command {
  readonly name: string;
  readonly keys: string | null;
  readonly run: () => void;
}

/** Everything that can be done without pointing at something, for the palette. */
export function listCommands(workbench: Workbench): Command[] {
  const { store, tabs, library, preferences, showDialog } = workbench;
  const { tabs: open, activeTab, captures } = store.get();
  const active = open.find((tab) => tab.id === activeTab) ?? null;
  const command = (name: string, keys: string | null, run: () => void): Command => ({ name, keys, run });
  const general = [
    command('Open a file…', 'Ctrl O', () => void pickFiles(tabs.openFiles)),
    command('Record…', 'R', () => {
      showDialog({ kind: 'record' });
    }),
    command('Show all keys', '?', () => {
      showDialog({ kind: 'keys' });
    }),
    ...(['system', 'light', 'dark'] as const).map((theme) =>
      command(theme === 'system' ? 'Theme: as the system' : `Theme: ${theme}`, null, () => {
        preferences.set({ theme });
      }),
    ),
  ];
  const view = active?.store.get().activeView ?? null;
  const profile =
    active === null || view === null
      ? []
      : [
          command('Flame graph, root at the bottom', 'I', () => {
            view.setOrientation('flame');
          }),
          command('Icicle, root at the top', 'I', () => {
            view.setOrientation('icicle');
          }),
          command('Call tree top-down', null, () => {
            view.setTree({ kind: 'top-down' });
          }),
          command('Call tree bottom-up', null, () => {
            view.setTree({ kind: 'bottom-up' });
          }),
          ...transformCommands(showDialog, view).map(({ name, run }) => command(name, null, run)),
          command('All threads, whole time', null, () => {
            view.select({ threads: null, timeRange: null });
          }),
          command('Show data quality', null, () => {
            preferences.set({ detailsOpen: true, detailsPage: 'diagnostics' });
          }),
          command('Close this profile', null, () => {
            tabs.close(active.id);
          }),
        ];
  const others = open
    .filter((tab) => tab !== active)
    .map((tab) =>
      command(`Go to ${tabTitle(tab, captures)}`, null, () => {
        tabs.activate(tab.id);
      }),
    );
  const fromLibrary = (captures ?? []).map((capture) =>
    command(`Open capture ${capture.name}`, null, () => void library.open(capture.id)),
  );
  return [...general, ...profile, ...others, ...fromLibrary];
}

/** Commands whose name holds every word of the query. */
export function matchCommands(commands: readonly Command[], query: string): Command[] {
  const words = query.toLowerCase().split(/\s+/);
  return commands.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}
