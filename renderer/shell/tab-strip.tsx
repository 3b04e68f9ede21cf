import {
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type DragEvent,
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
} from 'react';
import { flushSync } from 'react-dom';
import { commandKeys, openBeside } from './commands.ts';
import { useKeymap } from '../ui/keys/use-keymap.ts';
import { partsOf, type TabTable, type TabMenuItem } from '../state/features.ts';
import type { OpenTab } from '../state/tabs/open-tab.ts';
import type { ProfileTab } from '../state/profile/tab.ts';
import { useStore } from '../state/store.ts';
import { tabLabel, tabQuality, useTabLabel } from '../state/tab-title.ts';
import { tabGroupOf, MAX_GROUPS, type TabGroup } from '../state/tabs/layout.ts';
import { GradeBadge } from '../ui/status/grade-badge.tsx';
import { Icon } from '../ui/icons.tsx';
import { Menu, type MenuGroups } from '../ui/menu/menu.tsx';
import { usePart } from '../ui/parts.tsx';
import { useWorkbench, useWorkbenchState } from '../state/workbench-context.ts';
import type { Workbench } from '../state/workbench.ts';

interface TabStripProps {
  readonly group: TabGroup;
  readonly parts: TabTable;
  readonly dragged: string | null;
  readonly onDrag: (tabId: string | null) => void;
}

interface MenuRequest {
  readonly tab: OpenTab;
  readonly point: { readonly x: number; readonly y: number };
}

/** The tabs of one pane. Arrows select, Delete or a middle click closes, dragging reorders. */
export function TabStrip({ group, parts, dragged, onDrag }: TabStripProps): ReactElement {
  const workbench = useWorkbench();
  const { store } = workbench;
  const keymap = useKeymap();
  const tabs = useWorkbenchState((state) => state.tabs);
  const [menu, setMenu] = useState<MenuRequest | null>(null);
  const [gap, setGap] = useState<number | null>(null);
  const strip = useRef<HTMLDivElement>(null);
  usePart('tabs', strip);
  const drop = (event: DragEvent): void => {
    if (dragged === null) return;
    event.preventDefault();
    event.stopPropagation();
    workbench.tabs.move(dragged, group.id, gap ?? group.tabs.length);
    setGap(null);
    onDrag(null);
  };
  return (
    <div
      ref={strip}
      className="tabs"
      role="tablist"
      aria-label="Open profiles"
      tabIndex={-1}
      onDragOver={(event) => {
        if (dragged === null) return;
        event.preventDefault();
        setGap(gapAt(event));
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setGap(null);
      }}
      onDrop={drop}
    >
      {group.tabs.map((id, index) => {
        const tab = tabs.find((one) => one.id === id);
        return tab === undefined ? null : (
          <Tab
            key={id}
            tab={tab}
            all={group.tabs}
            active={id === group.active}
            marked={
              dragged === null || gap === null ? null : gap === index ? 'before' : gap === index + 1 ? 'after' : null
            }
            onMenu={setMenu}
            onDrag={onDrag}
          />
        );
      })}
      {menu !== null && (
        <Menu
          title={tabLabel(menu.tab, store.get().captures)}
          groups={tabMenu(workbench, menu.tab, partsOf(parts, menu.tab).menu(workbench, menu.tab), (id) =>
            commandKeys(keymap, id),
          )}
          point={menu.point}
          onClose={() => setMenu(null)}
        />
      )}
    </div>
  );
}

/** Returns the gap between tabs nearest to the pointer. */
function gapAt(event: DragEvent): number {
  const boxes = [...event.currentTarget.querySelectorAll('.tab')].map((tab) => tab.getBoundingClientRect());
  return boxes.filter(({ left, width }) => event.clientX > left + width / 2).length;
}

/** Returns whether the tab has nothing to show; the tab's content says why. */
function hasFailed(tab: OpenTab): boolean {
  if (tab.kind === 'load') return false;
  if (tab.kind === 'profile') return tab.store.get().phase === 'failed';
  const { analysis: compared, problem } = tab.store.get();
  return compared === null && problem !== null;
}

interface TabProps {
  readonly tab: OpenTab;
  /** IDs of the strip's tabs, from left to right. */
  readonly all: readonly string[];
  readonly active: boolean;
  /** The side at which a dragged tab would be dropped. */
  readonly marked: 'before' | 'after' | null;
  readonly onMenu: (request: MenuRequest) => void;
  readonly onDrag: (tabId: string | null) => void;
}

