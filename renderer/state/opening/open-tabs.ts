import type { FileOrigin } from '#core/contract/session.ts';
import type { Store } from '../store.ts';
import { activateTab, activeTabOf, addTab, moveTab, removeTab, tabGroupOf, type TabLayout } from '../tabs/layout.ts';
import type { OpenTab } from '../tabs/open-tab.ts';
import type { TabPlan, WorkbenchState } from '../workbench-state.ts';
import { originOf, type TabPlans } from './plans.ts';

/** The open tabs: what each was created from, and which are still to be read. */
export interface OpenTabs {
  /** Creates a tab, which {@link add} or {@link arrange} shows. */
  readonly make: (plan: TabPlan) => OpenTab;
  readonly add: (tab: OpenTab) => void;
  /** Shows a layout, of other tabs if given, and reads the active ones. */
  readonly arrange: (layout: TabLayout, tabs?: readonly OpenTab[]) => void;
  /** Returns what a tab was created from. */
  readonly planOf: (tabId: string) => TabPlan | undefined;
  /** Returns the open profile of an origin. */
  readonly find: (isIt: (origin: FileOrigin) => boolean) => OpenTab | undefined;
  readonly activate: (tabId: string) => void;
  readonly close: (tabId: string) => void;
  readonly closeOthers: (tabId: string) => void;
  /** Reopens the tab that was closed last, at its former position. */
  readonly reopen: () => void;
}

const MAX_CLOSED = 20;

/** A load that runs goes on without its tab, or is stopped: the user decides before the tab is closed. */
export function createOpenTabs(store: Store<WorkbenchState>, planning: Pick<TabPlans, 'make' | 'planOf'>): OpenTabs {
  let lastTab = 0;
  /** What each tab was created from, by tab ID. */
  const plans = new Map<string, TabPlan>();
  const unread = new Set<string>();

  function arrange(layout: TabLayout, tabs = store.get().tabs): void {
    store.set({ tabs, layout, activeTab: activeTabOf(layout) });
    for (const { active } of layout.groups) read(active);
  }

  function read(tabId: string): void {
    if (!unread.delete(tabId)) return;
    const tab = store.get().tabs.find(({ id }) => id === tabId);
    const plan = plans.get(tabId);
    if (tab === undefined || tab.kind === 'load') return;
    if (tab.kind === 'compare') void tab.load();
    else void tab.load(plan?.kind === 'profile' ? plan.format : null);
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

  function activate(tabId: string): void {
    arrange(activateTab(store.get().layout, tabId));
  }

  function find(isIt: (origin: FileOrigin) => boolean): OpenTab | undefined {
    return store.get().tabs.find((tab) => tab.kind === 'profile' && isIt(originOf(tab, plans.get(tab.id))));
  }

  function close(tabId: string): void {
    const tab = store.get().tabs.find(({ id }) => id === tabId);
    if (tab?.kind !== 'load' || tab.store.get().running === null) remove(tabId);
    else store.set({ dialog: { kind: 'close-load', tab, close: () => remove(tabId) } });
  }

  function remove(tabId: string): void {
    const { tabs, layout, closed } = store.get();
    const tab = tabs.find(({ id }) => id === tabId);
    const group = tabGroupOf(layout, tabId);
    if (tab === undefined || group === null) return;
    const plan = planning.planOf(tab, plans.get(tabId)!);
    if (tab.kind !== 'load') tab.dispose();
    plans.delete(tabId);
    unread.delete(tabId);
    store.set({ closed: [...closed, { plan, group: group.id, index: group.tabs.indexOf(tabId) }].slice(-MAX_CLOSED) });
    arrange(
      removeTab(layout, tabId),
      tabs.filter(({ id }) => id !== tabId),
    );
  }

  return {
    make,
    add,
    arrange,
    planOf: (tabId) => plans.get(tabId),
    find,
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
  };
}
