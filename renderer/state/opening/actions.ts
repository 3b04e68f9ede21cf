import { hasTwoColumns } from '#core/compare/measure/split-two-columns.ts';
import type { PendingFile } from '#core/contract/contract.ts';
import type { FileOrigin, Session, SessionTab } from '#core/contract/session.ts';
import type { CompareSeed } from '../compare/seed.ts';
import type { CompareInput, CompareTab } from '../compare/compare.types.ts';
import type { SideName } from '../../analysis/comparison/protocol.ts';
import type { EngineClient } from '../engine-client.ts';
import type { OpenTab } from '../tabs/open-tab.ts';
import type { PreferencesStore } from '../preferences.ts';
import type { TabSource } from '../tab-source.ts';
import type { ProfileTab } from '../profile/tab.ts';
import type { Store } from '../store.ts';
import {
  activateGroup,
  activateTab,
  activeGroupOf,
  activeTabOf,
  addTab,
  groupBeside,
  tabGroupOf,
  moveTab,
  removeTab,
  resizeGroups,
  splitTab,
  tabBeside,
} from '../tabs/layout.ts';
import type { TabLayout } from '../tabs/layout.ts';
import { createTabPlans, originOf } from './plans.ts';
import type { TabPlan } from '../workbench-state.ts';
import type { StartClients } from './plans.ts';
import { pageFileSource } from './sources.ts';
import type { WorkbenchState } from '../workbench-state.ts';
import { loadPart } from '../../ui/load-part.ts';

/** A capture of the library and the title of its tab. */
export interface NamedCapture {
  readonly id: string;
  readonly fileName: string;
}

export interface TabActions {
  /** Opens chosen or dropped files, each in a tab. */
  readonly openFiles: (files: readonly File[]) => void;
  /** Opens files given on the command line or by the system; a file that is already open is activated. */
  readonly openHandles: (handles: readonly PendingFile[], views?: SessionTab['views']) => void;
  /**
   * Opens captures of the library. The last one is activated and read; the others are read when activated. With
   * `again`, also those that are open already.
   */
  readonly openCaptures: (captures: readonly NamedCapture[], views?: SessionTab['views'], again?: boolean) => void;
  /**
   * Opens a tab once more, in its current state, for the function with this name; null for a live session, which one
   * tab follows.
   */
  readonly openCopy: (tabId: string, about: string) => OpenTab | null;
  /** Opens a live session in a tab that follows it. */
  readonly openLive: (liveId: string, title: string) => Promise<void>;
  /** Opens a comparison in a tab. */
  readonly compare: (seed: Pick<CompareSeed, SideName> & Partial<CompareSeed>) => void;
  /** Returns a comparison that no tab shows; the caller loads and disposes it. */
  readonly compareAside: (seed: Pick<CompareSeed, SideName> & Partial<CompareSeed>) => CompareTab;
  /** Returns the input of a comparison for a capture of the library, a file, or a tab. */
  readonly captureInput: (captureId: string, fileName: string, requests?: number | null) => CompareInput;
  readonly fileInput: (file: File) => CompareInput;
  readonly handleInput: (file: PendingFile) => CompareInput;
  readonly tabInput: (tab: ProfileTab) => CompareInput;
  /**
   * Restores the tabs of an earlier session in their panes. Active tabs are read immediately, the others when
   * activated.
   */
  readonly restore: (session: Session) => Promise<void>;
  /** Returns the open tabs in the form that `restore` accepts. */
  readonly save: () => Session;
  readonly activate: (tabId: string) => void;
  readonly close: (tabId: string) => void;
  readonly closeOthers: (tabId: string) => void;
  /** Reopens the tab that was closed last, at its former position. */
  readonly reopen: () => void;
  readonly move: (tabId: string, groupId: string, index: number) => void;
  /** Moves the active tab within its pane. */
  readonly moveBy: (step: number) => void;
  /** Moves a tab to a new pane next to another tab's; null means next to its own. */
  readonly split: (tabId: string, besideId: string | null, side: 'left' | 'right') => void;
  readonly step: (step: number) => void;
  readonly activatePane: (groupId: string) => void;
  /** Returns false at the edge. */
  readonly stepPane: (step: number) => boolean;
  readonly resizePane: (leftId: string, byShare: number) => void;
}

