import type { ReactElement } from 'react';
import type { CommandSource } from '../state/features.ts';
import { NO_SELECTION, sidesOf } from '../state/library-selection.ts';
import { asAnalysedTab, asProfileTab } from '../state/tabs/open-tab.ts';
import { useRunCommand } from '../state/run-command.ts';
import { useWorkbench, useWorkbenchState } from '../state/workbench-context.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { useKeymap } from '../ui/keys/use-keymap.ts';
import type { ShortcutId } from '../ui/keys/shortcuts.ts';
import type { MenuItem } from '../ui/menu/menu.tsx';
import { MenuButton } from '../ui/menu/menu-button.tsx';
import { chooseFiles, pickFiles } from '../ui/pick-files.ts';
import { listCommands } from './commands.ts';

/** A place where work starts: in the bar, and as a card of the start page. */
export interface Place {
  readonly name: string;
  /** Absent: the dot of a recording. */
  readonly icon?: IconName;
  /** The effect, in the bar's tooltip. */
  readonly title: string;
  readonly about: string;
  readonly keys: ShortcutId | null;
  readonly go: () => void;
}

/** Returns the places that a new user looks for, in the same order whatever is open. */
export function usePlaces(): readonly Place[] {
  const run = useRunCommand();
  const { tabs } = useWorkbench();
  const compare = useCompare();
  return [
    {
      name: 'Open',
      icon: 'open',
      title: 'Open a profile',
      about: 'perf, pprof, JFR and many others, plain or compressed. Or drop files anywhere in this window.',
      keys: 'file.open',
      go: () => void pickFiles(tabs.openFiles),
    },
    {
      name: 'Record',
      title: 'Record a process, a command or the system',
      about: 'Select a process or type a command, here or on a host, review what will run, start.',
      keys: 'record.show',
      go: () => run('record.show'),
    },
    {
      name: 'Live',
      icon: 'live',
      title: 'Watch a running process live',
      about: 'Watch a running process. Pin a baseline and see what changes.',
      keys: 'live.show',
      go: () => run('live.show'),
    },
    {
      name: 'Load',
      icon: 'load',
      title: 'Load tests: send load, and profile the server',
      about: 'Send load to a service, and profile each host that serves it at the same time.',
      keys: null,
      go: () => run('load.open'),
    },
    {
      name: 'Compare',
      icon: 'split',
      title: compare.title,
      about: 'Two captures or two sets of runs: what changed, and how certain it is.',
      keys: null,
      go: compare.go,
    },
  ];
}

export function PlaceIcon({ icon }: Pick<Place, 'icon'>): ReactElement {
  return icon === undefined ? <span className="dot live" /> : <Icon name={icon} />;
}

export function Toolbar({ sources }: { sources: readonly CommandSource[] }): ReactElement {
  const places = usePlaces();
  const keymap = useKeymap();
  return (
    <div className="toolbar-main" role="group" aria-label="Main actions">
      {places.map(({ name, title, keys, go, ...place }) => {
        const chord = keys === null ? null : keymap.textOf(keys);
        return (
          <button
            key={name}
            type="button"
            className="tool-button"
            title={chord === null ? title : `${title} (${chord})`}
            onClick={go}
          >
            <PlaceIcon {...place} />
            <span>{name}</span>
          </button>
        );
      })}
      <ExportButton sources={sources} />
    </div>
  );
}

/**
 * Compares the two captures or series that are selected in the library; without them, the active profile with another
 * one, or two files.
 */
function useCompare(): { readonly title: string; readonly go: () => void } {
  const workbench = useWorkbench();
  const { showDialog, tabs, notify, experiments, store } = workbench;
  const profile = useWorkbenchState((state) => asProfileTab(state.tabs.find(({ id }) => id === state.activeTab)));
  const captures = useWorkbenchState((state) => state.captures);
  const { ids } = useWorkbenchState((state) => state.librarySelection);
  const sides = sidesOf((captures ?? []).filter(({ id }) => ids.includes(id)));
  const compareFiles = (files: readonly File[]): void => {
    const [before, after, ...more] = files;
    if (before !== undefined && after !== undefined && more.length === 0) {
      showDialog({ kind: 'compare-files', files: [before, after], openBoth: () => tabs.openFiles(files) });
      return;
    }
    tabs.openFiles(files);
    const remedy = 'Open the profile of one side and press Compare, or choose two files.';
    notify({ kind: 'info', text: 'A comparison needs two sides.', remedy, action: null });
  };
  if (sides !== null) {
    return {
      title: 'Compare the two captures selected in the library',
      go: () => {
        experiments.compare(...sides);
        store.set({ librarySelection: NO_SELECTION });
      },
    };
  }
  return profile === null
    ? { title: 'Compare two files', go: () => chooseFiles(compareFiles) }
    : { title: 'Compare this profile with another one', go: () => showDialog({ kind: 'compare-with', tab: profile }) };
}

/** Commands that export what the active tab shows, in the order of the menu; unavailable ones are omitted. */
const EXPORTS = [
  { id: 'report.open', label: 'Report… HTML, SVG, PNG, Markdown, CSV' },
  { id: 'view.export', label: 'Profile… pprof, folded, speedscope' },
  { id: 'report.save-png', label: 'Save graph as PNG' },
  { id: 'report.save-svg', label: 'Save graph as SVG' },
  { id: 'report.copy-png', label: 'Copy graph as PNG' },
  { id: 'report.copy-svg', label: 'Copy graph as SVG' },
  { id: 'report.copy-markdown', label: 'Copy summary as Markdown' },
  { id: 'table.copy-png', label: 'Copy table as PNG' },
  { id: 'table.copy-markdown', label: 'Copy table as Markdown' },
  { id: 'view.copy-command', label: 'Copy command that reopens this view' },
] as const;

function ExportButton({ sources }: { sources: readonly CommandSource[] }): ReactElement {
  const workbench = useWorkbench();
  const inFront = useWorkbenchState(({ tabs, activeTab }) => asAnalysedTab(tabs.find(({ id }) => id === activeTab)));
  const items = (): MenuItem[] => {
    const available = new Map(listCommands(workbench, sources).map((command) => [command.id, command.run]));
    return EXPORTS.flatMap(({ id, label }) => {
      const run = available.get(id);
      return run === undefined ? [] : [{ label, run }];
    });
  };
  return (
    <MenuButton
      className="tool-button"
      title={inFront === null ? 'Export: open a profile first' : 'Export what this tab shows'}
      disabled={inFront === null}
      gapPx={2}
      menuTitle="Export"
      groups={() => [items()]}
    >
      <Icon name="share" />
      <span>Export</span>
      <Icon name="chevron-down" />
    </MenuButton>
  );
}
