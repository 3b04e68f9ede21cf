import type { Store } from '../store.ts';
import {
  activateGroup,
  activeGroupOf,
  groupBeside,
  moveTab,
  resizeGroups,
  splitTab,
  tabBeside,
  tabGroupOf,
  type TabLayout,
} from '../tabs/layout.ts';

/** What moves tabs and panes. */
export interface PaneActions {
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

interface PaneNeeds {
  readonly store: Store<{ readonly layout: TabLayout }>;
  /** Shows another layout of the same tabs. */
  readonly arrange: (layout: TabLayout) => void;
  readonly activate: (tabId: string) => void;
}

export function createPaneActions({ store, arrange, activate }: PaneNeeds): PaneActions {
  return {
    move: (tabId, groupId, index) => arrange(moveTab(store.get().layout, tabId, groupId, index)),
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
    resizePane: (leftId, byShare) => store.set({ layout: resizeGroups(store.get().layout, leftId, byShare) }),
  };
}