interface TabDependencies {
  readonly engine: EngineClient;
  readonly store: Store<WorkbenchState>;
  readonly preferences: Pick<PreferencesStore, 'get'>;
  readonly clients: StartClients;
}

const MAX_CLOSED = 20;

const seedOf = (seed: Parameters<TabActions['compare']>[0]): CompareSeed => ({
  name: null,
  experimentId: null,
  document: null,
  ...seed,
});

export function createTabActions({ engine, store, preferences, clients }: TabDependencies): TabActions {
  let lastTab = 0;
  /** What each tab was created from, by tab ID. */
  const plans = new Map<string, TabPlan>();
  const unread = new Set<string>();
  const planning = createTabPlans({ engine, store, preferences, clients });

  function arrange(layout: TabLayout, tabs = store.get().tabs): void {
    store.set({ tabs, layout, activeTab: activeTabOf(layout) });
    for (const { active } of layout.groups) read(active);
  }

  function read(tabId: string): void {
    if (!unread.delete(tabId)) return;
    const tab = store.get().tabs.find(({ id }) => id === tabId);
    const plan = plans.get(tabId);
    if (tab?.kind === 'compare') void tab.load();
    else void tab?.load(plan?.kind === 'profile' ? plan.format : null);
  }

  function make(plan: TabPlan): OpenTab {
    lastTab += 1;
    const tab = planning.make(`tab-${lastTab}`, plan);
    plans.set(tab.id, plan);
    unread.add(tab.id);
    return tab;
  }

  function add(tab: OpenTab): void {
    arrange(addTab(store.get().layout, tab.id), [...store.get().tabs, tab]);
  }

  function makeProfile(source: TabSource, origin: FileOrigin, views: SessionTab['views'] = null): OpenTab {
    const tab = make({ kind: 'profile', source, origin, format: null, views });
    if (tab.kind === 'profile') compareColumnsOf(tab);
    return tab;
  }

  /** Opens a comparison once the file is read and has two counts per line, which are *before* and *after*. */
  function compareColumnsOf(tab: ProfileTab): void {
    const stop = tab.store.subscribe(() => {
      const { profile, phase } = tab.store.get();
      if (profile === null || phase !== 'ready') return;
      stop();
      const [before, after] = profile.valueTypes;
      if (before === undefined || after === undefined || !hasTwoColumns(profile.metadata.format, profile.valueTypes)) {
        return;
      }
      const { fileName } = tab.source;
      const input = tabInput(tab);
      compare({ name: fileName, before: [input], after: [input], valueTypes: { before, after } });
    });
  }

  const compare: TabActions['compare'] = (seed) => {
    add(make({ kind: 'compare', seed: seedOf(seed) }));
  };

  const compareAside: TabActions['compareAside'] = (seed) => planning.makeComparison('aside', seedOf(seed));

  const tabInput: TabActions['tabInput'] = (tab) => {
    const origin = originOf(tab, plans.get(tab.id));
    const { format } = tab.store.get();
    if (origin.kind === 'capture') return { ...planning.captureInput(origin.id, tab.source.fileName), format };
    return { source: tab.source, origin, requests: null, format };
  };

  function activate(tabId: string): void {
    arrange(activateTab(store.get().layout, tabId));
  }

  async function planLive(id: string, title: string): Promise<TabPlan> {
    const { createLiveSource } = await loadPart(() => import('../live/control.ts'));
    const { source, control } = createLiveSource(engine, id, title);
    return { kind: 'profile', source, live: control, origin: { kind: 'live', id }, format: null, views: null };
  }

  function findOpen(isIt: (origin: FileOrigin) => boolean): OpenTab | undefined {
    return store.get().tabs.find((tab) => tab.kind === 'profile' && isIt(originOf(tab, plans.get(tab.id))));
  }

  function close(tabId: string): void {
    const { tabs, layout, closed } = store.get();
    const tab = tabs.find(({ id }) => id === tabId);
    const group = tabGroupOf(layout, tabId);
    if (tab === undefined || group === null) return;
    const plan = planning.planOf(tab, plans.get(tabId)!);
    tab.dispose();
    plans.delete(tabId);
    unread.delete(tabId);
    store.set({ closed: [...closed, { plan, group: group.id, index: group.tabs.indexOf(tabId) }].slice(-MAX_CLOSED) });
    arrange(
      removeTab(layout, tabId),
      tabs.filter(({ id }) => id !== tabId),
    );
  }

  const openFile = (file: File): void => add(makeProfile(pageFileSource(file), { kind: 'dropped' }));

  const fileInput = (file: File): CompareInput => ({
    source: pageFileSource(file),
    origin: { kind: 'dropped' },
    requests: null,
  });

  const openPage = async (file: File): Promise<void> => {
    const part = await loadPart(() => import('./open-page.ts'));
    return part.openPage(file, { compare, fileInput, openFile, lastTab: () => store.get().tabs.at(-1) });
  };

  return {
    openFiles: (files) => {
      for (const file of files) {
        if (/\.html?$/i.test(file.name)) void openPage(file);
        else openFile(file);
      }
    },
    openHandles: (handles, views = null) => {
      for (const file of handles) {
        const open =
          views !== null ? undefined : findOpen((origin) => origin.kind === 'recent' && origin.id === file.recentId);
        if (open !== undefined) activate(open.id);
        else {
          const source = planning.recentSource(file.recentId, file.fileName, file);
          add(makeProfile(source, { kind: 'recent', id: file.recentId }, views));
        }
      }
    },
    openCaptures: (captures, views = null, again = false) => {
      const made: OpenTab[] = [];
      let { layout } = store.get();
      for (const { id, fileName } of captures) {
        const isIt = (origin: FileOrigin): boolean => origin.kind === 'capture' && origin.id === id;
        const open = again || views !== null ? undefined : findOpen(isIt);
        if (open !== undefined) {
          layout = activateTab(layout, open.id);
          continue;
        }
        const { source, origin } = planning.captureInput(id, fileName);
        const tab = makeProfile(source, origin, views);
        made.push(tab);
        layout = addTab(layout, tab.id);
      }
      arrange(layout, [...store.get().tabs, ...made]);
    },
    openCopy: (tabId, about) => {
      const tab = store.get().tabs.find(({ id }) => id === tabId);
      const plan = tab === undefined ? undefined : plans.get(tabId);
      if (tab === undefined || plan === undefined || (tab.kind === 'profile' && tab.live !== null)) return null;
      const copy = make({ ...planning.planOf(tab, plan), about });
      add(copy);
      return copy;
    },
    openLive: async (id, title) => add(make(await planLive(id, title))),
    compare,
    compareAside,
    captureInput: planning.captureInput,
    fileInput,
    handleInput: (file) => ({
      source: planning.recentSource(file.recentId, file.fileName, file),
      origin: { kind: 'recent', id: file.recentId },
      requests: null,
    }),
    tabInput,
    restore: async (session) => {
      const made = new Map<string, OpenTab>();
      for (const kept of session.tabs) {
        const { source, fileName } = kept;
        const plan = source.kind === 'live' ? await planLive(source.id, fileName) : await planning.fromSession(kept);
        if (plan === null) continue;
        const tab = make(plan);
        tab.notes.restore(kept.notes ?? []);
        made.set(kept.id, tab);
      }
      // Tabs opened while the session was loading stay active.
      const { tabs: open } = store.get();
      const layout = open.reduce((arranged, { id }) => addTab(arranged, id), restoredLayout(session, made));
      arrange(layout, [...open, ...made.values()]);
    },
    save: () => savedSession(store.get(), (tab) => planning.toSession(tab, plans.get(tab.id)!)),
    activate,
    close,
    closeOthers: (tabId) => {
      const group = tabGroupOf(store.get().layout, tabId);
      for (const other of group?.tabs ?? []) if (other !== tabId) close(other);
      activate(tabId);
    },
    reopen: () => {
      const { closed, layout, tabs } = store.get();
      const last = closed.at(-1);
      if (last === undefined) return;
      store.set({ closed: closed.slice(0, -1) });
      const tab = make(last.plan);
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
      arrange(splitTab(layout, tabId, besideId ?? tabGroupOf(layout, tabId)?.id ?? '', side));
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

function restoredLayout(session: Session, made: ReadonlyMap<string, OpenTab>): TabLayout {
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

function savedSession({ tabs, layout }: WorkbenchState, toSession: (tab: OpenTab) => Session['tabs'][number]): Session {
  return {
    tabs: tabs.map(toSession),
    groups: layout.groups.map(({ tabs: ids, active, share }) => ({ tabs: [...ids], active, share })),
    activeGroup: Math.max(
      0,
      layout.groups.findIndex(({ id }) => id === layout.activeGroup),
    ),
  };
}
