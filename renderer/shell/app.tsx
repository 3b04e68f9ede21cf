import { KeysDialog } from './keys-dialog.tsx';
import { CommandPalette } from './command-palette.tsx';
import { useCallback, useEffect, useMemo } from 'react';
import type { ReactElement } from 'react';
import { LOCAL_TARGET } from '#core/contract/target.ts';
import { createKeymap } from '../ui/keys/keymap.ts';
import type { Keymap } from '../ui/keys/keymap.ts';
import { KeymapContext } from '../ui/keys/use-keymap.ts';
import type { Workbench } from '../state/workbench.ts';
import { runCommand } from './commands.ts';
import { RunCommandContext } from '../state/run-command.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { desktopShell } from '../ui/desktop.ts';
import { DropTarget } from './drop-target.tsx';
import { Header } from './header.tsx';
import { showLibrary, useLibraryPlace, useNarrowWindow } from '../state/library-place.ts';
import { useLook, usePreference } from '../state/look.ts';
import { Notices } from './notices.tsx';
import { RowSizesContext } from '../ui/row-sizes.ts';
import { Sidebar } from './sidebar.tsx';
import { StatusBar } from './status-bar.tsx';
import { useGlobalKeys } from './use-global-keys.ts';
import { usePaste } from './use-paste.ts';
import { useWorkbench, useWorkbenchState, WorkbenchContext } from '../state/workbench-context.ts';
import { Workspace } from './workspace.tsx';
import { onDemand } from '../state/on-demand.tsx';

const TerminalPane = onDemand(() => import('../features/terminal/terminal-pane.tsx').then((part) => part.TerminalPane));
const CompareFilesDialog = onDemand(() =>
  import('../features/experiments/compare-files-dialog.tsx').then((part) => part.CompareFilesDialog),
);
const CompareWithDialog = onDemand(() =>
  import('../features/experiments/compare-with-dialog.tsx').then((part) => part.CompareWithDialog),
);
const RecordDialog = onDemand(() => import('../features/record/record-dialog.tsx').then((part) => part.RecordDialog));
const RecordingDialog = onDemand(() =>
  import('../features/record/recording-dialog.tsx').then((part) => part.RecordingDialog),
);
const AddTargetDialog = onDemand(() =>
  import('../features/targets/add-target-dialog.tsx').then((part) => part.AddTargetDialog),
);
const ConnectDialog = onDemand(() =>
  import('../features/targets/connect-dialog.tsx').then((part) => part.ConnectDialog),
);
const ReadByPerfDialog = onDemand(() =>
  import('../features/read-by-perf/read-by-perf-dialog.tsx').then((part) => part.ReadByPerfDialog),
);
const DoctorDialog = onDemand(() => import('../features/targets/doctor-dialog.tsx').then((part) => part.DoctorDialog));
const RenameTargetDialog = onDemand(() =>
  import('../features/targets/rename-target-dialog.tsx').then((part) => part.RenameTargetDialog),
);
const SettingsDialog = onDemand(() =>
  import('../features/settings/settings-dialog.tsx').then((part) => part.SettingsDialog),
);
const ExportDialog = onDemand(() =>
  import('../features/transforms/export-dialog.tsx').then((part) => part.ExportDialog),
);
const TransformDialog = onDemand(() =>
  import('../features/transforms/transform-dialog.tsx').then((part) => part.TransformDialog),
);

export function App({ workbench }: { workbench: Workbench }): ReactElement {
  const run = useCallback((id: string) => void runCommand(workbench, id), [workbench]);
  return (
    <WorkbenchContext value={workbench}>
      <RunCommandContext value={run}>
        <Window />
      </RunCommandContext>
    </WorkbenchContext>
  );
}

function Window(): ReactElement {
  const workbench = useWorkbench();
  const { preferences } = workbench;
  const libraryOver = useLibraryPlace() === 'over';
  const terminalOpen = useWorkbenchState((state) => state.terminalOpen);
  const look = useLook();
  const keymap = useChosenKeymap();
  useGlobalKeys(keymap);
  usePaste();
  useMenuCommands();
  useNarrowWindow();
  const uncover = (): void => {
    showLibrary(workbench, false);
  };
  return (
    <KeymapContext value={keymap}>
      <RowSizesContext value={look.sizes}>
        <div className="window">
          <Header />
          <ConnectionBanner />
          <div className="window-body">
            <Sidebar />
            <main className="main" {...(libraryOver ? { onFocusCapture: uncover, onPointerDownCapture: uncover } : {})}>
              <Workspace look={look} />
              {terminalOpen && <TerminalPane />}
            </main>
          </div>
          <StatusBar
            key={look.numbers}
            onDiagnostics={() => {
              preferences.set({ detailsOpen: true, detailsPage: 'diagnostics' });
            }}
          />
          <Notices />
          <DropTarget />
          <OpenDialogView />
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

/** The desktop's menu runs the same commands. */
function useMenuCommands(): void {
  const workbench = useWorkbench();
  useEffect(() => {
    desktopShell()?.onCommand?.((id) => {
      if (workbench.store.get().dialog === null) runCommand(workbench, id);
    });
  }, [workbench]);
}

function OpenDialogView(): ReactElement | null {
  const { showDialog } = useWorkbench();
  const dialog = useWorkbenchState((state) => state.dialog);
  const close = (): void => {
    showDialog(null);
  };
  switch (dialog?.kind) {
    case 'record':
      return (
        <RecordDialog
          purpose={dialog.purpose ?? { kind: 'library' }}
          repeat={dialog.repeat ?? 1}
          targets={dialog.targets ?? [LOCAL_TARGET]}
          initial={dialog.form ?? {}}
        />
      );
    case 'add-target':
      return <AddTargetDialog />;
    case 'connect':
      return <ConnectDialog target={dialog.target} />;
    case 'rename-target':
      return <RenameTargetDialog row={dialog.row} />;
    case 'doctor':
      return <DoctorDialog key={dialog.target} target={dialog.target} />;
    case 'read-by-perf':
      return <ReadByPerfDialog source={dialog.source} />;
    case 'compare-files':
      return <CompareFilesDialog files={dialog.files} openBoth={dialog.openBoth} />;
    case 'compare-with':
      return <CompareWithDialog tab={dialog.tab} />;
    case 'recording':
      return <RecordingDialog recordingId={dialog.recordingId} />;
    case 'transform':
      return <TransformDialog draft={dialog.draft} onClose={close} />;
    case 'export':
      return <ExportDialog view={dialog.view} onClose={close} />;
    case 'commands':
      return <CommandPalette />;
    case 'keys':
      return <KeysDialog />;
    case 'settings':
      return <SettingsDialog page={dialog.page ?? 'look'} />;
    case undefined:
      return null;
  }
}
