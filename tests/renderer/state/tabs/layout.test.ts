import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  activateGroup,
  activateTab,
  activeTabOf,
  addTab,
  EMPTY_LAYOUT,
  groupBeside,
  MAX_GROUPS,
  moveTab,
  removeTab,
  resizeGroups,
  splitTab,
  tabBeside,
} from '../../../../renderer/state/tabs/layout.ts';
import type { TabLayout } from '../../../../renderer/state/tabs/layout.ts';

/** Returns `a b* | c*`: the tabs of each pane, with a star after the active one. */
const shown = ({ groups }: TabLayout): string =>
  groups.map(({ tabs, active }) => tabs.map((tab) => (tab === active ? `${tab}*` : tab)).join(' ')).join(' | ');

const three = ['a', 'b', 'c'].reduce(addTab, EMPTY_LAYOUT);

describe('the layout of tabs', () => {
  it('appends and activates a tab', () => {
    expect(shown(three)).toBe('a b c*');
    expect(activeTabOf(three)).toBe('c');
  });

  it('activates the neighbour of a removed tab', () => {
    expect(shown(removeTab(activateTab(three, 'b'), 'b'))).toBe('a c*');
    expect(shown(removeTab(three, 'c'))).toBe('a b*');
    expect(shown(removeTab(three, 'a'))).toBe('b c*');
    expect(['a', 'b', 'c'].reduce(removeTab, three)).toEqual(EMPTY_LAYOUT);
  });

  it('splits to either side and halves the width', () => {
    const right = splitTab(three, 'c', 'pane-1', 'right');
    expect(shown(right)).toBe('a b* | c*');
    expect(right.groups.map(({ share }) => share)).toEqual([0.5, 0.5]);
    expect(right.activeGroup).toBe('pane-2');
    expect(shown(splitTab(right, 'a', 'pane-1', 'left'))).toBe('a* | b* | c*');
    expect(shown(splitTab(right, 'c', 'pane-1', 'left'))).toBe('c* | a b*');
  });

  it('ignores a tab that is alone in its pane', () => {
    const one = addTab(EMPTY_LAYOUT, 'a');
    expect(splitTab(one, 'a', 'pane-1', 'right')).toBe(one);
  });

  it('moves within a pane and between panes', () => {
    expect(shown(moveTab(three, 'a', 'pane-1', 3))).toBe('b c a*');
    expect(shown(moveTab(three, 'c', 'pane-1', 0))).toBe('c* a b');
    const two = splitTab(three, 'c', 'pane-1', 'right');
    expect(shown(moveTab(two, 'a', 'pane-2', 0))).toBe('b* | a* c');
    const back = moveTab(two, 'c', 'pane-1', 1);
    expect(shown(back)).toBe('a c* b');
    expect(back.groups[0]?.share).toBe(1);
  });

  it('cycles through tabs, and moves through panes to the edge', () => {
    const two = splitTab(three, 'c', 'pane-1', 'right');
    expect(tabBeside(activateTab(two, 'b'), 1)).toBe('a');
    expect(tabBeside(activateTab(two, 'a'), -1)).toBe('b');
    expect(groupBeside(two, 1)).toBeNull();
    expect(groupBeside(two, -1)?.id).toBe('pane-1');
  });

  it('resizes two neighbours only, down to a readable width', () => {
    const two = splitTab(three, 'c', 'pane-1', 'right');
    const [left, right] = resizeGroups(two, 'pane-1', 0.2).groups;
    expect([left?.share, right?.share].map((share) => share?.toFixed(3))).toEqual(['0.700', '0.300']);
    expect(resizeGroups(two, 'pane-1', -3).groups[0]?.share).toBeCloseTo(0.12);
    expect(resizeGroups(two, 'pane-2', 0.2)).toBe(two);
  });

  it('stays consistent under any actions', () => {
    const tab = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    const pane = fc.constantFrom('pane-1', 'pane-2', 'pane-3', 'pane-4', 'pane-5');
    const action = fc.oneof(
      tab.map(
        (one) => (layout: TabLayout) =>
          layout.groups.some(({ tabs }) => tabs.includes(one)) ? layout : addTab(layout, one),
      ),
      tab.map((one) => (layout: TabLayout) => removeTab(layout, one)),
      tab.map((one) => (layout: TabLayout) => activateTab(layout, one)),
      pane.map((one) => (layout: TabLayout) => activateGroup(layout, one)),
      fc.tuple(tab, pane, fc.nat(7)).map(
        ([one, to, at]) =>
          (layout: TabLayout) =>
            moveTab(layout, one, to, at),
      ),
      fc.tuple(tab, pane, fc.constantFrom('left' as const, 'right' as const)).map(
        ([one, to, side]) =>
          (layout: TabLayout) =>
            splitTab(layout, one, to, side),
      ),
      fc.tuple(pane, fc.double({ min: -1, max: 1, noNaN: true })).map(
        ([one, by]) =>
          (layout: TabLayout) =>
            resizeGroups(layout, one, by),
      ),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const layout = actions.reduce((now, act) => act(now), EMPTY_LAYOUT);
        const tabs = layout.groups.flatMap((group) => [...group.tabs]);
        expect(new Set(tabs).size).toBe(tabs.length);
        expect(layout.groups.length).toBeLessThanOrEqual(MAX_GROUPS);
        expect(new Set(layout.groups.map(({ id }) => id)).size).toBe(layout.groups.length);
        for (const group of layout.groups) expect(group.tabs).toContain(group.active);
        if (layout.groups.length === 0) expect(layout.activeGroup).toBeNull();
        else {
          expect(layout.groups.map(({ id }) => id)).toContain(layout.activeGroup);
          expect(layout.groups.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
          for (const { share } of layout.groups) expect(share).toBeGreaterThan(0);
        }
      }),
    );
  });
});
