import type { Command, FoundCommand } from '../state/command.ts';
import { compareCommands, compareWithCommands } from '../features/compare/compare-commands.ts';
import type { Keymap } from '../ui/keys/keymap.ts';
import { findShortcut } from '../ui/keys/keymap.ts';
import type { ShortcutId } from '../ui/keys/shortcuts.ts';
import { lookCommands } from '../features/profile/look-commands.ts';
import { tabViewCommands } from '../features/profile/view-commands.ts';
import { perfSourceOf } from '../state/read-by-perf/perf-sources.ts';
import { asCompareTab, asProfileTab } from '../state/open-tab.ts';
import type { OpenTab } from '../state/open-tab.ts';
import type { ProfileView } from '../state/profile-view.ts';
import { groupOf } from '../state/tab-layout.ts';
import type { SettingsPage } from '../state/workbench-state.ts';
import type { Workbench } from '../state/workbench.ts';
import { ALL_TIME } from '../ui/time/committed-ranges.ts';
import { targetCommands } from '../features/targets/target-commands.ts';
import { transformCommands } from '../features/transforms/transform-commands.ts';
import { fuzzyMatch } from '../ui/fuzzy.ts';
import { graphFrontCommands } from '../features/panes/graph-front-commands.ts';
import { libraryPlace, showLibrary } from '../state/library-place.ts';
import { pickFiles } from '../ui/pick-files.ts';
import { focusGraph, focusRegion, focusSearch, rescueFocus } from '../ui/regions.ts';
import { tabTitle } from '../state/tab-title.ts';

/** Everything that can be done now, for the palette, the keys and the desktop's menu. */
export function listCommands(workbench: Workbench): Command[] {
  const { activeTab, tabs } = workbench.store.get();
  const active = tabs.find((tab) => tab.id === activeTab) ?? null;
  const profile = asProfileTab(active);
  const comparison = asCompareTab(active);
  const view = profile?.store.get().activeView ?? null;
  return [
    ...generalCommands(workbench),
    ...targetCommands(workbench),
    ...(active === null ? [] : tabCommands(workbench, active)),
    ...(view === null ? [] : viewCommands(workbench, view)),
    ...(view === null ? [] : lookCommands(workbench.preferences, view)),
    ...(profile === null ? [] : tabViewCommands(workbench, profile)),
    ...(comparison === null ? [] : compareCommands(workbench, comparison)),
    ...(profile === null ? [] : compareWithCommands(workbench, profile)),
    ...openCommands(workbench),
  ];
}

const SETTINGS_PAGES: readonly (readonly [SettingsPage, string])[] = [
  ['numbers', 'numbers'],
  ['start', 'start and session'],
  ['types', 'value types'],
  ['keys', 'keys'],
];

function generalCommands(workbench: Workbench): Command[] {
  const { store, tabs, preferences, showDialog } = workbench;
  const { dialog, closed } = store.get();
  const libraryShown = libraryPlace(workbench) !== null;
  const set = preferences.set;
  return [
    { id: 'file.open', name: 'Open a file…', run: () => void pickFiles(tabs.openFiles) },
    { id: 'record.show', name: 'Record…', run: () => showDialog({ kind: 'record' }) },
    {
      id: 'commands.show',
      name: 'Search commands',
      run: () => showDialog(dialog?.kind === 'commands' ? null : { kind: 'commands' }),
    },
    { id: 'keys.show', name: 'Show all keys', run: () => showDialog({ kind: 'keys' }) },
    { id: 'settings.show', name: 'Settings…', run: () => showDialog({ kind: 'settings' }) },
    ...SETTINGS_PAGES.map(([page, name]) => ({
      id: `settings.${page}`,
      name: `Settings: ${name}…`,
      run: () => showDialog({ kind: 'settings', page }),
    })),
    ...(['system', 'light', 'dark'] as const).map((theme) => ({
      id: `theme.${theme}`,
      name: theme === 'system' ? 'Theme: as the system' : `Theme: ${theme}`,
      run: () => set({ theme }),
    })),
    ...(['compact', 'comfortable'] as const).map((density) => ({
      id: `density.${density}`,
      name: `Density: ${density}`,
      run: () => set({ density }),
    })),
    {
      id: 'library.toggle',
      name: libraryShown ? 'Hide the library' : 'Show the library',
      run: () => showLibrary(workbench, !libraryShown),
    },
    {
      id: 'library.focus',
      name: 'Go to the library',
      run: () => {
        showLibrary(workbench, true);
        requestAnimationFrame(() => focusRegion('library'));
      },
    },
    { id: 'region.next', name: 'Go to the next part of the window', run: () => focusRegion(1) },
    { id: 'region.previous', name: 'Go to the previous part of the window', run: () => focusRegion(-1) },
    ...(closed.length === 0 ? [] : [{ id: 'tab.reopen', name: 'Reopen the closed tab', run: thenFocus(tabs.reopen) }]),
  ];
}

