import { countsGoroutines } from '#core/analyze/goroutine-waits.ts';
import { useEffect, useRef, type ReactElement } from 'react';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { Theme } from '../../ui/flame/graph.types.ts';
import { usePart } from '../../ui/parts.tsx';
import { Segments } from '../../ui/fields/segments.tsx';
import { Splitter } from '../../ui/fields/splitter.tsx';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { useStore } from '../../state/store.ts';
import { useNotes } from '../../state/notes/context.ts';
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

const PAGES = {
  summary: 'Summary',
  details: 'Selected function',
  notes: 'Notes',
  labels: 'Labels',
  goroutines: 'Goroutines',
  source: 'Source',
  diagnostics: 'Data quality',
} as const;

/**
 * The selected function or the data's quality, next to the table; source and code, which need the full height, next to
 * everything.
 */
export function SidePanel({ theme }: { theme: Theme }): ReactElement | null {
  const { preferences, parts } = useWorkbench();
  const tab = useProfileTab();
  const noteCount = useNotes().pins.listed.length;
  const panel = useRef<HTMLElement>(null);
  const open = useStore(preferences, (state) => state.detailsOpen);
  const wanted = useStore(preferences, (state) => state.detailsPage);
  const hasLabels = useTabState((state) => (state.profile?.labelKeys.length ?? 0) > 0);
  const hasGoroutines = useTabState((state) => state.profile !== null && countsGoroutines(state.profile));
  // The profile of another tab may have no labels or goroutines.
  const isAbsent = (wanted === 'labels' && !hasLabels) || (wanted === 'goroutines' && !hasGoroutines);
  const page = isAbsent ? 'details' : wanted;
  const isCode = page === 'source';
  const width = useStore(preferences, (state) => (isCode ? state.sourcePx : state.detailsPx));
  const captureId = useTabState((state) => state.captureId);
  const fromFile = useTabState((state) => state.profile?.diagnostics.length ?? 0);
  const fromCapture = useWorkbenchState(
    (state) => state.captures?.find((capture) => capture.id === captureId)?.diagnostics.length ?? 0,
  );
  usePart(open ? 'details' : null, panel);
  const pickHere = useDetailsAfterPick(page);
  if (!open) return null;
  const diagnostics = fromFile + fromCapture;
  return (
    <>
      <Splitter
        label={isCode ? 'Width of the source pane' : 'Width of the details pane'}
        orientation="vertical"
        value={width}
        min={isCode ? 260 : 220}
        max={isCode ? 1000 : 700}
        perPixel={() => -1}
        onChange={(px) => {
          preferences.set(isCode ? { sourcePx: px } : { detailsPx: px });
        }}
      />
      <aside ref={panel} className="side-panel" style={{ width }} aria-label="Details">
        <div className="side-panel-head">
          <Segments
            label="Page of the details pane"
            value={page}
            options={[
              { value: 'summary', label: 'Summary' },
              { value: 'details', label: 'Details' },
              { value: 'notes', label: noteCount === 0 ? 'Notes' : `Notes · ${noteCount}` },
              ...(hasLabels ? [{ value: 'labels' as const, label: 'Labels' }] : []),
              ...(hasGoroutines ? [{ value: 'goroutines' as const, label: 'Goroutines' }] : []),
              { value: 'source', label: 'Source' },
              { value: 'diagnostics', label: diagnostics === 0 ? 'Quality' : `Quality · ${diagnostics}` },
            ]}
            onChange={(detailsPage) => {
              preferences.set({ detailsPage });
              // The source page moves the panel, and the focused tab with it.
              parts.rescueFocus('details');
            }}
          />
        </div>
        <div className="side-panel-body" tabIndex={0} role="tabpanel" aria-label={PAGES[page]}>
          {page === 'summary' && <SummaryPanel onPick={pickHere} />}
          {page === 'details' && <DetailsPanel theme={theme} />}
          {page === 'notes' && <NotesPanel tab={tab} />}
          {page === 'labels' && <LabelsPanel />}
          {page === 'goroutines' && <GoroutinesPanel />}
          {page === 'source' && <SourcePage />}
          {page === 'diagnostics' && <DiagnosticsPanel />}
        </div>
      </aside>
    </>
  );
}

/**
 * Switches from the summary to the details when a function is selected elsewhere. Returns the function with which the
 * summary itself selects one.
 */
function useDetailsAfterPick(page: keyof typeof PAGES): (func: FunctionIndex) => void {
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
