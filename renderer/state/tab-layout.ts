/** The tabs of one pane. Never empty. */
export interface TabGroup {
  readonly id: string;
  readonly tabs: readonly string[];
  /** One of `tabs`. */
  readonly active: string;
  /** Of the width of all panes; the shares of a layout add up to 1. */
  readonly share: number;
}

/** Which tabs are where: each in one pane. Panes lie side by side, left to right. */
export interface TabLayout {
  readonly groups: readonly TabGroup[];
  /** Null where there is no pane. */
  readonly activeGroup: string | null;
}

export const EMPTY_LAYOUT: TabLayout = { groups: [], activeGroup: null };

/** More are too narrow to read. */
export const MAX_GROUPS = 4;
/** Of the width of all panes. */
const MIN_SHARE = 0.12;

export const groupOf = (layout: TabLayout, tab: string): TabGroup | null =>
  layout.groups.find(({ tabs }) => tabs.includes(tab)) ?? null;

export const activeGroupOf = (layout: TabLayout): TabGroup | null =>
  layout.groups.find(({ id }) => id === layout.activeGroup) ?? null;

/** The tab in front of the pane that has the focus. */
export const activeTabOf = (layout: TabLayout): string | null => activeGroupOf(layout)?.active ?? null;

/** Adds a tab at the end of the pane that has the focus, and brings it forward. */
export function addTab(layout: TabLayout, tab: string): TabLayout {
  const group = activeGroupOf(layout);
  if (group === null) {
    const id = nextId(layout);
    return { groups: [{ id, tabs: [tab], active: tab, share: 1 }], activeGroup: id };
  }
  return replace(layout, { ...group, tabs: [...group.tabs, tab], active: tab });
}

/** The neighbour takes the place of a tab that was in front; a pane without tabs goes, and its width to its neighbour. */
export function removeTab(layout: TabLayout, tab: string): TabLayout {
  const group = groupOf(layout, tab);
  if (group === null) return layout;
  const at = group.tabs.indexOf(tab);
  const tabs = group.tabs.filter((one) => one !== tab);
  const neighbour = tabs[Math.min(at, tabs.length - 1)];
  if (neighbour === undefined) return removeGroup(layout, group);
  return replace(layout, { ...group, tabs, active: group.active === tab ? neighbour : group.active });
}

export function activateTab(layout: TabLayout, tab: string): TabLayout {
  const group = groupOf(layout, tab);
  if (group === null) return layout;
  if (group.active === tab && layout.activeGroup === group.id) return layout;
  return { ...replace(layout, { ...group, active: tab }), activeGroup: group.id };
}

export function activateGroup(layout: TabLayout, id: string): TabLayout {
  const known = layout.groups.some((group) => group.id === id);
  return known && layout.activeGroup !== id ? { ...layout, activeGroup: id } : layout;
}

/** Puts a tab before the `index`-th of a pane's tabs as they are now, and brings it forward there. */
export function moveTab(layout: TabLayout, tab: string, groupId: string, index: number): TabLayout {
  const from = groupOf(layout, tab);
  const to = layout.groups.find(({ id }) => id === groupId);
  if (from === null || to === undefined) return layout;
  const before = to.tabs.slice(0, index).filter((one) => one !== tab);
  const after = to.tabs.slice(index).filter((one) => one !== tab);
  const target = { ...to, tabs: [...before, tab, ...after], active: tab };
  const without = from.id === to.id ? layout : removeTab(layout, tab);
  // The pane that was left may have given its width.
  const share = without.groups.find(({ id }) => id === to.id)?.share ?? to.share;
  return { ...replace(without, { ...target, share }), activeGroup: to.id };
}

/** Gives a tab a pane of its own beside another one, half as wide as that was. Unchanged where it has one there, or there are too many. */
export function splitTab(layout: TabLayout, tab: string, besideId: string, side: 'left' | 'right'): TabLayout {
  const from = groupOf(layout, tab);
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

/** Moves the line between a pane and the one to its right by a share of the whole width. */
export function resizeGroups(layout: TabLayout, leftId: string, by: number): TabLayout {
  const at = layout.groups.findIndex(({ id }) => id === leftId);
  const [left, right] = [layout.groups[at], layout.groups[at + 1]];
  if (left === undefined || right === undefined) return layout;
  const both = left.share + right.share;
  const least = Math.min(MIN_SHARE, both / 2);
  const share = Math.max(least, Math.min(both - least, left.share + by));
  return replace(replace(layout, { ...left, share }), { ...right, share: both - share });
}

/** The tab that is `step` tabs further in its pane, around the end. */
export function tabBeside(layout: TabLayout, step: number): string | null {
  const group = activeGroupOf(layout);
  if (group === null) return null;
  const { tabs } = group;
  return tabs[(tabs.indexOf(group.active) + step + tabs.length) % tabs.length] ?? null;
}

/** The pane that is `step` panes further to the right; null at the edge. */
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
