import { useState, type ReactElement } from 'react';
import type { CommandSource } from '../state/features.ts';
import { NO_SELECTION, sidesOf } from '../state/library-selection.ts';
import { asProfileTab } from '../state/tabs/open-tab.ts';
import { useRunCommand } from '../state/run-command.ts';
import { useWorkbench, useWorkbenchState } from '../state/workbench-context.ts';
import { Icon } from '../ui/icons.tsx';
import { useKeymap } from '../ui/keys/use-keymap.ts';
import type { ShortcutId } from '../ui/keys/shortcuts.ts';
import { Menu, type MenuItem } from '../ui/menu/menu.tsx';
import { chooseFiles } from '../ui/pick-files.ts';
import { listCommands } from './commands.ts';

/** The actions that a new user looks for, in the same place whatever is open. */
export function Toolbar({ sources }: { sources: readonly CommandSource[] }): ReactElement {
  const run = useRunCommand();
  const keymap = useKeymap();
  const withKeys = (text: string, id: ShortcutId): string => {
    const keys = keymap.textOf(id);
    return keys === null ? text : `${text} (${keys})`;
  };
  return (
    <div className="toolbar-main" role="group" aria-label="Main actions">
      <button
        type="button"
        className="tool-button"
        title={withKeys('Open a profile', 'file.open')}
        onClick={() => {
          run('file.open');
        }}
      >
        <Icon name="open" />
        <span>Open</span>
      </button>
      <button
        type="button"
        className="tool-button"
        title={withKeys('Record a process, a command or the system', 'record.show')}
        onClick={() => {
          run('record.show');
        }}
      >
        <span className="dot live" />
        <span>Record</span>
      </button>
      <CompareButton />
      <ExportButton sources={sources} />
    </div>
  );
}

/**
 * Compares the two captures or series that are selected in the library; without them, the active profile with another
 * one, or two files.
 */
function CompareButton(): ReactElement {
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
  return (
    <button
      type="button"
      className="tool-button"
      title={
        sides !== null
          ? 'Compare the two captures selected in the library'
          : profile === null
            ? 'Compare two files'
            : 'Compare this profile with another one'
      }
      onClick={() => {
        if (sides !== null) {
          experiments.compare(...sides);
          store.set({ librarySelection: NO_SELECTION });
        } else if (profile === null) chooseFiles(compareFiles);
        else showDialog({ kind: 'compare-with', tab: profile });
      }}
    >
      <Icon name="split" />
      <span>Compare</span>
    </button>
  );
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

interface OpenMenu {
  readonly items: readonly MenuItem[];
  readonly point: { readonly x: number; readonly y: number };
}

function ExportButton({ sources }: { sources: readonly CommandSource[] }): ReactElement {
  const workbench = useWorkbench();
  const inFront = useWorkbenchState((state) => state.activeTab);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const items = (): MenuItem[] => {
    const available = new Map(listCommands(workbench, sources).map((command) => [command.id, command.run]));
    return EXPORTS.flatMap(({ id, label }) => {
      const run = available.get(id);
      return run === undefined ? [] : [{ label, run }];
    });
  };
  return (
    <>
      <button
        type="button"
        className="tool-button"
        title={inFront === null ? 'Export: open a profile first' : 'Export what this tab shows'}
        disabled={inFront === null}
        aria-haspopup="menu"
        aria-expanded={menu !== null}
        onClick={(event) => {
          const { left, bottom } = event.currentTarget.getBoundingClientRect();
          setMenu({ items: items(), point: { x: left, y: bottom + 2 } });
        }}
      >
        <Icon name="share" />
        <span>Export</span>
        <Icon name="chevron-down" />
      </button>
      {menu !== null && <Menu title="Export" groups={[menu.items]} point={menu.point} onClose={() => setMenu(null)} />}
    </>
  );
}
