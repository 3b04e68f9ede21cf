import type { Command, FoundCommand } from '../state/command.ts';
import type { CommandSource } from '../state/features.ts';
import { type Keymap, findShortcut } from '../ui/keys/keymap.ts';
import type { ShortcutId } from '../ui/keys/shortcuts.ts';
import type { OpenTab } from '../state/tabs/open-tab.ts';
import { tabGroupOf } from '../state/tabs/layout.ts';
import type { Workbench } from '../state/workbench.ts';
import { fuzzyMatch } from '../ui/fuzzy.ts';
import type { Parts } from '../ui/parts.tsx';
import { desktopShell } from '../ui/desktop.ts';
import { pickFiles } from '../ui/pick-files.ts';
import { tabLabel } from '../state/tab-title.ts';
import { FRAGMENT_KEY, OWN_HOST_NAME } from '#core/contract/paths.ts';

/** Returns all commands available now, for the palette, the shortcuts and the desktop's menu. */
export function listCommands(workbench: Workbench, sources: readonly CommandSource[]): Command[] {
  const { activeTab, tabs } = workbench.store.get();
  const active = tabs.find((tab) => tab.id === activeTab) ?? null;
  return [
    ...generalCommands(workbench),
    ...(active === null ? [] : tabCommands(workbench, active)),
    ...sources.flatMap((source) => source(workbench, active)),
    ...openCommands(workbench),
  ];
}

function generalCommands(workbench: Workbench): Command[] {
  const { store, engine, tabs, parts, navigation, preferences, report, showDialog } = workbench;
  const { dialog, closed } = store.get();
  const isFull = preferences.get().names === 'full';
  return [
    { id: 'file.open', name: 'Open a file…', run: () => void pickFiles(tabs.openFiles) },
    // The desktop has one window.
    ...(desktopShell() === null
      ? [{ id: 'window.new', name: 'Open another window', run: () => void openWindow({ engine, report }) }]
      : []),
    {
      id: 'commands.show',
      name: 'Search commands',
      run: () => showDialog(dialog?.kind === 'commands' ? null : { kind: 'commands' }),
    },
    { id: 'keys.show', name: 'Show all keys', run: () => showDialog({ kind: 'keys' }) },
    { id: 'history.back', name: 'Back to the previous tab or zoom', run: () => void navigation.go(-1) },
    { id: 'history.forward', name: 'Forward to the next tab or zoom', run: () => void navigation.go(1) },
    { id: 'region.next', name: 'Go to the next part of the window', run: () => parts.focus(1) },
    { id: 'region.previous', name: 'Go to the previous part of the window', run: () => parts.focus(-1) },
    {
      id: 'names.toggle',
      name: isFull ? 'Shorten long names' : 'Show names in full',
      run: () => preferences.set({ names: isFull ? 'short' : 'full' }),
    },
    ...(closed.length === 0
      ? []
      : [{ id: 'tab.reopen', name: 'Reopen the closed tab', run: thenFocus(parts, tabs.reopen) }]),
  ];
}

function tabCommands(workbench: Workbench, active: OpenTab): Command[] {
  const { store, tabs, parts } = workbench;
  const { layout } = store.get();
  const group = tabGroupOf(layout, active.id);
  const others = (group?.tabs.length ?? 0) > 1;
  const focusPane = (step: number) => () => {
    if (tabs.stepPane(step)) requestAnimationFrame(() => parts.focus('graph'));
  };
  return [
    { id: 'tab.close', name: 'Close the tab', run: thenFocus(parts, () => tabs.close(active.id)) },
    ...(others
      ? [
          {
            id: 'tab.close-others',
            name: 'Close the other tabs',
            run: thenFocus(parts, () => tabs.closeOthers(active.id)),
          },
          { id: 'tab.next', name: 'Next tab', run: thenFocus(parts, () => tabs.step(1)) },
          { id: 'tab.previous', name: 'Previous tab', run: thenFocus(parts, () => tabs.step(-1)) },
          { id: 'tab.move-right', name: 'Move the tab to the right', run: () => tabs.moveBy(1) },
          { id: 'tab.move-left', name: 'Move the tab to the left', run: () => tabs.moveBy(-1) },
        ]
      : []),
    ...(others || layout.groups.length > 1
      ? [{ id: 'tab.beside', name: 'Open the tab to the side', run: () => openBeside(workbench, active.id) }]
      : []),
    ...(layout.groups.length > 1
      ? [
          { id: 'pane.right', name: 'Go to the pane on the right', run: focusPane(1) },
          { id: 'pane.left', name: 'Go to the pane on the left', run: focusPane(-1) },
        ]
      : []),
  ];
}

/** Restores the focus if the command closed or covered the focused element. */
const thenFocus = (parts: Parts, run: () => void) => (): void => {
  run();
  parts.rescueFocus();
};

/** Moves a tab that is alone in its pane to the pane on its right, else on its left; otherwise splits the pane. */
export function openBeside({ store, tabs }: Workbench, tabId: string): void {
  const { groups } = store.get().layout;
  const at = groups.findIndex((group) => group.tabs.includes(tabId));
  const neighbour = groups[at + 1] ?? groups[at - 1];
  if (groups[at] !== undefined && groups[at].tabs.length > 1) tabs.split(tabId, null, 'right');
  else if (neighbour !== undefined) tabs.move(tabId, neighbour.id, neighbour.tabs.length);
}

