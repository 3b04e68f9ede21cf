import { OWN_TREE } from '../../../renderer/analysis/methods.ts';
import { describe, expect, it } from 'vitest';
import type { CallNodeIndex, ThreadIndex, ValueTypeIndex } from '#core/model/brand.ts';
import type { ProfileView } from '../../../renderer/state/profile/view.ts';
import { readPerfScript } from '../../support/perf-script-text.ts';
import { openTab, settled } from './open-tab.ts';

const total = (view: ProfileView): number | undefined => view.store.get().analysis?.total;
const zoomedInto = async (view: ProfileView): Promise<(string | undefined)[]> => {
  const { analysis, zoomNode } = view.store.get();
  const path = await view.client()!.call('path', { revision: analysis!.revision, tree: OWN_TREE, node: zoomNode });
  return path.map((entry) => entry.facts?.name);
};
const nodeOf = async (view: ProfileView, ...names: string[]): Promise<CallNodeIndex> => {
  const { analysis } = view.store.get();
  for (let node = 0 as CallNodeIndex; node < analysis!.treeLength; node++) {
    const path = await view.client()!.call('path', { revision: analysis!.revision, tree: OWN_TREE, node });
    if (path.map((entry) => entry.facts?.name ?? '').join() === ['', ...names].join()) return node;
  }
  throw new Error(`no such path: ${names.join()}`);
};

const TEXT = 'a;b;c 4\na;b;d 3\na;e 2\nf 1';

describe('undo and redo', () => {
  it('restore transforms and tree, and say whether they are possible', async () => {
    const { tab, view, hide } = await openTab(TEXT);
    expect(tab.store.get()).toMatchObject({ canUndo: false, canRedo: false });
    view.setTransforms([hide('e')]);
    view.setTree({ kind: 'bottom-up' });
    await settled(view);
    expect(total(view)).toBe(8);
    tab.undo();
    tab.undo();
    await settled(view);
    expect(total(view)).toBe(10);
    expect(view.store.get().analysis?.tree).toEqual({ kind: 'top-down' });
    expect(tab.store.get()).toMatchObject({ canUndo: false, canRedo: true });
    tab.redo();
    await settled(view);
    expect(total(view)).toBe(8);
    expect(view.store.get().tree).toEqual({ kind: 'top-down' });
  });
});

describe('undo', () => {
  const sampleOf = (thread: string, tid: number, second: number): string =>
    `${thread} 12/${tid} ${second}.000000: 1000000 cpu-clock: \n\t 55a01000 ${thread}+0x1 (/srv/app)\n\n`;

  it('restores the thread selection and the time range, one by one', async () => {
    const { tab, view } = await openTab(
      readPerfScript(sampleOf('web', 34, 1) + sampleOf('log', 35, 2) + sampleOf('web', 34, 3)),
    );
    const late = { start: 1.5e9, end: 2.5e9 };
    expect(total(view)).toBe(3e6);
    view.select({ threads: [0 as ThreadIndex] });
    await settled(view);
    expect(total(view)).toBe(2e6);
    view.select({ timeRange: late });
    await settled(view);
    expect(total(view)).toBe(1e6);
    tab.undo();
    await settled(view);
    expect(view.store.get().selection).toMatchObject({ threads: [0], timeRange: null });
    expect(total(view)).toBe(2e6);
    tab.undo();
    await settled(view);
    expect(view.store.get().selection).toMatchObject({ threads: null, timeRange: null });
    expect(total(view)).toBe(3e6);
    tab.redo();
    tab.redo();
    await settled(view);
    expect(view.store.get().selection).toMatchObject({ threads: [0], timeRange: late });
    expect(total(view)).toBe(1e6);
  });
});

