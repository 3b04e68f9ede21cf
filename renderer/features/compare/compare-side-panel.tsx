import { useRef, type ReactElement } from 'react';
import { usePart } from '../../ui/parts.tsx';
import { Segments } from '../../ui/fields/segments.tsx';
import { Splitter } from '../../ui/fields/splitter.tsx';
import { useWorkbench } from '../../state/workbench-context.ts';
import { useStore } from '../../state/store.ts';
import type { Compared } from '../../analysis/comparison/protocol.ts';
import { CapturesPanel } from './captures-panel.tsx';
import { useCompare, useCompareState } from '../../state/compare/context.ts';
import { CompareDetails } from './compare-details.tsx';
import type { ComparePanel } from '../../state/compare/compare.types.ts';
import { MatchingPanel } from './matching-panel.tsx';
import { MoversPanel } from './movers-panel.tsx';
import { SelfTestPanel } from './self-test-panel.tsx';

const PAGES: Readonly<
  Record<
    ComparePanel,
    { readonly label: string; readonly title: string; content: (compared: Compared) => ReactElement }
  >
> = {
  movers: {
    label: 'Movers',
    title: 'What changed, in sentences',
    content: (compared) => <MoversPanel compared={compared} />,
  },
  details: {
    label: 'Details',
    title: 'The selected function',
    content: (compared) => <CompareDetails compared={compared} />,
  },
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

/** Beside the table: top movers, the picked function, how functions were matched, and the captures. */
export function CompareSidePanel({ compared }: { compared: Compared }): ReactElement | null {
  const tab = useCompare();
  const { preferences } = useWorkbench();
  const open = useStore(preferences, (state) => state.detailsOpen);
  const width = useStore(preferences, (state) => state.detailsPx);
  const panel = useCompareState((state) => state.look.panel);
  const aside = useRef<HTMLElement>(null);
  usePart(open ? 'details' : null, aside);
  if (!open) return null;
  return (
    <>
      <Splitter
        label="Width of the details pane"
        orientation="vertical"
        value={width}
        min={220}
        max={700}
        perPixel={() => -1}
        onChange={(px) => {
          preferences.set({ detailsPx: px });
        }}
      />
      <aside ref={aside} className="side-panel" style={{ width }} aria-label="Details">
        <div className="side-panel-head">
          <Segments
            label="Page of the details pane"
            value={panel}
            options={(Object.keys(PAGES) as ComparePanel[]).map((value) => ({
              value,
              label: PAGES[value].label,
              title: PAGES[value].title,
            }))}
            onChange={(next) => {
              tab.setLook({ panel: next });
            }}
          />
        </div>
        <div className="side-panel-body" tabIndex={0} role="tabpanel" aria-label={PAGES[panel].title}>
          {PAGES[panel].content(compared)}
        </div>
      </aside>
    </>
  );
}
