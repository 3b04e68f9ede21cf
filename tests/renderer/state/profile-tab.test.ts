import { describe, expect, it } from 'vitest';
import type { ThreadIndex } from '#core/model/brand.ts';
import { createProfileTab } from '../../../renderer/state/profile/tab.ts';
import type { ProfileClient } from '../../../renderer/state/clients/worker-client.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { clientOf, emptyFile, openTab, settled } from './open-tab.ts';

describe('createProfileTab', () => {
  it('reads and analyses', async () => {
    const { tab, view } = await openTab('a;b 3\na;c 1');
    expect(tab.store.get().phase).toBe('ready');
    expect(view.store.get().analysis).toMatchObject({ total: 4 });
  });

  it('shows the last request when choices are faster than answers', async () => {
    const { view, asked, hide } = await openTab('a;b 3\na;c 1');
    view.setTransforms([hide('b')]);
    view.setTransforms([hide('c')]);
    view.setTransforms([]);
    view.setTransforms([hide('c')]);
    await settled(view);
    expect(view.store.get().analysis).toMatchObject({ total: 3, hidden: 1 });
    expect(asked.filter((method) => method === 'analyze').length).toBeLessThan(5);
  });

  it('searches again when the view changes', async () => {
    const { view, hide } = await openTab('a;b 3\nc 1');
    view.setSearch('b');
    await settled(view);
    expect(view.store.get().search).toMatchObject({ status: 'matched', matches: { weight: 3, functions: 1 } });
    view.setTransforms([hide('b')]);
    await settled(view);
    expect(view.store.get().search).toMatchObject({ status: 'matched', matches: { weight: 0, functions: 0 } });
    view.setSearch('(');
    await settled(view);
    expect(view.store.get().search.status).toBe('refused');
  });

  it('falls back to the heaviest stack if the selected row belongs to another tree', async () => {
    const { view, func } = await openTab('a;x 1\nb;x 5');
    view.pick({ func: func('x'), node: 2 as never });
    await settled(view);
    const names = (): (string | undefined)[] => view.store.get().details!.stack.map((entry) => entry.facts?.name);
    expect(view.store.get().details?.exactStack).toBe(true);
    expect(names()).toEqual(['a', 'x']);
    view.setTree({ kind: 'bottom-up' });
    await settled(view);
    expect(view.store.get().details?.exactStack).toBe(false);
    expect(names()).toEqual(['x']);
  });

  it('drops callers and weights of the previous analysis when the next one shows', async () => {
    const { view, func, hide } = await openTab('a;x 1\nb;x 5\nc 1');
    view.pick({ func: func('x'), node: null });
    await settled(view);
    const before = view.store.get();
    expect(before.details?.callers.length).toBe(2);
    const mixed: unknown[] = [];
    view.store.subscribe(() => {
      const { analysis, details } = view.store.get();
      if (analysis !== before.analysis && details === before.details) mixed.push(details);
    });
    view.setTransforms([hide('a')]);
    await settled(view);
    expect(mixed).toEqual([]);
    expect(view.store.get().details?.callers.length).toBe(1);
  });

  it('keeps a selection of the only thread instead of turning it into all threads', async () => {
    const { view } = await openTab('a 1');
    view.select({ threads: [0 as ThreadIndex] });
    await settled(view);
    expect(view.store.get().selection.threads).toEqual([0]);
    expect(view.store.get().analysis?.total).toBe(1);
  });

  it('shows nothing if no thread is selected, instead of all threads', async () => {
    const { tab, view } = await openTab('a 1');
    view.select({ threads: [] });
    await settled(view);
    expect(view.store.get()).toMatchObject({ selection: { threads: [] }, problem: null, analysis: { total: 0 } });
    tab.undo();
    await settled(view);
    expect(view.store.get()).toMatchObject({ selection: { threads: null }, analysis: { total: 1 } });
  });

  it('reads the original if its cache is damaged', async () => {
    const profile = profileFromText('a;b 3');
    const client = clientOf(profile, []);
    const opened: boolean[] = [];
    let readings = 0;
    const source = {
      fileName: 'a',
      captureId: 'c',
      readFile: null,
      open: (ignoreCache: boolean) => {
        opened.push(ignoreCache);
        return Promise.resolve({ source: emptyFile, cache: null, cached: !ignoreCache });
      },
    };
    const tab = createProfileTab('tab-1', source, () => ({
      ...client,
      call: (method, params) => {
        if (method === 'open') readings += 1;
        return readings === 1 ? Promise.reject(new Error('broken cache')) : client.call(method, params);
      },
    }));
    await tab.load(null);
    expect(opened).toEqual([false, true]);
    expect(tab.store.get().phase).toBe('ready');
    expect(tab.store.get().activeView?.store.get().analysis).toMatchObject({ total: 3 });
  });

  it('reports why a source could not be read', async () => {
    const failing: ProfileClient = { call: () => Promise.reject(new Error('boom')), dispose: () => undefined };
    const source = {
      fileName: 'a',
      captureId: null,
      readFile: null,
      open: () => Promise.resolve({ source: emptyFile, cache: null, cached: false }),
    };
    const tab = createProfileTab('tab-1', source, () => failing);
    await tab.load(null);
    expect(tab.store.get()).toMatchObject({
      phase: 'failed',
      problem: { message: expect.stringContaining('boom') as string },
    });
  });
});
