import { Fragment, useCallback, useRef, useState, type ReactElement } from 'react';
import type { Theme } from '../../ui/flame/flame-graph.types.ts';
import { PartsScope } from '../../ui/parts.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { Splitter } from '../../ui/fields/splitter.tsx';
import { MIN_SHARE } from '../../state/profile/views.ts';
import { FrameMenu, type MenuRequest } from './frame-menu.tsx';
import { GraphPane } from './graph-pane.tsx';
import { useProfileTab, useTabState, useView, useViewState, ViewContext } from '../../state/profile/context.ts';
import { useActivation } from './use-activation.ts';
import { useSpokenFor } from './use-spoken-for.ts';
import { valueTypeText } from '../../state/value-type-text.ts';
import { ViewHead } from './view-head.tsx';
import './views.css';

interface ViewPanesProps {
  readonly theme: Theme;
  /** Views lie below one another instead of beside. */
  readonly stacked: boolean;
}

/** The graphs of all views of the tab; the one with the focus is the one that toolbar and tables are about. */
export function ViewPanes({ theme, stacked }: ViewPanesProps): ReactElement {
  const tab = useProfileTab();
  const views = useTabState((state) => state.views);
  const shares = useTabState((state) => state.shares);
  const active = useTabState((state) => state.activeView);
  const box = useRef<HTMLDivElement>(null);
  const sizePx = (): number => {
    const { width = 1, height = 1 } = box.current?.getBoundingClientRect() ?? {};
    return stacked ? height : width;
  };
  return (
    <div ref={box} className={stacked ? 'views stacked' : 'views'}>
      {views.map((view, index) => (
        <Fragment key={view.id}>
          {index > 0 && (
            <Splitter
              label={`Views ${index} and ${index + 1}`}
              orientation={stacked ? 'horizontal' : 'vertical'}
              value={shares[index - 1]!}
              min={MIN_SHARE}
              max={shares[index - 1]! + shares[index]! - MIN_SHARE}
              perPixel={() => 1 / sizePx()}
              onChange={(share) => {
                tab.resizeView(index - 1, share);
              }}
            />
          )}
          <ViewContext value={view}>
            <ViewPane
              theme={theme}
              share={shares[index]!}
              place={views.length === 1 ? null : { number: index + 1, of: views.length }}
              active={view === active}
            />
          </ViewContext>
        </Fragment>
      ))}
    </div>
  );
}

interface ViewPaneProps {
  readonly theme: Theme;
  readonly share: number;
  /** Null where it is the only one. */
  readonly place: { readonly number: number; readonly of: number } | null;
  readonly active: boolean;
}

function ViewPane({ theme, share, place, active }: ViewPaneProps): ReactElement {
  const tab = useProfileTab();
  const view = useView();
  const analysis = useViewState((state) => state.analysis);
  const analysing = useViewState((state) => state.analysing);
  const valueType = useViewState((state) => state.selection.valueType);
  const [menu, setMenu] = useState<MenuRequest | null>(null);
  const inFront = useCallback(() => tab.store.get().activeView === view, [tab, view]);
  const activation = useActivation(() => {
    tab.activateView(view);
  });
  const name = valueTypeText(view.profile.valueTypes, valueType);
  return (
    <section
      className={place !== null && active ? 'view-pane active' : 'view-pane'}
      style={{ flexGrow: share }}
      aria-busy={analysing}
      {...(place === null ? {} : { 'aria-label': `View ${place.number} of ${place.of}: ${name}` })}
      {...(active ? { 'aria-current': true } : {})}
      {...activation}
    >
      {place !== null && <ViewHead number={place.number} />}
      <Analysing />
      <AnalysisProblem />
      {analysis !== null && (
        <div className="view-graph">
          <PartsScope inFront={inFront}>
            <GraphPane analysis={analysis} theme={theme} onMenu={setMenu} />
          </PartsScope>
        </div>
      )}
      {menu !== null && (
        <FrameMenu
          request={menu}
          onClose={() => {
            setMenu(null);
          }}
        />
      )}
    </section>
  );
}

/** Why what was asked for is not what is shown. */
function AnalysisProblem(): ReactElement | null {
  const view = useView();
  const problem = useViewState((state) => state.problem);
  const message = problem?.message;
  const spokenFor = useSpokenFor((state) => state.problem?.message === message);
  if (problem === null || spokenFor) return null;
  return (
    <ProblemView problem={problem}>
      <button type="button" className="button" onClick={view.cancel}>
        Keep the current view
      </button>
    </ProblemView>
  );
}

/** Appears (by its style) where an analysis takes longer than 200 ms; the view before it stays usable meanwhile. */
function Analysing(): ReactElement | null {
  const analysing = useViewState((state) => state.analysing);
  return analysing ? (
    <div className="analysing">
      <progress className="busy" aria-label="Analysing" />
      <Cancel />
    </div>
  ) : null;
}

/** Cancelling one of several linked views cancels all of them: the one in front offers it. */
function Cancel(): ReactElement | null {
  const view = useView();
  const isFirst = useViewState((state) => state.analysis === null);
  const spokenFor = useSpokenFor((state) => state.analysing);
  if (isFirst || spokenFor) return null;
  return (
    <div className="analysing-cancel" role="status">
      <span className="dim">Analysing…</span>
      <button type="button" className="button" onClick={view.cancel}>
        Cancel
      </button>
    </div>
  );
}
