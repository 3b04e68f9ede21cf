import { expect, test } from 'vitest';
import { createNavigation } from '../../../renderer/state/navigation.ts';
import { NO_RANGES } from '../../../renderer/state/kept-ranges.ts';
import { createStore } from '../../../renderer/state/store.ts';
import type { HeldRange, RangeChange } from '../../../renderer/ui/flame/use-zoom.ts';
import type { WorkbenchState } from '../../../renderer/state/workbench-state.ts';

/** The node of a path in an analysis; analyses number nodes differently. */
const nodeOf = ([name]: readonly string[], revision: number): number =>
  name === undefined ? 0 : Number(name.slice(1)) + (revision - 1) * 10;

/** A profile tab with one view, whose zoom is `zoom`. */
function tabOf(id: string) {
  const first = { lineage: {}, revision: 1 };
  const view = createStore({ analysis: first, zoomNode: 0, zoomPath: [] as readonly string[] });
  const activeView = {
    id: 1,
    store: view,
    ranges: createStore(NO_RANGES),
    lineage: () => view.get().analysis.lineage,
    zoom(zoomNode: number) {
      view.set({ zoomNode });
      view.set({ zoomPath: zoomNode === 0 ? [] : [`f${zoomNode % 10}`] });
    },
    zoomTo(zoomPath: readonly string[]) {
      view.set({ zoomPath });
      return Promise.resolve().then(() => view.set({ zoomNode: nodeOf(zoomPath, view.get().analysis.revision) }));
    },
  };
  return { id, kind: 'profile', store: createStore({ activeView }), zoom: activeView.zoom, view };
}

function windowOf(...ids: string[]) {
  const tabs = ids.map(tabOf);
  const store = createStore({ tabs, activeTab: null as string | null });
  const activate = (activeTab: string): void => store.set({ activeTab });
  const navigation = createNavigation(store as unknown as Parameters<typeof createNavigation>[0], { activate });
  const here = (): string => {
    const tab = store.get().tabs.find(({ id }) => id === store.get().activeTab);
    return `${tab?.id}${tab?.view.get().zoomNode}`;
  };
  return {
    ...navigation,
    store: store as unknown as { set(state: Partial<WorkbenchState>): void },
    tabs,
    activate,
    here,
  };
}

test('walks tabs and zooms back and forward, and stops at the ends', () => {
  const { go, tabs, activate, here } = windowOf('a', 'b');
  expect(go(-1)).toBe(false);
  activate('a');
  tabs[0]!.zoom(5);
  activate('b');
  tabs[1]!.zoom(7);
  const walked = [-1, -1, -1, -1, 1, 1, 1, 1].map((step) => [go(step as 1 | -1), here()]);
  expect(walked).toEqual([
    [true, 'b0'],
    [true, 'a5'],
    [true, 'a0'],
    [false, 'a0'],
    [true, 'a5'],
    [true, 'b0'],
    [true, 'b7'],
    [false, 'b7'],
  ]);
});

test('zooms of a comparison are part of the history', () => {
  const { go, tabs, activate, here, store } = windowOf('a', 'b');
  const [profile, other] = tabs;
  const { zoom, lineage, ranges } = other!.store.get().activeView;
  const comparison = { id: 'b', kind: 'compare', store: other!.view, view: other!.view, ranges, zoom, lineage };
  store.set({ tabs: [profile, comparison] as unknown as WorkbenchState['tabs'] });
  activate('a');
  activate('b');
  zoom(7);
  expect([go(-1), here()]).toEqual([true, 'b0']);
  expect([go(-1), here()]).toEqual([true, 'a0']);
  expect([go(1), here()]).toEqual([true, 'b0']);
  expect([go(1), here()]).toEqual([true, 'b7']);
});

test('a new step clears the steps ahead; closed tabs and zooms of other analyses are skipped', () => {
  const { go, tabs, activate, here, store } = windowOf('a', 'b', 'c');
  activate('a');
  tabs[0]!.zoom(3);
  tabs[0]!.zoom(4);
  expect([go(-1), here()]).toEqual([true, 'a3']);
  activate('b');
  expect(go(1)).toBe(false);
  activate('c');
  store.set({ tabs: [tabs[0], tabs[2]] as unknown as WorkbenchState['tabs'] });
  tabs[0]!.view.set({ analysis: { lineage: {}, revision: 2 }, zoomNode: 9 });
  expect([go(-1), here()]).toEqual([true, 'a9']);
  expect(go(-1)).toBe(false);
});

