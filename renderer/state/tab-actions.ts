import { TOKEN_HEADER } from '#core/contract/contract.ts';
import type { PendingFile } from '#core/contract/contract.ts';
import type { Session, SessionTab } from '#core/contract/session.ts';
import type { ValueTypeDefaults } from '#core/contract/settings.ts';
import { COLOUR_CHOICES } from '../profile/colour-choice.ts';
import type { ProfileClient, ProfileClientEvents } from '../worker/profile-client.ts';
import type { EngineClient } from './engine-client.ts';
import { engineMarkKeeper } from './marks.ts';
import type { PreferencesStore } from './preferences.ts';
import { createProfileTab } from './profile-tab.ts';
import type { ProfileTab, TabSource } from './profile-tab.ts';
import type { Store } from './store.ts';
import {
  activateGroup,
  activateTab,
  activeGroupOf,
  activeTabOf,
  addTab,
  groupBeside,
  groupOf,
  moveTab,
  removeTab,
  resizeGroups,
  splitTab,
  tabBeside,
} from './tab-layout.ts';
import type { TabLayout } from './tab-layout.ts';
import { captureSource, fileSource, recentSource } from './tab-sources.ts';
import { serialiseViews } from './view-document.ts';
import type { ViewDefaults } from './tab-views.ts';
import type { WorkbenchState } from './workbench.ts';

export type StartClient = (events: ProfileClientEvents) => ProfileClient;

/** How a tab is opened again, in another run too. */
export type TabOrigin = SessionTab['source'];

/** What a tab can be made of again. */
interface TabPlan {
  readonly source: TabSource;
  readonly origin: TabOrigin;
  readonly format: string | null;
  /** As {@link ProfileTab} wrote them. */
  readonly views: SessionTab['views'];
}

export interface ClosedTab extends TabPlan {
  readonly group: string;
  readonly index: number;
}

export interface TabActions {
  /** Picked or dropped files, each in a tab of its own. */
  readonly openFiles: (files: readonly File[]) => void;
  /** Files that the command line or the system named; one that is open already comes forward. */
  readonly openHandles: (handles: readonly PendingFile[]) => void;
  /** A capture of the library; its tab comes forward where it is open already. */
  readonly openCapture: (captureId: string, fileName: string) => void;
  /** Tabs of an earlier session in their panes; those in front are read, the others when they come forward. */
  readonly restore: (session: Session) => void;
  /** What is open now, in the form that `restore` takes. */
  readonly save: () => Session;
  readonly activate: (tabId: string) => void;
  readonly close: (tabId: string) => void;
  readonly closeOthers: (tabId: string) => void;
  /** Opens what was closed last, where it was. */
  readonly reopen: () => void;
  readonly move: (tabId: string, groupId: string, index: number) => void;
  /** Moves the tab in front by places within its pane. */
  readonly moveBy: (step: number) => void;
  /** Gives a tab a pane beside another; null: beside its own. */
  readonly split: (tabId: string, besideId: string | null, side: 'left' | 'right') => void;
  readonly step: (step: number) => void;
  readonly activatePane: (groupId: string) => void;
  /** False at the edge. */
  readonly stepPane: (step: number) => boolean;
  readonly resizePane: (leftId: string, byShare: number) => void;
}

interface Needs {
  readonly engine: EngineClient;
  readonly store: Store<WorkbenchState>;
  readonly preferences: Pick<PreferencesStore, 'get'>;
  readonly startClient: StartClient;
}

const MAX_CLOSED = 20;

