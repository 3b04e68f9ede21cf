import { Fragment, useCallback, useRef, useState, useEffect, type ReactElement } from 'react';
import type { Theme } from '../../ui/flame/graph.types.ts';
import { PartsScope } from '../../ui/parts.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { Splitter } from '../../ui/fields/splitter.tsx';
import { MIN_SHARE } from '../../state/profile/views.ts';
import { FrameMenu, type MenuRequest } from './frame-menu.tsx';
import { ProfileNotes } from '../notes/scopes.tsx';
import { GraphPane } from './graph-pane.tsx';
import { useProfileTab, useTabState, useView, useViewState, ViewContext } from '../../state/profile/context.ts';
import { valueTypeText } from '../../state/value-type-text.ts';
import { ViewHead } from './view-head.tsx';
import './views.css';
import { useStore } from '../../state/store.ts';
import type { ViewState } from '../../state/profile/view-state.ts';
import { Button } from '../../ui/buttons.tsx';

interface ViewPanesProps {
  readonly theme: Theme;
  /** True stacks the views instead of placing them side by side. */
  readonly stacked: boolean;
}

/** The graphs of all views of the tab; the toolbar and tables belong to the focused one. */
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
              onChange={(share) => tab.resizeView(index - 1, share)}
            />
          )}
          <ViewContext value={view}>
            <ProfileNotes>
              <ViewPane
                theme={theme}
                share={shares[index]!}
                place={views.length === 1 ? null : { number: index + 1, of: views.length }}
                active={view === active}
              />
            </ProfileNotes>
          </ViewContext>
        </Fragment>
      ))}
    </div>
  );
}

interface ViewPaneProps {
  readonly theme: Theme;
  readonly share: number;
  /** Null if it is the only view. */
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
  const activation = useActivation(() => tab.activateView(view));
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
        <div className="view-graph fill">
          <PartsScope inFront={inFront}>
            <GraphPane analysis={analysis} theme={theme} onMenu={setMenu} />
          </PartsScope>
        </div>
      )}
      {menu !== null && <FrameMenu request={menu} onClose={() => setMenu(null)} />}
    </section>
  );
}

/** Explains why the requested analysis is not shown. */
function AnalysisProblem(): ReactElement | null {
  const view = useView();
  const problem = useViewState((state) => state.problem);
  const message = problem?.message;
  const spokenFor = useSpokenFor((state) => state.problem?.message === message);
  if (problem === null || spokenFor) return null;
  return (
    <ProblemView problem={problem}>
      <Button onClick={view.cancel}>Keep the current view</Button>
    </ProblemView>
  );
}

/** Shown (by its style) if an analysis takes longer than 200 ms; the previous one stays usable. */
function Analysing(): ReactElement | null {
  const analysing = useViewState((state) => state.analysing);
  return analysing ? (
    <div className="analysing">
      <progress className="busy" aria-label="Analysing" />
      <Cancel />
    </div>
  ) : null;
}

/** Cancelling one of several linked views cancels all; the active one offers it. */
function Cancel(): ReactElement | null {
  const view = useView();
  const isFirst = useViewState((state) => state.analysis === null);
  const spokenFor = useSpokenFor((state) => state.analysing);
  if (isFirst || spokenFor) return null;
  return (
    <div className="analysing-cancel" role="status">
      <span className="dim">Analysing…</span>
      <Button onClick={view.cancel}>Cancel</Button>
    </div>
  );
}

interface Activation {
  readonly onFocusCapture: () => void;
  readonly onPointerDownCapture: () => void;
}

/**
 * Reports that the focus or a press entered an element. A press is reported when it ends, because the consequences may
 * move the pressed element and the click would hit another.
 */
function useActivation(activate: () => void): Activation {
  const pressing = useRef(false);
  const newest = useRef(activate);
  const ends = useRef<(() => void) | null>(null);
  useEffect(() => {
    newest.current = activate;
  }, [activate]);
  useEffect(() => () => ends.current?.(), []);
  return {
    onFocusCapture: () => {
      if (!pressing.current) activate();
    },
    onPointerDownCapture: () => {
      ends.current?.();
      pressing.current = true;
      const release = (): void => {
        end();
        // The click event comes in the same task as the release.
        setTimeout(() => newest.current(), 0);
      };
      const end = (): void => {
        pressing.current = false;
        ends.current = null;
        for (const type of ['pointerup', 'pointercancel']) window.removeEventListener(type, release, true);
      };
      for (const type of ['pointerup', 'pointercancel']) window.addEventListener(type, release, true);
      ends.current = end;
    },
  };
}

/** Returns whether the enclosing view reports state that concerns all linked views; only the active one does. */
function useSpokenFor(tells: (state: ViewState) => boolean): boolean {
  const view = useView();
  const linked = useViewState((state) => state.linked);
  const front = useTabState((state) => state.activeView) ?? view;
  const frontTells = useStore(front.store, (state) => state.linked && tells(state));
  return front !== view && linked && frontTells;
}
