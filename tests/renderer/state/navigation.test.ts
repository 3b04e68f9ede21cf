import { expect, test } from 'vitest';
import { createNavigation } from '../../../renderer/state/navigation.ts';
import { createStore } from '../../../renderer/state/store.ts';
import type { WorkbenchState } from '../../../renderer/state/workbench-state.ts';

/** A profile tab with one view, whose zoom is `zoom`. */
function tabOf(id: string) {
  const view = createStore({ analysis: { revision: 1 }, zoomNode: 0 });
  const activeView = { id: 1, store: view, zoom: (zoomNode: number) => view.set({ zoomNode }) };
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
  tabs[0]!.view.set({ analysis: { revision: 2 }, zoomNode: 9 });
  expect([go(-1), here()]).toEqual([true, 'a9']);
  expect(go(-1)).toBe(false);
});