function openCommands({ store, tabs, openRecent }: Workbench): Command[] {
  const { tabs: open, activeTab, captures, recent } = store.get();
  return [
    ...open
      .filter((tab) => tab.id !== activeTab)
      .map((tab) => ({ id: tab.id, name: `Go to ${tabLabel(tab, captures)}`, run: () => tabs.activate(tab.id) })),
    ...recent.map(({ id, fileName, folderName }) => ({
      id: `recent.${id}`,
      name: `Open recent ${fileName}${folderName === '' ? '' : ` (in ${folderName})`}`,
      run: () => void openRecent(id),
    })),
  ];
}

/** Runs a command by its ID if it is available; returns whether it was. */
export function runCommandById(workbench: Workbench, sources: readonly CommandSource[], id: string): boolean {
  const command = listCommands(workbench, sources).find((one) => one.id === id);
  command?.run();
  return command !== undefined;
}

/** Returns the current keys of a command; null if it has none. */
export function commandKeys(keymap: Keymap, id: string): string | null {
  return findShortcut(id) === null ? null : keymap.textOf(id as ShortcutId);
}

const RECENT_BONUS = 4;

/** Returns a match without marked letters if another profiler's word for the command contains the query. */
function peersMatch(query: string, id: string): { readonly score: number; readonly at: readonly number[] } | null {
  const words = Object.hasOwn(PEERS_WORDS, id) ? PEERS_WORDS[id]! : '';
  const sought = query.trim().toLowerCase();
  return sought.length >= 3 && words.toLowerCase().includes(sought) ? { score: sought.length, at: [] } : null;
}

/** Scattered letters of a name rank below another profiler's word, and that below a name with the query's words. */
const TIER = { letters: 0, peersWord: 1, name: 2 } as const;

function tierOf(query: string, { id, name }: Command): number {
  const sought = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (sought.every((word) => name.toLowerCase().includes(word))) return TIER.name;
  const words = Object.hasOwn(PEERS_WORDS, id) ? PEERS_WORDS[id]!.toLowerCase() : '';
  const parts = words.split(/, | \(|\)/);
  return parts.includes(sought.join(' ')) ? TIER.peersWord : TIER.letters;
}

/**
 * Returns the commands that match a query, best first. Without a query, returns recently used ones, then all others.
 */
export function findCommands(commands: readonly Command[], query: string, recent: readonly string[]): FoundCommand[] {
  const rank = new Map(recent.map((id, index) => [id, recent.length - index]));
  const found = commands.flatMap((command) => {
    const tier = tierOf(query, command);
    const byName = tier === TIER.peersWord ? null : fuzzyMatch(query, command.name);
    const match = byName ?? peersMatch(query, command.id);
    if (match === null) return [];
    const used = rank.get(command.id) ?? 0;
    const score = query.trim() === '' ? used : match.score + (used > 0 ? RECENT_BONUS : 0);
    return [{ tier, found: { ...command, at: match.at, score } }];
  });
  return found.sort((a, b) => b.tier - a.tier || b.found.score - a.found.score).map((one) => one.found);
}

/**
 * Opens another window with its own session, which `noopener` gives it. Under another name than the engine's, its page
 * asks for the code of the terminal.
 */
async function openWindow({ engine, report }: Pick<Workbench, 'engine' | 'report'>): Promise<void> {
  try {
    const { token } = OWN_HOST_NAME.test(location.hostname) ? await engine.call('app.newWindow', {}) : { token: null };
    window.open(`${location.origin}/${token === null ? '' : `#${FRAGMENT_KEY}=${token}`}`, '_blank', 'noopener');
  } catch (error) {
    report(error);
  }
}

/** What other profilers call a command, by its ID: `Left Heavy` of speedscope finds the sorted graph. */
const PEERS_WORDS: Readonly<Record<string, string>> = {
  'tree.by-weight': 'left heavy (speedscope), sorted',
  'tree.by-name': 'alphabetical, merged order',
  'tree.top-down': 'call tree, root first, uninverted, callees',
  'tree.bottom-up': 'inverted, invert call stack (Firefox), reverse, backtraces, callers',
  'tree.time-order': 'flame chart, timeline, chronological, stack chart (Firefox)',
  'tree.sandwich': 'sandwich (speedscope), butterfly, callers and callees',
  'view.icicle': 'invert, upside down, root at the top',
  'view.flame': 'invert, root at the bottom',
  'table.functions': 'top, heavy',
  'table.by-self': 'flat (pprof), self time, exclusive, top',
  'table.by-total': 'cum (pprof), cumulative, total time, inclusive',
  'table.edges': 'peek (pprof), callers, callees, butterfly (hotspot)',
  'table.tree': 'call tree, tree view',
  'search.focus': 'find, highlight, regex',
  'transform.focus': 'show only, root at, zoom to function',
  'transform.merge': 'drop function (Firefox), show from, fold',
  'transform.add': 'filter, focus, ignore, hide, tagfocus, tagignore',
  'report.open': 'share, publish, upload, html, export',
  'view.export': 'save as, download, convert, pprof, speedscope',
  'source.show': 'annotate, list, weblist, disassembly, disasm',
  'labels.show': 'tags (pprof), -tags, labels',
  'compare.delta': 'differential, diff_base, red blue',
  'compare.pair': 'diff view',
  'view.value-type': 'sample index, sample_index, event, metric',
  'summary.show': 'overview, hot spots, hotspots, insights',
  'quality.show': 'lost samples, unresolved, errors, warnings',
  'record.show': 'profile, attach, start profiling, capture',
  'file.open': 'load, import, browse',
};
