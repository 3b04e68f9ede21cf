import { onDemand } from '../state/on-demand.tsx';
import { CommandPalette } from './command-palette.tsx';
import { useCallback, useEffect, useMemo, type ComponentType, type ReactElement, useRef } from 'react';
import {
  type CommandSource,
  type DialogTable,
  type Features,
  type RegionTable,
  type TabTable,
  partsOf,
} from '../state/features.ts';
import { createKeymap, type Keymap } from '../ui/keys/keymap.ts';
import { KeymapContext } from '../ui/keys/use-keymap.ts';
import type { Workbench } from '../state/workbench.ts';
import { runCommandById } from './commands.ts';
import type { OpenDialog } from '../state/workbench-state.ts';
import { RunCommandContext, useRunCommand } from '../state/run-command.ts';
import { desktopShell } from '../ui/desktop.ts';
import { DropTarget } from './drop-target.tsx';
import { Header } from './header.tsx';
import { showLibrary, useLibraryPlace } from '../state/library-place.ts';
import { useAppearance, usePreference } from '../state/appearance.ts';
import { Notices } from './notices.tsx';
import { PartsScope, usePart } from '../ui/parts.tsx';
import { RowSizesContext } from '../ui/row-sizes.ts';
import { Sidebar } from './sidebar.tsx';
import { useGlobalKeys } from './use-global-keys.ts';
import { useBrowserHistory } from './use-browser-history.ts';
import { usePaste } from './use-paste.ts';
import { useWindowFit } from '../state/window-fit.ts';
import { useWorkbench, useWorkbenchState, WorkbenchContext } from '../state/workbench-context.ts';
import { Workspace } from './workspace.tsx';
import { useStore } from '../state/store.ts';
import { Icon } from '../ui/icons.tsx';
import type { Connection } from '../state/engine-client.ts';
import { Button } from '../ui/buttons.tsx';

const KeysDialog = onDemand(() => import('./keys-dialog.tsx').then((part) => part.KeysDialog));

interface AppProps {
  readonly workbench: Workbench;
  /** The content of the window; the shell does not know any feature by name. */
  readonly features: Features;
}

export function App({ workbench, features }: AppProps): ReactElement {
  const run = useCallback(
    (id: string) => void runCommandById(workbench, features.commands, id),
    [workbench, features.commands],
  );
  return (
    <WorkbenchContext value={workbench}>
      <RunCommandContext value={run}>
        <PartsScope parts={workbench.parts}>
          <Window features={features} />
        </PartsScope>
      </RunCommandContext>
    </WorkbenchContext>
  );
}

function Window({ features }: { features: Features }): ReactElement {
  const { tabs, dialogs, commands, regions } = features;
  const workbench = useWorkbench();
  const { side: Side, below: Below } = regions;
  const libraryOver = useLibraryPlace() === 'over';
  const look = useAppearance();
  const keymap = useChosenKeymap();
  useGlobalKeys(keymap);
  usePaste();
  useBrowserHistory();
  useMenuCommands();
  useWindowFit();
  const uncover = (): void => showLibrary(workbench, false);
  return (
    <KeymapContext value={keymap}>
      <RowSizesContext value={look.sizes}>
        <div className="window">
          <Header sources={commands} />
          <ConnectionBanner />
          <div className="window-body">
            <Sidebar Side={Side} />
            <main
              className="main fill"
              {...(libraryOver ? { onFocusCapture: uncover, onPointerDownCapture: uncover } : {})}
            >
              <Workspace look={look} parts={tabs} />
              <Below />
            </main>
          </div>
          <StatusBar key={look.numbers} parts={tabs} End={regions.statusEnd} />
          <Notices />
          <DropTarget />
          <OpenDialogView table={dialogs} sources={commands} />
        </div>
      </RowSizesContext>
    </KeymapContext>
  );
}

function useChosenKeymap(): Keymap {
  const keys = usePreference('keys');
  const singleKeys = usePreference('singleKeys');
  return useMemo(
    () => createKeymap({ keys, singleKeys, mac: navigator.platform.startsWith('Mac') }),
    [keys, singleKeys],
  );
}

/** Runs commands from the desktop's menu. */
function useMenuCommands(): void {
  const { store } = useWorkbench();
  const run = useRunCommand();
  useEffect(() => {
    desktopShell()?.onCommand?.((id) => {
      if (store.get().dialog === null) run(id);
    });
  }, [store, run]);
}

interface OpenDialogProps {
  readonly table: DialogTable;
  readonly sources: readonly CommandSource[];
}

function OpenDialogView({ table, sources }: OpenDialogProps): ReactElement | null {
  const dialog = useWorkbenchState((state) => state.dialog);
  if (dialog === null) return null;
  if (dialog.kind === 'commands') return <CommandPalette sources={sources} />;
  if (dialog.kind === 'keys') return <KeysDialog />;
  const Dialog = table[dialog.kind] as ComponentType<{ dialog: OpenDialog }>;
  return <Dialog dialog={dialog} />;
}

/** Shown while the engine is unreachable. Open tabs stay usable, since parsing and analysis run in the page. */
function ConnectionBanner(): ReactElement | null {
  const { engine } = useWorkbench();
  const state = useStore(engine.connection, (connection) => connection.state);
  if (state !== 'lost' && state !== 'expired') return null;
  return (
    <div className="banner" role="alert">
      <Icon name="warning" />
      {state === 'lost' ? (
        <>
          <span>
            The Flamebench engine does not answer. Open profiles stay usable; the library and recording need it. Trying
            again every few seconds.
          </span>
          <Button onClick={() => engine.connect()}>Reconnect</Button>
        </>
      ) : (
        <span>
          The engine was restarted and does not know this session. Open the workbench again from the link that
          Flamebench prints. Open profiles stay usable.
        </span>
      )}
    </div>
  );
}

const CONNECTIONS: Readonly<Record<Connection, string>> = {
  connecting: 'connecting…',
  open: 'engine ready',
  lost: 'engine lost',
  expired: 'session ended',
};

function StatusBar({ parts, End }: { parts: TabTable; End: RegionTable['statusEnd'] }): ReactElement {
  const { engine } = useWorkbench();
  const bar = useRef<HTMLElement>(null);
  usePart('status', bar);
  const connection = useStore(engine.connection, (state) => state.state);
  const active = useWorkbenchState((state) => state.tabs.find((tab) => tab.id === state.activeTab) ?? null);
  const version = useWorkbenchState((state) => state.engine?.version);
  const Status = active === null ? null : partsOf(parts, active).Status;
  return (
    <footer ref={bar} className="status-bar" aria-label="Status">
      {active !== null && Status !== null && <Status tab={active} />}
      <span className="status-end">
        <End />
        <span className={connection === 'open' ? 'dot ok' : 'dot warn'} />
        {CONNECTIONS[connection]}
        {version !== undefined && <span className="dim">{version}</span>}
      </span>
    </footer>
  );
}
