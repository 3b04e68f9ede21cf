import { countsGoroutines } from '#core/analyze/goroutine-waits.ts';
import { useEffect, useRef, type ReactElement } from 'react';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { Theme } from '../../ui/flame/graph.types.ts';
import { DetailsPane } from '../panes/details-pane.tsx';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import type { Preferences } from '../../state/preferences.ts';
import { useStore } from '../../state/store.ts';
import { useNotes } from '../../state/notes/context.ts';
import type { OpenedProfile } from '../../analysis/profile/protocol.ts';
import type { ProfileTab } from '../../state/profile/tab.ts';
import { useProfileTab, useTabState, useView, useViewState } from '../../state/profile/context.ts';
import { onDemand } from '../../state/on-demand.tsx';

const SummaryPanel = onDemand(() => import('../summary/summary-panel.tsx').then((part) => part.SummaryPanel));

const DetailsPanel = onDemand(() => import('./details-panel.tsx').then((part) => part.DetailsPanel));

const DiagnosticsPanel = onDemand(() => import('./diagnostics-panel.tsx').then((part) => part.DiagnosticsPanel));

const LabelsPanel = onDemand(() => import('../labels/labels-panel.tsx').then((part) => part.LabelsPanel));

const GoroutinesPanel = onDemand(() =>
  import('../goroutines/goroutines-panel.tsx').then((part) => part.GoroutinesPanel),
);

const NotesPanel = onDemand(() => import('../notes/panel.tsx').then((part) => part.NotesPanel));

const SourcePage = onDemand(() => import('../source/source-page.tsx').then((part) => part.SourcePage));

type PageId = Preferences['detailsPage'];

/** What the pages need to know of the tab. */
interface PageFacts {
  readonly tab: ProfileTab;
  readonly theme: Theme;
  readonly profile: OpenedProfile | null;
  readonly notes: number;
  readonly diagnostics: number;
  readonly onPick: (func: FunctionIndex) => void;
}

interface Page {
  readonly title: string;
  /** Its button; absent: the title. */
  readonly label?: (facts: PageFacts) => string;
  /** Absent: always. */
  readonly isThere?: (facts: PageFacts) => boolean;
  readonly panel: (facts: PageFacts) => ReactElement;
}

const counted = (label: string, count: number): string => (count === 0 ? label : `${label} · ${count}`);

/** The pages of the pane, in order. */
const PAGES: Readonly<Record<PageId, Page>> = {
  summary: { title: 'Summary', panel: ({ onPick }) => <SummaryPanel onPick={onPick} /> },
  details: {
    title: 'Selected function',
    label: () => 'Details',
    panel: ({ theme }) => <DetailsPanel theme={theme} />,
  },
  notes: {
    title: 'Notes',
    label: ({ notes }) => counted('Notes', notes),
    panel: ({ tab }) => <NotesPanel tab={tab} />,
  },
  labels: {
    title: 'Labels',
    isThere: ({ profile }) => (profile?.labelKeys.length ?? 0) > 0,
    panel: () => <LabelsPanel />,
  },
  goroutines: {
    title: 'Goroutines',
    isThere: ({ profile }) => profile !== null && countsGoroutines(profile),
    panel: () => <GoroutinesPanel />,
  },
  source: { title: 'Source', panel: () => <SourcePage /> },
  diagnostics: {
    title: 'Data quality',
    label: ({ diagnostics }) => counted('Quality', diagnostics),
    panel: () => <DiagnosticsPanel />,
  },
};

/**
 * The selected function or the data's quality, next to the table; source and code, which need the full height, next to
 * everything.
 */
export function SidePanel({ theme }: { theme: Theme }): ReactElement | null {
  const { preferences, parts } = useWorkbench();
  const tab = useProfileTab();
  const notes = useNotes().pins.listed.length;
  const open = useStore(preferences, (state) => state.detailsOpen);
  const wanted = useStore(preferences, (state) => state.detailsPage);
  const profile = useTabState((state) => state.profile);
  const captureId = useTabState((state) => state.captureId);
  const fromCapture = useWorkbenchState(
    (state) => state.captures?.find((capture) => capture.id === captureId)?.diagnostics.length ?? 0,
  );
  const onPick = useDetailsAfterPick(wanted);
  const facts = { tab, theme, profile, notes, diagnostics: (profile?.diagnostics.length ?? 0) + fromCapture, onPick };
  // The profile of another tab may have no labels or goroutines.
  const page = PAGES[wanted].isThere?.(facts) === false ? 'details' : wanted;
  const isCode = page === 'source';
  const width = useStore(preferences, (state) => (isCode ? state.sourcePx : state.detailsPx));
  if (!open) return null;
  return (
    <DetailsPane
      width={width}
      widths={isCode ? [260, 1000] : [220, 700]}
      {...(isCode ? { widthLabel: 'Width of the source pane' } : {})}
      onWidth={(px) => preferences.set(isCode ? { sourcePx: px } : { detailsPx: px })}
      page={page}
      pages={(Object.entries(PAGES) as [PageId, Page][]).flatMap(([value, { title, label, isThere }]) =>
        isThere?.(facts) === false ? [] : [{ value, label: label?.(facts) ?? title }],
      )}
      onPage={(detailsPage) => {
        preferences.set({ detailsPage });
        // The source page moves the panel, and the focused tab with it.
        parts.rescueFocus('details');
      }}
      title={PAGES[page].title}
    >
      {PAGES[page].panel(facts)}
    </DetailsPane>
  );
}

/**
 * Switches from the summary to the details when a function is selected elsewhere. Returns the function with which the
 * summary itself selects one.
 */
function useDetailsAfterPick(page: PageId): (func: FunctionIndex) => void {
  const { preferences } = useWorkbench();
  const view = useView();
  const picked = useViewState((state) => state.picked);
  const own = useRef(picked);
  useEffect(() => {
    if (picked === null || picked.func === own.current?.func) return;
    own.current = picked;
    if (page === 'summary') preferences.set({ detailsPage: 'details' });
  }, [picked, page, preferences]);
  return (func) => {
    view.pick({ func, node: null });
    own.current = view.store.get().picked;
  };
}
