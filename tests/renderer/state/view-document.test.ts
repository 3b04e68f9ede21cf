import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { ThreadIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { readViews, restoreViews, serialiseViews } from '../../../renderer/state/profile/document.ts';
import { openTab, settled } from './open-tab.ts';

const PERF = [
  'main 1/1 1.000: 1 cycles:\n\t1 b (m)\n\t2 a (m)\n',
  'main 1/2 2.000: 1 cycles:\n\t1 c (m)\n\t2 a (m)\n',
  'main 1/2 3.000: 4 page-faults:\n\t1 d (m)\n\t2 a (m)\n',
].join('\n');

const perfProfile = (): Promise<Profile> =>
  importProfile({
    fileName: 'a.perf.txt',
    size: PERF.length,
    chunks: async function* () {
      yield new TextEncoder().encode(PERF);
    },
  });

/** Names as they are stored: plain data. */
const IN_TIME = { path: [{ name: 'a', module: 'm', file: '', line: 0 }], span: { start: 0, end: 1e9 } };

const kept = async (): Promise<unknown> => {
  const { tab, view, hide } = await openTab(await perfProfile());
  view.select({ threads: [1 as ThreadIndex], timeRange: { start: 0, end: 5e9 } });
  view.commitTime({ committed: [{ start: 0, end: 6e9 }], timeRange: { start: 0, end: 5e9 } });
  view.setTransforms([hide('b')]);
  view.setOrientation('icicle');
  view.setColour('kind');
  view.lookAtTime({ form: 'heat-map', window: { start: 1e9, end: 2e9 } });
  view.setSearch('c');
  view.lookAtGraphs({ timeOrder: IN_TIME, sandwich: { centre: IN_TIME.path[0]!, callers: null, callees: null } });
  view.lookAtTables({ pattern: 'x', functionSort: { column: 'self', direction: 'ascending' } });
  await settled(view);
  view.zoom(1 as never);
  const beside = tab.splitView()!;
  beside.setTree({ kind: 'bottom-up', siblings: 'weight', widths: 'weight' });
  tab.linkView(beside, false);
  tab.resizeView(0, 0.3);
  await settled(beside);
  return JSON.parse(JSON.stringify(serialiseViews(tab.store.get())));
};

describe('stored views', () => {
  it('are restored as they were', async () => {
    const document = await kept();
    const { tab } = await openTab(await perfProfile(), { views: document });
    const [first, second] = tab.store.get().views;
    await settled(first!);
    await settled(second!);
    expect(tab.store.get()).toMatchObject({ phase: 'ready', notRestored: [], activeView: second });
    expect(first!.store.get()).toMatchObject({
      committed: [{ start: 0, end: 6e9 }],
      selection: { timeRange: { start: 0, end: 5e9 } },
      orientation: 'icicle',
      colour: 'kind',
      graphPlaces: { timeOrder: IN_TIME, sandwich: { centre: { name: 'a' }, callers: null, callees: null } },
      time: { form: 'heat-map', window: { start: 1e9, end: 2e9 }, threadOrder: 'weight', asText: false },
      zoomNode: 1,
      analysis: { total: 1 },
      tables: { pattern: 'x', functionSort: { column: 'self', direction: 'ascending' } },
      search: { status: 'matched', matches: { functions: 1 } },
    });
    expect(second!.store.get()).toMatchObject({
      tree: { kind: 'bottom-up', siblings: 'weight', widths: 'weight' },
      linked: false,
    });
    expect(JSON.parse(JSON.stringify(serialiseViews(tab.store.get())))).toEqual(document);
  });

  it('are restored once: a file read in another format is another profile', async () => {
    const { tab } = await openTab(await perfProfile(), { views: await kept() });
    await tab.load('perf-script');
    expect(tab.store.get().views).toHaveLength(1);
  });

  it('may be a search alone, as of `flamebench open --search`', async () => {
    const { tab, view } = await openTab('a;b 1\na;c 1', { views: { search: '^b$' } });
    expect(tab.store.get()).toMatchObject({ phase: 'ready', notRestored: [], views: { length: 1 } });
    await expect
      .poll(() => view.store.get())
      .toMatchObject({ searchText: '^b$', search: { status: 'matched', matches: { functions: 1 } } });
  });

  it('report what the file no longer has', async () => {
    const { view } = await openTab('a;b 1');
    const { missing, initial } = restoreViews(await readViews(await kept()), view.profile);
    expect(missing.join(' ')).toMatch(/value type cycles.*times.*threads/s);
    expect(initial[0]).toMatchObject({ selection: { threads: null, timeRange: null }, committed: [] });
  });

  it.each([
    ['a text', 'x'],
    ['no views', { views: [], active: 0, shares: [] }],
    ['__proto__', JSON.parse('{"__proto__": {"views": []}, "views": 3}')],
  ])('are ignored if invalid: %s', async (_, document) => {
    const { tab, view } = await openTab('a;b 1', { views: document });
    expect(tab.store.get()).toMatchObject({ phase: 'ready', notRestored: [/* one line */ expect.any(String)] });
    expect(view.store.get().analysis?.total).toBe(1);
  });

  it('are replaced if their transforms fail', async () => {
    const document = (await kept()) as { views: { transforms: unknown[] }[] };
    document.views[0]!.transforms = [
      { enabled: true, kind: 'hide', on: { by: 'pattern', pattern: '(', ignoreCase: false } },
    ];
    const { tab } = await openTab(await perfProfile(), { views: document });
    expect(tab.store.get()).toMatchObject({ phase: 'ready', views: { length: 1 } });
    expect(tab.store.get().notRestored.join()).toMatch(/regular expression/);
  });
});
