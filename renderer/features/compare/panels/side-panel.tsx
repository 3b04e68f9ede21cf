import type { ReactElement } from 'react';
import { DetailsPane } from '../../panes/details-pane.tsx';
import { useWorkbench, useWorkbenchState } from '../../../state/workbench-context.ts';
import { useNotes } from '../../../state/notes/context.ts';
import { onDemand } from '../../../state/on-demand.tsx';
import { useStore } from '../../../state/store.ts';
import type { TopMovers } from '#core/compare/top-movers.ts';
import type { Compared } from '../../../analysis/comparison/protocol.ts';
import { CapturesPanel } from '../sides/captures-panel.tsx';
import { useCompare, useCompareState } from '../../../state/compare/context.ts';
import { CompareDetails } from './details.tsx';
import type { ComparePanelId } from '../../../state/compare/compare.types.ts';
import { MatchingPanel } from '../matching/matching-panel.tsx';
import { MoversPanel } from './movers.tsx';
import { SelfTestPanel } from './self-test.tsx';

const NotesPanel = onDemand(() => import('../../notes/panel.tsx').then((part) => part.NotesPanel));
const LoadPage = onDemand(() => import('../../load/compare-page.tsx').then((part) => part.LoadPage));

function Notes(): ReactElement {
  return <NotesPanel tab={useCompare()} />;
}

const PAGES: Readonly<
  Record<
    ComparePanelId,
    {
      readonly label: string;
      readonly title: string;
      content: (compared: Compared, top: TopMovers | null) => ReactElement;
    }
  >
> = {
  movers: {
    label: 'Movers',
    title: 'What changed, in sentences',
    content: (compared, top) => <MoversPanel compared={compared} top={top} />,
  },
  load: { label: 'Load', title: 'The load tests of these captures', content: () => <LoadPage /> },
  details: {
    label: 'Details',
    title: 'The selected function',
    content: (compared) => <CompareDetails compared={compared} />,
  },
  notes: { label: 'Notes', title: 'Notes', content: () => <Notes /> },
  matching: {
    label: 'Matching',
    title: 'How functions are matched',
    content: (compared) => <MatchingPanel compared={compared} />,
  },
  captures: { label: 'Captures', title: 'The captures of each side', content: () => <CapturesPanel /> },
  'self-test': {
    label: 'Test',
    title: 'False alarms and power of these captures',
    content: (compared) => <SelfTestPanel compared={compared} />,
  },
};

/** Returns whether a capture of the comparison was recorded during a load test. */
function useIsUnderLoad(): boolean {
  const captures = useWorkbenchState((state) => state.captures);
  const before = useCompareState((state) => state.before.captures);
  const after = useCompareState((state) => state.after.captures);
  const ids = new Set([...before, ...after].flatMap(({ origin }) => (origin.kind === 'capture' ? [origin.id] : [])));
  return (captures ?? []).some(({ id, load }) => load !== undefined && ids.has(id));
}

interface SidePanelProps {
  readonly compared: Compared;
  /** Null while the movers are being looked for. */
  readonly top: TopMovers | null;
}

/** The panel next to the table: top movers, the selected function, matching, and the captures. */
export function CompareSidePanel({ compared, top }: SidePanelProps): ReactElement | null {
  const tab = useCompare();
  const { preferences } = useWorkbench();
  const noteCount = useNotes().pins.listed.length;
  const open = useStore(preferences, (state) => state.detailsOpen);
  const width = useStore(preferences, (state) => state.detailsPx);
  const panel = useCompareState((state) => state.look.panel);
  const isUnderLoad = useIsUnderLoad();
  if (!open) return null;
  return (
    <DetailsPane
      width={width}
      widths={[220, 700]}
      onWidth={(detailsPx) => preferences.set({ detailsPx })}
      page={panel}
      pages={(Object.keys(PAGES) as ComparePanelId[])
        .filter((id) => id !== 'load' || isUnderLoad || panel === id)
        .map((value) => ({
          value,
          label: value === 'notes' && noteCount > 0 ? `Notes · ${noteCount}` : PAGES[value].label,
          title: PAGES[value].title,
        }))}
      onPage={(next) => tab.setLook({ panel: next })}
      title={PAGES[panel].title}
    >
      {PAGES[panel].content(compared, top)}
    </DetailsPane>
  );
}