describe('committed ranges', () => {
  const outer = { start: 1e9, end: 3e9 };
  const inner = { start: 2e9, end: 3e9 };

  it('are undone like any choice, and shared by linked views', async () => {
    const { tab, view } = await openTab(TEXT);
    const beside = tab.splitView()!;
    view.select({ timeRange: outer });
    view.commitTime({ committed: [outer], timeRange: outer });
    view.select({ timeRange: inner });
    expect(beside.store.get()).toMatchObject({ committed: [outer], selection: { timeRange: inner } });
    view.select({ timeRange: null });
    expect(beside.store.get()).toMatchObject({ committed: [outer], selection: { timeRange: outer } });
    view.commitTime({ committed: [], timeRange: null });
    expect(beside.store.get()).toMatchObject({ committed: [], selection: { timeRange: null } });
    tab.undo();
    for (const one of [view, beside]) {
      expect(one.store.get()).toMatchObject({ committed: [outer], selection: { timeRange: outer } });
    }
    tab.redo();
    expect(view.store.get()).toMatchObject({ committed: [], selection: { timeRange: null } });
    await settled(view);
    await settled(beside);
  });

  it('are left if a range outside them is selected', async () => {
    const { view } = await openTab(TEXT);
    view.commitTime({ committed: [inner], timeRange: inner });
    view.select({ timeRange: outer });
    expect(view.store.get()).toMatchObject({ committed: [], selection: { timeRange: outer } });
    await settled(view);
  });
});

describe('a place is kept through an analysis', () => {
  it('by names, as far as the tree has it, and is restored', async () => {
    const { tab, view, hide } = await openTab(TEXT);
    view.zoom(await nodeOf(view, 'a', 'b', 'c'));
    view.setTransforms([hide('e')]);
    await settled(view);
    expect(await zoomedInto(view)).toEqual([undefined, 'a', 'b', 'c']);
    view.setTransforms([hide('c')]);
    await settled(view);
    expect(await zoomedInto(view)).toEqual([undefined, 'a', 'b']);
    tab.undo();
    await settled(view);
    expect(await zoomedInto(view)).toEqual([undefined, 'a', 'b', 'c']);
  });

  it('separately for each tree', async () => {
    const { view } = await openTab(TEXT);
    view.zoom(await nodeOf(view, 'a', 'b'));
    view.setTree({ kind: 'bottom-up' });
    await settled(view);
    expect(await zoomedInto(view)).toEqual([undefined]);
    view.zoom(await nodeOf(view, 'c', 'b'));
    view.setTree({ kind: 'top-down' });
    await settled(view);
    expect(await zoomedInto(view)).toEqual([undefined, 'a', 'b']);
    view.setTree({ kind: 'bottom-up' });
    await settled(view);
    expect(await zoomedInto(view)).toEqual([undefined, 'c', 'b']);
  });

  it('when the order of siblings changes, which undo reverts', async () => {
    const { tab, view, func } = await openTab(TEXT);
    view.setTree({ siblings: 'weight' });
    expect(tab.store.get()).toMatchObject({ canUndo: true });
    view.setTree({ kind: 'bottom-up' });
    expect(view.store.get().tree).toEqual({ kind: 'bottom-up', siblings: 'weight' });
    tab.undo();
    await settled(view);
    view.zoom(await nodeOf(view, 'a', 'b'));
    view.pick({ func: func('d'), node: await nodeOf(view, 'a', 'b', 'd') });
    await settled(view);
    tab.undo();
    await settled(view);
    expect(view.store.get().analysis?.tree).toEqual({ kind: 'top-down' });
    expect(await zoomedInto(view)).toEqual([undefined, 'a', 'b']);
    expect(view.store.get().picked?.node).toBe(await nodeOf(view, 'a', 'b', 'd'));
    tab.redo();
    await settled(view);
    expect(view.store.get().analysis?.tree).toEqual({ kind: 'top-down', siblings: 'weight' });
    expect(await zoomedInto(view)).toEqual([undefined, 'a', 'b']);
  });

  it('as the selection, with its row', async () => {
    const { view, hide, func } = await openTab(TEXT);
    view.pick({ func: func('d'), node: await nodeOf(view, 'a', 'b', 'd') });
    await settled(view);
    view.setTransforms([hide('c')]);
    await settled(view);
    const { picked, analysis, details } = view.store.get();
    expect(picked).toEqual({
      func: func('d'),
      node: await nodeOf(view, 'a', 'b', 'd'),
      revision: analysis!.revision,
    });
    expect(details?.exactStack).toBe(true);
  });
});