export function createTabActions({ engine, store, preferences, startClient }: Needs): TabActions {
  let lastTab = 0;
  const headers = { [TOKEN_HEADER]: engine.token };
  const plans = new Map<string, TabPlan>();
  const unread = new Set<string>();

  function arrange(layout: TabLayout, tabs = store.get().tabs): void {
    store.set({ tabs, layout, activeTab: activeTabOf(layout) });
    for (const { active } of layout.groups) read(active);
  }

  function read(tabId: string): void {
    if (!unread.delete(tabId)) return;
    const tab = store.get().tabs.find(({ id }) => id === tabId);
    void tab?.load(plans.get(tabId)?.format ?? null);
  }

  function make(plan: TabPlan): ProfileTab {
    lastTab += 1;
    const tab = createProfileTab(`tab-${lastTab}`, plan.source, startClient, {
      markKeeper: engineMarkKeeper(engine),
      views: plan.views,
      defaultsFor: ({ type }, { hasTime }) => viewDefaults(preferences.get().valueTypes, type, hasTime),
    });
    plans.set(tab.id, plan);
    unread.add(tab.id);
    return tab;
  }

  function add(source: TabSource, origin: TabOrigin): void {
    const tab = make({ source, origin, format: null, views: null });
    arrange(addTab(store.get().layout, tab.id), [...store.get().tabs, tab]);
  }

  function activate(tabId: string): void {
    arrange(activateTab(store.get().layout, tabId));
  }

  function originOf(tab: ProfileTab): TabOrigin {
    const { captureId } = tab.store.get();
    return captureId === null ? (plans.get(tab.id)?.origin ?? { kind: 'dropped' }) : { kind: 'capture', id: captureId };
  }

  /** What a tab is made of now. */
  function planOf(tab: ProfileTab): TabPlan {
    const plan = plans.get(tab.id);
    const state = tab.store.get();
    // A tab that was not read yet looks as it did.
    const views = (serialiseViews(state) as SessionTab['views'] | null) ?? plan?.views ?? null;
    return { source: tab.source, origin: originOf(tab), format: state.format ?? plan?.format ?? null, views };
  }

  function sourceOf(origin: TabOrigin, fileName: string): TabSource | null {
    if (origin.kind === 'capture') return captureSource(engine, headers, origin.id, fileName);
    return origin.kind === 'recent' ? recentSource(engine, headers, origin.id, fileName, null) : null;
  }

  function close(tabId: string): void {
    const { tabs, layout, closed } = store.get();
    const tab = tabs.find(({ id }) => id === tabId);
    const group = groupOf(layout, tabId);
    if (tab === undefined || group === null) return;
    const entry = { ...planOf(tab), group: group.id, index: group.tabs.indexOf(tabId) };
    tab.dispose();
    plans.delete(tabId);
    unread.delete(tabId);
    store.set({ closed: [...closed, entry].slice(-MAX_CLOSED) });
    arrange(
      removeTab(layout, tabId),
      tabs.filter(({ id }) => id !== tabId),
    );
  }

  return {
    openFiles: (files) => {
      for (const file of files) add(fileSource(file), { kind: 'dropped' });
    },
    openHandles: (handles) => {
      for (const file of handles) {
        const open = store.get().tabs.find((tab) => {
          const origin = originOf(tab);
          return origin.kind === 'recent' && origin.id === file.recentId;
        });
        if (open !== undefined) activate(open.id);
        else {
          const origin = { kind: 'recent' as const, id: file.recentId };
          add(recentSource(engine, headers, file.recentId, file.fileName, file), origin);
        }
      }
    },
    openCapture: (captureId, fileName) => {
      const open = store.get().tabs.find((tab) => tab.store.get().captureId === captureId);
      if (open !== undefined) activate(open.id);
      else add(captureSource(engine, headers, captureId, fileName), { kind: 'capture', id: captureId });
    },
    restore: (session) => {
      const made = new Map<string, ProfileTab>();
      for (const { id, source: origin, fileName, format, views } of session.tabs) {
        const source = sourceOf(origin, fileName);
        if (source !== null) made.set(id, make({ source, origin, format, views }));
      }
      arrange(restoredLayout(session, made), [...store.get().tabs, ...made.values()]);
    },
    save: () => savedSession(store.get(), planOf),
    activate,
    close,
    closeOthers: (tabId) => {
      const group = groupOf(store.get().layout, tabId);
      for (const other of group?.tabs ?? []) if (other !== tabId) close(other);
      activate(tabId);
    },
    reopen: () => {
      const { closed, layout, tabs } = store.get();
      const last = closed.at(-1);
      if (last === undefined) return;
      store.set({ closed: closed.slice(0, -1) });
      const tab = make(last);
      const added = addTab(layout, tab.id);
      const place = added.groups.some(({ id }) => id === last.group) ? last.group : (added.activeGroup ?? '');
      arrange(moveTab(added, tab.id, place, last.index), [...tabs, tab]);
    },
    move: (tabId, groupId, index) => {
      arrange(moveTab(store.get().layout, tabId, groupId, index));
    },
    moveBy: (step) => {
      const { layout } = store.get();
      const group = activeGroupOf(layout);
      if (group === null) return;
      const to = group.tabs.indexOf(group.active) + step;
      if (to < 0 || to >= group.tabs.length) return;
      arrange(moveTab(layout, group.active, group.id, step > 0 ? to + 1 : to));
    },
    split: (tabId, besideId, side) => {
      const { layout } = store.get();
      arrange(splitTab(layout, tabId, besideId ?? groupOf(layout, tabId)?.id ?? '', side));
    },
    step: (step) => {
      const tab = tabBeside(store.get().layout, step);
      if (tab !== null) activate(tab);
    },
    activatePane: (groupId) => {
      const { layout } = store.get();
      const changed = activateGroup(layout, groupId);
      if (changed !== layout) arrange(changed);
    },
    stepPane: (step) => {
      const { layout } = store.get();
      const group = groupBeside(layout, step);
      if (group !== null) arrange(activateGroup(layout, group.id));
      return group !== null;
    },
    resizePane: (leftId, byShare) => {
      store.set({ layout: resizeGroups(store.get().layout, leftId, byShare) });
    },
  };
}

