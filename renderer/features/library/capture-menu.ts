import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { TargetRow } from '#core/contract/target.ts';
import { holdsPerfData } from '../../state/read-by-perf/perf-sources.ts';
import { openForReport } from '../../state/reports/open-for-report.ts';
import { MAX_GROUPS } from '../../state/tabs/layout.ts';
import { analysedTabs, asProfileTab } from '../../state/tabs/open-tab.ts';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { loadPart } from '../../ui/load-part.ts';
import type { MenuGroups } from '../../ui/menu/menu.tsx';
import type { Comparing } from '../experiments/use-comparing.ts';
import { recordAgain, watchAgain } from '../record/record-again.ts';
import type { Selecting } from './selection.tsx';
import { trashRows } from './trash-rows.ts';

const NO_TARGETS: readonly TargetRow[] = [];

interface CaptureMenuOptions {
  readonly capture: CaptureDocument;
  /** Of the recording that is running; null if it has ended. */
  readonly recordingId: string | null;
  /** Whether it can be neither changed nor moved to the trash. */
  readonly isFixed: boolean;
  readonly open: () => void;
  readonly openNew: () => void;
  readonly selecting: Selecting;
  readonly comparing: Comparing;
  readonly edit: (what: 'name' | 'tags') => void;
}

/** Returns a function that makes the menu of a capture's row. */
export function useCaptureMenu({
  capture,
  recordingId,
  isFixed,
  open,
  openNew,
  selecting,
  comparing,
  edit,
}: CaptureMenuOptions): () => MenuGroups {
  const workbench = useWorkbench();
  const { library, showDialog, store, tabs } = workbench;
  const canBeside = useWorkbenchState((state) => state.tabs.length > 0 && state.layout.groups.length < MAX_GROUPS);
  const openBeside = async (): Promise<void> => {
    await library.open([capture.id]);
    const { activeTab } = store.get();
    if (activeTab !== null) tabs.split(activeTab, null, 'right');
  };

  const addNote = async (): Promise<void> => {
    await library.open([capture.id]);
    const tab = analysedTabs(store.get().tabs).find((one) => asProfileTab(one)?.store.get().captureId === capture.id);
    if (tab === undefined) return;
    const { startNote } = await loadPart(() => import('../../state/start-note.ts'));
    await startNote(workbench, tab, 'whole');
  };
  const targets = useWorkbenchState((state) => state.targets?.targets) ?? NO_TARGETS;
  const live = useWorkbenchState(
    ({ tabs: open, activeTab }) => asProfileTab(open.find((tab) => tab.id === activeTab))?.live ?? null,
  );
  return () => {
    const again = recordingId === null ? recordAgain(capture, targets) : null;
    const watch = recordingId === null ? watchAgain(capture, targets) : null;
    return [
      [
        { label: recordingId === null ? 'Open' : 'Show the recording', hint: 'Enter', run: open },
        ...(recordingId === null ? [{ label: 'Open in a new tab', hint: 'Ctrl click', run: openNew }] : []),
        { label: selecting.isSelected ? 'Deselect' : 'Select', hint: 'Shift+Space', run: selecting.toggle },
        ...(recordingId === null && canBeside ? [{ label: 'Open to the side', run: () => void openBeside() }] : []),
      ],
      recordingId === null ? comparing.items() : [],
      recordingId === null && holdsPerfData(capture)
        ? [
            {
              label: 'Read with perf…',
              run: () => showDialog({ kind: 'read-by-perf', source: { kind: 'capture', id: capture.id } }),
            },
          ]
        : [],
      recordingId === null ? [{ label: 'Report…', run: () => void openForReport(workbench, capture.id) }] : [],
      watch === null ? [] : [{ label: 'Watch live again…', run: () => showDialog(watch) }],
      live === null || recordingId !== null
        ? []
        : [{ label: 'Pin as baseline of the live view', run: () => void live.pin(capture.id).catch(workbench.report) }],
      again === null ? [] : [{ label: again.label, run: () => showDialog(again.dialog) }],
      isFixed
        ? []
        : [
            { label: 'Add note…', run: () => void addNote() },
            { label: 'Rename…', hint: 'F2', run: () => edit('name') },
            { label: 'Tags…', run: () => edit('tags') },
          ],
      isFixed
        ? []
        : [
            {
              label: 'Move to the trash',
              hint: 'Delete',
              danger: true,
              run: () => void trashRows(workbench, [capture]),
            },
          ],
    ];
  };
}
