/** The tabs of one pane; never empty. */
export interface TabGroup {
  readonly id: string;
  readonly tabs: readonly string[];
  /** Contained in `tabs`. */
  readonly active: string;
  /** Share of the total width; the shares of a layout add up to 1. */
  readonly share: number;
}

/** The tabs by pane; each tab is in exactly one. Panes are ordered from left to right. */
export interface TabLayout {
  readonly groups: readonly TabGroup[];
  /** Null if there is no pane. */
  readonly activeGroup: string | null;
}

export const EMPTY_LAYOUT: TabLayout = { groups: [], activeGroup: null };

/** Maximum number of panes; more would be too narrow to read. */
export const MAX_GROUPS = 4;
/** Minimum share of the total width. */
const MIN_SHARE = 0.12;

export const tabGroupOf = (layout: TabLayout, tab: string): TabGroup | null =>
  layout.groups.find(({ tabs }) => tabs.includes(tab)) ?? null;

export const activeGroupOf = (layout: TabLayout): TabGroup | null =>
  layout.groups.find(({ id }) => id === layout.activeGroup) ?? null;

/** Returns the active tab of the focused pane. */
export const activeTabOf = (layout: TabLayout): string | null => activeGroupOf(layout)?.active ?? null;

/** Appends a tab to the focused pane and activates it. */
export function addTab(layout: TabLayout, tab: string): TabLayout {
  const group = activeGroupOf(layout);
  if (group === null) {
    const id = nextId(layout);
    return { groups: [{ id, tabs: [tab], active: tab, share: 1 }], activeGroup: id };
  }
  return replace(layout, { ...group, tabs: [...group.tabs, tab], active: tab });
}

/**
 * Removes a tab. If it was active, its neighbour becomes active; an empty pane is removed and its neighbour gets its
 * width.
 */
export function removeTab(layout: TabLayout, tab: string): TabLayout {
  const group = tabGroupOf(layout, tab);
  if (group === null) return layout;
  const at = group.tabs.indexOf(tab);
  const tabs = group.tabs.filter((one) => one !== tab);
  const neighbour = tabs[Math.min(at, tabs.length - 1)];
  if (neighbour === undefined) return removeGroup(layout, group);
  return replace(layout, { ...group, tabs, active: group.active === tab ? neighbour : group.active });
}

export function activateTab(layout: TabLayout, tab: string): TabLayout {
  const group = tabGroupOf(layout, tab);
  if (group === null) return layout;
  if (group.active === tab && layout.activeGroup === group.id) return layout;
  return { ...replace(layout, { ...group, active: tab }), activeGroup: group.id };
}

export function activateGroup(layout: TabLayout, id: string): TabLayout {
  const known = layout.groups.some((group) => group.id === id);
  return known && layout.activeGroup !== id ? { ...layout, activeGroup: id } : layout;
}

/** Moves a tab before the `index`-th of a pane's current tabs, and activates it. */
export function moveTab(layout: TabLayout, tab: string, groupId: string, index: number): TabLayout {
  const from = tabGroupOf(layout, tab);
  const to = layout.groups.find(({ id }) => id === groupId);
  if (from === null || to === undefined) return layout;
  const before = to.tabs.slice(0, index).filter((one) => one !== tab);
  const after = to.tabs.slice(index).filter((one) => one !== tab);
  const target = { ...to, tabs: [...before, tab, ...after], active: tab };
  const without = from.id === to.id ? layout : removeTab(layout, tab);
  // Removing the tab's old pane may have changed the width.
  const share = without.groups.find(({ id }) => id === to.id)?.share ?? to.share;
  return { ...replace(without, { ...target, share }), activeGroup: to.id };
}

/**
 * Moves a tab to a new pane next to another one, taking half of its width. Returns the layout unchanged if the tab has
 * such a pane already, or if there are too many.
 */
export function splitTab(layout: TabLayout, tab: string, besideId: string, side: 'left' | 'right'): TabLayout {
  const from = tabGroupOf(layout, tab);
  const beside = layout.groups.find(({ id }) => id === besideId);
  if (from === null || beside === undefined) return layout;
  const alone = from.tabs.length === 1;
  if (alone && from.id === besideId) return layout;
  if (!alone && layout.groups.length >= MAX_GROUPS) return layout;
  const id = nextId(layout);
  const { groups } = removeTab(layout, tab);
  const at = groups.findIndex((group) => group.id === besideId);
  const halved = { ...groups[at]!, share: groups[at]!.share / 2 };
  const own = { id, tabs: [tab], active: tab, share: halved.share };
  const pair = side === 'left' ? [own, halved] : [halved, own];
  return { groups: [...groups.slice(0, at), ...pair, ...groups.slice(at + 1)], activeGroup: id };
}

/** Moves the border between a pane and its right neighbour by a share of the total width. */
export function resizeGroups(layout: TabLayout, leftId: string, by: number): TabLayout {
  const at = layout.groups.findIndex(({ id }) => id === leftId);
  const [left, right] = [layout.groups[at], layout.groups[at + 1]];
  if (left === undefined || right === undefined) return layout;
  const both = left.share + right.share;
  const least = Math.min(MIN_SHARE, both / 2);
  const share = Math.max(least, Math.min(both - least, left.share + by));
  return replace(replace(layout, { ...left, share }), { ...right, share: both - share });
}

/** Returns the tab `step` tabs further in the focused pane, wrapping around. */
export function tabBeside(layout: TabLayout, step: number): string | null {
  const group = activeGroupOf(layout);
  if (group === null) return null;
  const { tabs } = group;
  return tabs[(tabs.indexOf(group.active) + step + tabs.length) % tabs.length] ?? null;
}

/** Returns the pane `step` panes further to the right; null at the edge. */
export function groupBeside(layout: TabLayout, step: number): TabGroup | null {
  const at = layout.groups.findIndex(({ id }) => id === layout.activeGroup);
  return layout.groups[at + step] ?? null;
}

function replace(layout: TabLayout, changed: TabGroup): TabLayout {
  return { ...layout, groups: layout.groups.map((group) => (group.id === changed.id ? changed : group)) };
}

function removeGroup(layout: TabLayout, gone: TabGroup): TabLayout {
  const at = layout.groups.indexOf(gone);
  const heir = layout.groups[at - 1] ?? layout.groups[at + 1];
  if (heir === undefined) return EMPTY_LAYOUT;
  const groups = layout.groups.flatMap((group) => {
    if (group === gone) return [];
    return group === heir ? [{ ...group, share: group.share + gone.share }] : [group];
  });
  return { groups, activeGroup: layout.activeGroup === gone.id ? heir.id : layout.activeGroup };
}

function nextId({ groups }: TabLayout): string {
  const used = groups.map(({ id }) => Number(id.slice('pane-'.length)));
  return `pane-${Math.max(0, ...used) + 1}`;
}