/** How the user likes graphs of a value type to begin, where the profile has what that takes. */
function viewDefaults(chosen: readonly ValueTypeDefaults[], type: string, hasTime: boolean): ViewDefaults {
  const found = chosen.find((one) => one.type === type);
  if (found === undefined) return {};
  const { tree, orientation } = found;
  const colour = COLOUR_CHOICES.find((choice) => choice === found.colour);
  const fits = tree !== null && (tree !== 'time-order' || hasTime);
  return {
    ...(fits ? { tree: { kind: tree } } : {}),
    ...(orientation === null ? {} : { orientation }),
    ...(colour === undefined ? {} : { colour }),
  };
}

function restoredLayout(session: Session, made: ReadonlyMap<string, ProfileTab>): TabLayout {
  const groups = session.groups.flatMap((group, index) => {
    const tabs = group.tabs.flatMap((id) => made.get(id)?.id ?? []);
    const active = made.get(group.active)?.id ?? tabs[0];
    return active === undefined ? [] : [{ id: `pane-${index + 1}`, tabs, active, share: group.share }];
  });
  const whole = groups.reduce((sum, { share }) => sum + share, 0);
  const wanted = `pane-${session.activeGroup + 1}`;
  return {
    groups: groups.map((group) => ({ ...group, share: group.share / whole })),
    activeGroup: (groups.find(({ id }) => id === wanted) ?? groups[0])?.id ?? null,
  };
}

function savedSession({ tabs, layout }: WorkbenchState, planOf: (tab: ProfileTab) => TabPlan): Session {
  return {
    tabs: tabs.map((tab) => {
      const { origin, format, views } = planOf(tab);
      return { id: tab.id, fileName: tab.source.fileName, source: origin, format, views };
    }),
    groups: layout.groups.map(({ tabs: ids, active, share }) => ({ tabs: [...ids], active, share })),
    activeGroup: Math.max(
      0,
      layout.groups.findIndex(({ id }) => id === layout.activeGroup),
    ),
  };
}