function tabCommands(workbench: Workbench, active: OpenTab): Command[] {
  const { store, tabs, transfers, showDialog } = workbench;
  const { layout, captures } = store.get();
  const group = groupOf(layout, active.id);
  const others = (group?.tabs.length ?? 0) > 1;
  const focusPane = (step: number) => () => {
    if (tabs.stepPane(step)) requestAnimationFrame(() => focusGraph());
  };
  const profile = asProfileTab(active);
  const perfSource = profile === null ? null : perfSourceOf(profile, captures);
  const keepable = profile !== null && profile.source.readFile !== null && profile.store.get().captureId === null;
  return [
    { id: 'tab.close', name: 'Close the tab', run: thenFocus(() => tabs.close(active.id)) },
    ...(others
      ? [
          { id: 'tab.close-others', name: 'Close the other tabs', run: thenFocus(() => tabs.closeOthers(active.id)) },
          { id: 'tab.next', name: 'Next tab', run: thenFocus(() => tabs.step(1)) },
          { id: 'tab.previous', name: 'Previous tab', run: thenFocus(() => tabs.step(-1)) },
          { id: 'tab.move-right', name: 'Move the tab to the right', run: () => tabs.moveBy(1) },
          { id: 'tab.move-left', name: 'Move the tab to the left', run: () => tabs.moveBy(-1) },
        ]
      : []),
    ...(others || layout.groups.length > 1
      ? [{ id: 'tab.beside', name: 'Open the tab beside', run: () => openBeside(workbench, active.id) }]
      : []),
    ...(layout.groups.length > 1
      ? [
          { id: 'pane.right', name: 'Go to the pane on the right', run: focusPane(1) },
          { id: 'pane.left', name: 'Go to the pane on the left', run: focusPane(-1) },
        ]
      : []),
    ...(perfSource === null
      ? []
      : [
          {
            id: 'tab.read-by-perf',
            name: 'Read with perf…',
            run: () => showDialog({ kind: 'read-by-perf', source: perfSource }),
          },
        ]),
    ...(keepable
      ? [{ id: 'tab.keep', name: 'Keep this file in the library', run: () => void transfers.keep(profile) }]
      : []),
  ];
}

/** What has the focus may go with what a command closes or covers. */
const thenFocus = (run: () => void) => (): void => {
  run();
  rescueFocus();
};

/** A tab that has its pane to itself goes into the one to its right, or else to its left. */
export function openBeside({ store, tabs }: Workbench, tabId: string): void {
  const { groups } = store.get().layout;
  const at = groups.findIndex((group) => group.tabs.includes(tabId));
  const neighbour = groups[at + 1] ?? groups[at - 1];
  if (groups[at] !== undefined && groups[at].tabs.length > 1) tabs.split(tabId, null, 'right');
  else if (neighbour !== undefined) tabs.move(tabId, neighbour.id, neighbour.tabs.length);
}

/** The other order or widths, where the graph on screen has them. */
function siblingCommands({ store, setTree }: ProfileView): Command[] {
  const { kind, siblings, widths } = store.get().tree;
  if (kind === 'time-order') {
    return widths === 'weight'
      ? [{ id: 'tree.wide-by-time', name: 'Samples as wide as their time', run: () => setTree({ widths: 'time' }) }]
      : [
          {
            id: 'tree.wide-by-weight',
            name: 'Samples as wide as their weight',
            run: () => setTree({ widths: 'weight' }),
          },
        ];
  }
  if (kind !== 'top-down' && kind !== 'bottom-up') return [];
  return siblings === 'weight'
    ? [{ id: 'tree.by-name', name: 'Frames side by side by name', run: () => setTree({ siblings: 'name' }) }]
    : [{ id: 'tree.by-weight', name: 'Frames side by side by weight', run: () => setTree({ siblings: 'weight' }) }];
}

