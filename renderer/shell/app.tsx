import { useEffect, useRef } from 'react';
import type { ReactElement } from 'react';
import { LibraryPanel } from '../library/library-panel.tsx';
import { ProfilePanel } from '../profile/profile-panel.tsx';
import { ProfileTools } from '../profile/profile-tools.tsx';
import { RecordDialog } from '../record/record-dialog.tsx';
import { RecordingDialog } from '../record/recording-dialog.tsx';
import { useStore } from '../state/store.ts';
import type { Workbench } from '../state/workbench.ts';
import { ExportDialog } from '../transforms/export-dialog.tsx';
import { TransformDialog } from '../transforms/transform-dialog.tsx';
import { CommandPalette } from './command-palette.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { DropTarget } from './drop-target.tsx';
import { EmptyState } from './empty-state.tsx';
import { Header } from './header.tsx';
import { KeysDialog } from './keys-dialog.tsx';
import { Notices } from './notices.tsx';
import { Splitter } from './splitter.tsx';
import { StatusBar } from './status-bar.tsx';
import { TabStrip } from './tab-strip.tsx';
import { useTheme } from './theme.ts';
import { useGlobalKeys } from './use-global-keys.ts';
import { useWorkbench, useWorkbenchState, WorkbenchContext } from './workbench-context.ts';

export function App({ workbench }: { workbench: Workbench }): ReactElement {
  return (
    <WorkbenchContext value={workbench}>
      <Window />
    </WorkbenchContext>
  );
}

function Window(): ReactElement {
  const { preferences } = useWorkbench();
  const sidebarPx = useStore(preferences, (state) => state.sidebarPx);
  useGlobalKeys();
  return (
    <div className="window">
      <Header />
      <ConnectionBanner />
      <div className="window-body">
        <div className="sidebar-frame" style={{ width: sidebarPx }}>
          <LibraryPanel />
        </div>
        <Splitter
          label="Width of the library"
          orientation="vertical"
          value={sidebarPx}
          min={160}
          max={480}
          perPixel={() => 1}
          onChange={(value) => {
            preferences.set({ sidebarPx: value });
          }}
        />
        <main className="main">
          <Workspace />
        </main>
      </div>
      <StatusBar
        onDiagnostics={() => {
          preferences.set({ detailsOpen: true, detailsPage: 'diagnostics' });
        }}
      />
      <Notices />
      <DropTarget />
      <OpenDialogView />
    </div>
  );
}

function Workspace(): ReactElement {
  const { preferences } = useWorkbench();
  const theme = useTheme(useStore(preferences, (state) => state.theme));
  const active = useWorkbenchState((state) => state.tabs.find((tab) => tab.id === state.activeTab) ?? null);
  const title = useRef(document.title);
  useEffect(() => {
    document.title = active === null ? title.current : `${active.source.fileName} – ${title.current}`;
  }, [active]);
  if (active === null) return <EmptyState />;
  return (
    <>
      <div className="tab-bar">
        <TabStrip />
        <ProfileTools tab={active} />
      </div>
      <ProfilePanel key={active.id} tab={active} theme={theme} />
    </>
  );
}

function OpenDialogView(): ReactElement | null {
  const { showDialog } = useWorkbench();
  const dialog = useWorkbenchState((state) => state.dialog);
  const close = (): void => {
    showDialog(null);
  };
  switch (dialog?.kind) {
    case 'record':
      return <RecordDialog />;
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
    case undefined:
      return null;
  }
}