test('zooms stay in the history while a profile grows, by their paths', async () => {
  const { go, tabs, activate, here } = windowOf('a');
  activate('a');
  const { view } = tabs[0]!;
  const grow = (): void => {
    const { lineage, revision } = view.get().analysis;
    const next = { lineage, revision: revision + 1 };
    view.set({ analysis: next, zoomNode: nodeOf(view.get().zoomPath, next.revision) });
  };
  tabs[0]!.zoom(3);
  grow();
  tabs[0]!.zoom(14);
  grow();
  grow();
  expect(here()).toBe('a34');
  const walk = async (step: 1 | -1): Promise<unknown> => {
    const moved = go(step);
    await Promise.resolve();
    await Promise.resolve();
    return [moved, here()];
  };
  expect(await walk(-1)).toEqual([true, 'a33']);
  grow();
  expect(await walk(-1)).toEqual([true, 'a0']);
  expect(await walk(-1)).toEqual([false, 'a0']);
  grow();
  expect(await walk(1)).toEqual([true, 'a53']);
  expect(await walk(1)).toEqual([true, 'a54']);
  expect(await walk(1)).toEqual([false, 'a54']);
});

test('a tab that was loading has one place, and going back past it keeps the steps ahead', () => {
  const { go, tabs, activate, here } = windowOf('a', 'b');
  activate('a');
  const { store, view } = tabs[1]!;
  const { activeView } = store.get();
  const load = (isLoading: boolean): void =>
    store.set({ activeView: isLoading ? (null as unknown as typeof activeView) : activeView });
  load(true);
  activate('b');
  load(false);
  activeView.zoom(7);
  expect([go(-1), here(), go(-1), here()]).toEqual([true, 'b0', true, 'a0']);
  expect([go(1), here(), go(1), here()]).toEqual([true, 'b0', true, 'b7']);
  load(true);
  load(false);
  expect(view.get().zoomNode).toBe(7);
  expect([go(-1), here(), go(1), here()]).toEqual([true, 'b0', true, 'b7']);
});

test('goes back within a view only', () => {
  const { go, tabs, activate, here } = windowOf('a', 'b');
  const within = (tab: number) => tabs[tab]!.store.get().activeView as unknown as Parameters<typeof go>[1];
  activate('a');
  tabs[0]!.zoom(5);
  activate('b');
  tabs[1]!.zoom(7);
  expect([go(-1, within(1)), here()]).toEqual([true, 'b0']);
  expect([go(-1, within(1)), here()]).toEqual([false, 'b0']);
  expect([go(-1, within(0)), here()]).toEqual([true, 'a5']);
});

test('a zoomed part is a step; the rest of its gesture, updates and the way to another frame are none', () => {
  const { go, tabs, activate, here } = windowOf('a');
  activate('a');
  const [{ view, store, zoom }] = tabs as [ReturnType<typeof tabOf>];
  const { ranges } = store.get().activeView;
  const source = { revision: 1 } as HeldRange['source'];
  const look = (last: number | null, change: RangeChange = 'step', node = view.get().zoomNode): void => {
    const range = last === null ? null : { first: 0, last };
    ranges.set({ of: { tree: { source, node: node as HeldRange['node'], range } }, change });
  };
  const place = (): string => `${here()} ${ranges.get().of['tree']?.range?.last ?? 'all'}`;
  const walk = (...steps: (1 | -1)[]): string[] => steps.map((step) => (go(step) ? place() : 'end'));
  zoom(5);
  look(60);
  look(50, 'gesture');
  look(40);
  expect(walk(-1, -1, -1, -1)).toEqual(['a5 50', 'a5 all', 'a0 all', 'end']);
  expect(walk(1, 1, 1, 1)).toEqual(['a5 all', 'a5 50', 'a5 40', 'end']);
  look(null);
  look(30, 'zoom', 0);
  zoom(0);
  expect(place()).toBe('a0 30');
  expect(walk(-1, -1, 1, 1)).toEqual(['a5 all', 'a5 40', 'a5 all', 'a0 30']);
  view.set({ analysis: { ...view.get().analysis, revision: 2 } });
  view.set({ analysis: { ...view.get().analysis, revision: 3 } });
  expect(walk(1)).toEqual(['end']);
});