/** Scrolls an active tab into view, also when its title arrives and when the strip gets narrower. */
function useInView(element: RefObject<HTMLElement | null>, active: boolean): void {
  useLayoutEffect(() => {
    const tab = element.current;
    if (tab === null || !active) return undefined;
    const observer = new ResizeObserver(() => tab.scrollIntoView({ block: 'nearest', inline: 'nearest' }));
    observer.observe(tab);
    if (tab.parentElement !== null) observer.observe(tab.parentElement);
    return () => observer.disconnect();
  }, [element, active]);
}

function TabGrade({ tab }: { tab: ProfileTab }): ReactElement | null {
  const captureId = useStore(tab.store, (state) => state.captureId);
  const profile = useStore(tab.store, (state) => state.profile);
  const capture = useWorkbenchState((state) => state.captures?.find(({ id }) => id === captureId) ?? null);
  return <GradeBadge quality={tabQuality(profile, capture)} />;
}

function Tab({ tab, all, active, marked, onMenu, onDrag }: TabProps): ReactElement {
  const { tabs: actions, parts } = useWorkbench();
  const failed = useSyncExternalStore(tab.store.subscribe, () => hasFailed(tab));
  const title = useTabLabel(tab);
  const element = useRef<HTMLDivElement>(null);
  useInView(element, active);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const at = all.indexOf(tab.id);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) {
      flushSync(() => actions.activate(all[to % all.length]!));
      parts.focus('tabs');
    } else if (event.key === 'Delete') {
      actions.close(tab.id);
      parts.rescueFocus();
    } else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      const { left, bottom } = event.currentTarget.getBoundingClientRect();
      onMenu({ tab, point: { x: left, y: bottom } });
    } else return;
    event.preventDefault();
  };

  return (
    <div
      ref={element}
      role="presentation"
      className={['tab', active ? 'on' : '', marked === null ? '' : `gap-${marked}`].join(' ')}
      draggable
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', title);
        // In Chromium, changing the page while a drag starts ends it.
        requestAnimationFrame(() => onDrag(tab.id));
      }}
      onDragEnd={() => onDrag(null)}
      onMouseDown={(event) => {
        // Prevents the middle button from starting to scroll.
        if (event.button === 1) event.preventDefault();
      }}
      onAuxClick={(event) => {
        if (event.button === 1) actions.close(tab.id);
      }}
      onContextMenu={(event) => {
        event.preventDefault();
        onMenu({ tab, point: { x: event.clientX, y: event.clientY } });
      }}
    >
      <button
        type="button"
        role="tab"
        id={`${tab.id}-tab`}
        aria-selected={active}
        aria-controls={`${tab.id}-panel`}
        aria-label={title}
        aria-describedby={`${tab.id}-grade`}
        tabIndex={active ? 0 : -1}
        title={title}
        onKeyDown={onKeyDown}
        onClick={() => actions.activate(tab.id)}
      >
        {failed && <span className="dot live" />}
        <span className="ellipsis">{title}</span>
        {/* The grade is the tab's description; the tab's name is the profile's. */}
        <span id={`${tab.id}-grade`}>{tab.kind === 'profile' && <TabGrade tab={tab} />}</span>
      </button>
      <button
        type="button"
        className="icon-button"
        tabIndex={-1}
        aria-hidden="true"
        title="Close (Delete)"
        onClick={() => actions.close(tab.id)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

/**
 * Returns the menu of a tab. The third parameter holds the items of its kind; `keysOf` returns the keys of a command.
 */
function tabMenu(
  workbench: Workbench,
  tab: OpenTab,
  [first = [], ...more]: readonly (readonly TabMenuItem[])[],
  keysOf: (id: string) => string | null,
): MenuGroups {
  const { store, tabs } = workbench;
  const { layout, closed } = store.get();
  const others = (tabGroupOf(layout, tab.id)?.tabs.length ?? 0) > 1;
  const item = (label: string, id: string | null, run: () => void): TabMenuItem => ({ label, id, run });
  const groups: readonly (readonly TabMenuItem[])[] = [
    [
      ...((others && layout.groups.length < MAX_GROUPS) || layout.groups.length > 1
        ? [item('Open to the side', 'tab.beside', () => openBeside(workbench, tab.id))]
        : []),
      ...first,
    ],
    ...more,
    [
      item('Close', 'tab.close', () => tabs.close(tab.id)),
      ...(others ? [item('Close others', null, () => tabs.closeOthers(tab.id))] : []),
      ...(closed.length > 0 ? [item('Reopen closed tab', 'tab.reopen', tabs.reopen)] : []),
    ],
  ];
  return groups.map((items) =>
    items.map(({ label, id, run }) => {
      const hint = id === null ? null : keysOf(id);
      return hint === null ? { label, run } : { label, hint, run };
    }),
  );
}