describe('cancelling', () => {
  it('reverts to the analysis on screen immediately, which still answers', async () => {
    const { view, hide } = await openTab(TEXT);
    const before = view.store.get().analysis!;
    view.setTransforms([hide('e')]);
    expect(view.store.get().analysing).toBe(true);
    view.cancel();
    expect(view.store.get()).toMatchObject({ analysing: false, transforms: [] });
    await settled(view);
    expect(view.store.get().analysis!.total).toBe(before.total);
    // If the worker had already left the analysis on screen, it makes it again.
    const rootPath = (): Promise<unknown> => {
      const { revision } = view.store.get().analysis!;
      return view.client()!.call('path', { revision, tree: OWN_TREE, node: 0 as CallNodeIndex });
    };
    await expect.poll(rootPath).toHaveLength(1);
  });
});

describe('views side by side', () => {
  it('copy the view that was split, and follow each other if linked', async () => {
    const { tab, view, hide, func } = await openTab(TEXT);
    view.setSearch('d');
    const beside = tab.splitView()!;
    await settled(view);
    await settled(beside);
    expect(tab.store.get()).toMatchObject({ activeView: beside, shares: [0.5, 0.5] });
    view.setTransforms([hide('e')]);
    view.pick({ func: func('d'), node: null });
    await settled(view);
    await settled(beside);
    expect([total(view), total(beside)]).toEqual([8, 8]);
    expect(beside.store.get().picked?.func).toBe(func('d'));
    expect(beside.store.get().search).toMatchObject({ status: 'matched', matches: { weight: 3 } });
    tab.linkView(beside, false);
    view.setTransforms([]);
    await settled(view);
    expect([total(view), total(beside)]).toEqual([10, 8]);
    tab.linkView(beside, true);
    await settled(beside);
    expect(total(beside)).toBe(10);
    tab.undo();
    await settled(beside);
    expect(total(beside)).toBe(8);
  });

  it('undo together, including one that did not exist then', async () => {
    const { tab, view, hide } = await openTab(TEXT);
    view.setTransforms([hide('e')]);
    const beside = tab.splitView()!;
    tab.undo();
    await settled(view);
    await settled(beside);
    expect([total(view), total(beside)]).toEqual([10, 10]);
    expect(tab.store.get().canUndo).toBe(false);
    tab.redo();
    await settled(beside);
    expect([total(view), total(beside)]).toEqual([8, 8]);
  });

  it('are at most four, resized and closed; the last one stays', async () => {
    const { tab, view } = await openTab(TEXT);
    const second = tab.splitView()!;
    tab.splitView();
    tab.splitView();
    expect(tab.splitView()).toBeNull();
    expect(tab.store.get().views).toHaveLength(4);
    tab.resizeView(0, 0.99);
    const { shares } = tab.store.get();
    expect(shares.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1);
    expect(Math.min(...shares)).toBeGreaterThan(0.05);
    for (const one of tab.store.get().views) if (one !== second) tab.closeView(one);
    tab.closeView(second);
    expect(tab.store.get()).toMatchObject({ views: [second], activeView: second, shares: [1] });
    await settled(second);
    await settled(view);
    expect(total(second)).toBe(10);
  });

  it('start with the user’s defaults for their value type', async () => {
    const likes = { tree: { kind: 'bottom-up' }, orientation: 'icicle' } as const;
    const { tab, view } = await openTab(TEXT, { defaultsFor: ({ type }) => (type === 'samples' ? likes : {}) });
    expect(view.store.get()).toMatchObject(likes);
    view.setOrientation('flame');
    expect(tab.splitView(0 as ValueTypeIndex)!.store.get().orientation).toBe('flame');
  });
});