function viewCommands({ preferences, showDialog, notify }: Workbench, view: ProfileView): Command[] {
  const { detailsOpen, layout } = preferences.get();
  return [
    { id: 'search.focus', name: 'Search functions', run: focusSearch },
    ...graphFrontCommands(preferences),
    { id: 'view.flame', name: 'Flame graph, root at the bottom', run: () => view.setOrientation('flame') },
    { id: 'view.icicle', name: 'Icicle, root at the top', run: () => view.setOrientation('icicle') },
    { id: 'tree.top-down', name: 'Call tree top-down', run: () => view.setTree({ kind: 'top-down' }) },
    { id: 'tree.bottom-up', name: 'Call tree bottom-up', run: () => view.setTree({ kind: 'bottom-up' }) },
    ...siblingCommands(view),
    ...transformCommands({ showDialog, notify }, view),
    {
      id: 'selection.all',
      name: 'All threads, whole time',
      run: () => view.commitTime(ALL_TIME, null),
    },
    {
      id: 'details.toggle',
      name: detailsOpen ? 'Hide the details' : 'Show the details',
      run: () => preferences.set({ detailsOpen: !preferences.get().detailsOpen }),
    },
    {
      id: 'source.show',
      name: 'Show source and instructions',
      run: () => preferences.set({ detailsOpen: true, detailsPage: 'source' }),
    },
    {
      id: 'quality.show',
      name: 'Show data quality',
      run: () => preferences.set({ detailsOpen: true, detailsPage: 'diagnostics' }),
    },
    layout === 'beside'
      ? {
          id: 'layout.stacked',
          name: 'Table below the graph',
          run: () => preferences.set({ layout: 'stacked', split: 0.62 }),
        }
      : {
          id: 'layout.beside',
          name: 'Table beside the graph',
          run: () => preferences.set({ layout: 'beside', split: 0.55 }),
        },
  ];
}

function openCommands({ store, tabs, library, openRecent }: Workbench): Command[] {
  const { tabs: open, activeTab, captures, recent } = store.get();
  return [
    ...open
      .filter((tab) => tab.id !== activeTab)
      .map((tab) => ({ id: tab.id, name: `Go to ${tabTitle(tab, captures)}`, run: () => tabs.activate(tab.id) })),
    ...recent.map(({ id, fileName, folderName }) => ({
      id: `recent.${id}`,
      name: `Open recent ${fileName}${folderName === '' ? '' : ` (in ${folderName})`}`,
      run: () => void openRecent(id),
    })),
    ...(captures ?? []).map((capture) => ({
      id: `capture.${capture.id}`,
      name: `Open capture ${capture.name}`,
      run: () => void library.open([capture.id]),
    })),
  ];
}

/** Runs a command by its id, where it can be run now. */
export function runCommand(workbench: Workbench, id: string): boolean {
  const command = listCommands(workbench).find((one) => one.id === id);
  command?.run();
  return command !== undefined;
}

/** Keys of a command as they are now; null where it has none. */
export function commandKeys(keymap: Keymap, id: string): string | null {
  return findShortcut(id) === null ? null : keymap.textOf(id as ShortcutId);
}

const RECENT_BONUS = 4;

/** Without a query: those used last, then all as they are. With one: what fits it best. */
export function findCommands(commands: readonly Command[], query: string, recent: readonly string[]): FoundCommand[] {
  const rank = new Map(recent.map((id, index) => [id, recent.length - index]));
  const found = commands.flatMap((command) => {
    const match = fuzzyMatch(query, command.name);
    if (match === null) return [];
    const used = rank.get(command.id) ?? 0;
    const score = query.trim() === '' ? used : match.score + (used > 0 ? RECENT_BONUS : 0);
    return [{ ...command, at: match.at, score }];
  });
  return found.sort((a, b) => b.score - a.score);
}
