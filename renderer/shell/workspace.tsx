import { useCallback, useEffect, useRef, useState } from 'react';
import type { DragEvent, ReactElement } from 'react';
import { Fragment } from 'react';
import { partsOf, type TabTable } from '../state/features.ts';
import type { TabGroup } from '../state/tabs/layout.ts';
import { onDemand } from '../state/on-demand.tsx';
import type { Appearance } from '../state/appearance.ts';
import { PartsScope } from '../ui/parts.tsx';
import { Splitter } from '../ui/fields/splitter.tsx';
import { TabStrip } from './tab-strip.tsx';
import { hasRecording } from '../state/recording-actions.ts';
import { tabTitle } from '../state/tab-title.ts';
import { useWorkbench, useWorkbenchState } from '../state/workbench-context.ts';

const EmptyState = onDemand(() => import('./empty-state.tsx').then((part) => part.EmptyState));

/** The panes side by side, each with its tabs. */
export function Workspace({ look, parts }: { look: Appearance; parts: TabTable }): ReactElement {
  const { tabs } = useWorkbench();
  const groups = useWorkbenchState((state) => state.layout.groups);
  const [dragged, setDragged] = useState<string | null>(null);
  const panes = useRef<HTMLDivElement>(null);
  useTitle();
  if (groups.length === 0) return <EmptyState />;
  return (
    <div ref={panes} className={groups.length > 1 ? 'tab-groups split' : 'tab-groups'}>
      {groups.map((group, index) => (
        <Fragment key={group.id}>
          {index > 0 && (
            <Splitter
              label="Width of the panes"
              orientation="vertical"
              value={groups[index - 1]!.share}
              min={0.05}
              max={groups[index - 1]!.share + group.share - 0.05}
              perPixel={() => 1 / (panes.current?.clientWidth ?? 1)}
              onChange={(share) => tabs.resizePane(groups[index - 1]!.id, share - groups[index - 1]!.share)}
            />
          )}
          <Pane
            group={group}
            index={index}
            count={groups.length}
            look={look}
            parts={parts}
            dragged={dragged}
            onDrag={setDragged}
          />
        </Fragment>
      ))}
    </div>
  );
}

interface PaneProps {
  readonly group: TabGroup;
  readonly index: number;
  readonly count: number;
  readonly look: Appearance;
  readonly parts: TabTable;
  /** ID of the tab being dragged. */
  readonly dragged: string | null;
  readonly onDrag: (tabId: string | null) => void;
}

function Pane({ group, index, count, look, parts, dragged, onDrag }: PaneProps): ReactElement | null {
  const { store, tabs } = useWorkbench();
  const inFront = useCallback(() => store.get().layout.activeGroup === group.id, [store, group.id]);
  const tab = useWorkbenchState((state) => state.tabs.find(({ id }) => id === group.active) ?? null);
  const isActive = useWorkbenchState((state) => state.layout.activeGroup === group.id);
  if (tab === null) return null;
  const { Panel, Tools } = partsOf(parts, tab);
  const activate = (): void => tabs.activatePane(group.id);
  return (
    <section
      className={isActive ? 'tab-group fill active' : 'tab-group fill'}
      style={{ flexGrow: group.share }}
      data-pane={group.id}
      {...(count > 1 ? { 'aria-label': `Pane ${index + 1} of ${count}` } : {})}
      onFocusCapture={activate}
      onPointerDownCapture={activate}
    >
      <PartsScope inFront={inFront}>
        <div className="tab-bar">
          <TabStrip group={group} parts={parts} dragged={dragged} onDrag={onDrag} />
          <Tools tab={tab} />
        </div>
        <div className="tab-group-body fill">
          {partsOf(parts, tab).stays !== true && (
            <Panel key={`${tab.id} ${look.numbers} ${look.face}`} tab={tab} theme={look.theme} />
          )}
          <StayingTabs group={group} look={look} parts={parts} />
          {dragged !== null && <DropZones group={group} dragged={dragged} onEnd={() => onDrag(null)} />}
        </div>
      </PartsScope>
    </section>
  );
}

const notInFront = (): boolean => false;

/** The tabs of a pane whose panels stay in the page; all but the active one are hidden. */
function StayingTabs({ group, look, parts }: Pick<PaneProps, 'group' | 'look' | 'parts'>): ReactElement[] {
  const tabs = useWorkbenchState((state) => state.tabs);
  return tabs.flatMap((tab) => {
    const { Panel, stays = false } = partsOf(parts, tab);
    if (!stays || !group.tabs.includes(tab.id)) return [];
    const isActive = tab.id === group.active;
    const panel = <Panel tab={tab} theme={look.theme} />;
    return [
      <div key={tab.id} className="staying-tab" hidden={!isActive}>
        <PartsScope {...(isActive ? {} : { inFront: notInFront })}>{panel}</PartsScope>
      </div>,
    ];
  });
}

type Zone = 'left' | 'middle' | 'right';

/**
 * Shown over a pane while a tab is dragged: dropping at an edge opens the tab next to the pane, dropping in the middle
 * adds it.
 */
function DropZones({ group, dragged, onEnd }: { group: TabGroup; dragged: string; onEnd: () => void }): ReactElement {
  const { tabs } = useWorkbench();
  const [zone, setZone] = useState<Zone | null>(null);
  const alone = group.tabs.length === 1 && group.tabs[0] === dragged;
  const over = (event: DragEvent): void => {
    event.preventDefault();
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - left) / width;
    setZone(share < 0.3 ? 'left' : share > 0.7 ? 'right' : 'middle');
  };
  return (
    <div
      className="drop-zones"
      role="presentation"
      onDragOver={over}
      onDragLeave={() => setZone(null)}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        if (zone === 'middle') tabs.move(dragged, group.id, group.tabs.length);
        else if (zone !== null) tabs.split(dragged, group.id, zone);
        onEnd();
      }}
    >
      {zone !== null && !alone && <div className={`drop-zone ${zone}`} />}
    </div>
  );
}

function useTitle(): void {
  const active = useWorkbenchState((state) => state.tabs.find((tab) => tab.id === state.activeTab) ?? null);
  const captures = useWorkbenchState((state) => state.captures);
  const isRecording = useWorkbenchState(hasRecording);
  const title = useRef(document.title);
  useEffect(() => {
    const own = active && tabTitle(active, captures);
    const parts = [...(isRecording ? ['● Recording'] : []), ...(own === null ? [] : [own]), title.current];
    document.title = parts.join(' – ');
  }, [active, captures, isRecording]);
}
