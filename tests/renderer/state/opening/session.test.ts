import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionSchema } from '#core/contract/session.ts';
import type { FileOrigin, Session } from '#core/contract/session.ts';
import { DEFAULT_SETTINGS } from '#core/contract/settings.ts';
import type { EngineClient } from '../../../../renderer/state/engine-client.ts';
import type { CompareSide, CompareTab } from '../../../../renderer/state/compare/compare.types.ts';
import { analysedTabs, asCompareTab, asProfileTab } from '../../../../renderer/state/tabs/open-tab.ts';
import { createStore } from '../../../../renderer/state/store.ts';
import { createTabActions } from '../../../../renderer/state/opening/actions.ts';
import type { TabActions } from '../../../../renderer/state/opening/actions.ts';
import { EMPTY_LAYOUT } from '../../../../renderer/state/tabs/layout.ts';
import { createTabSession } from '../../../../renderer/state/opening/session.ts';
import type { WorkbenchState } from '../../../../renderer/state/workbench-state.ts';
import type { ProfileClient } from '../../../../renderer/state/clients/worker-client.ts';
import { tabLabel } from '../../../../renderer/state/tab-title.ts';

/** Returns a client that never answers; these tests are about which tabs there are. */
const idleClient = (): ProfileClient =>
  ({ call: () => new Promise(() => undefined), dispose: () => undefined }) as unknown as ProfileClient;

function start(taken: Session | null, { restoreSession = true, captures = ['kept'] } = {}) {
  const saved: Session[] = [];
  const call = vi.fn((method: string, params: { session?: Session }) => {
    if (method === 'session.take') return Promise.resolve({ windowId: 'w', session: taken, again: false, waiting: 0 });
    if (method === 'session.save' && params.session !== undefined) saved.push(params.session);
    return new Promise(() => undefined);
  });
  const engine = { token: 't', call } as unknown as EngineClient;
  const store = createStore<WorkbenchState>({
    tabs: [],
    layout: EMPTY_LAYOUT,
    activeTab: null,
    closed: [],
    captures: captures.map((id) => ({ id })),
  } as unknown as WorkbenchState);
  const preferences = createStore({ ...DEFAULT_SETTINGS, restoreSession });
  const read = vi.fn(idleClient);
  const tabs: TabActions = createTabActions({
    engine,
    store,
    preferences: preferences as never,
    clients: { profile: read, compare: read as never },
  });
  const notify = vi.fn();
  const storage = { getItem: () => null, setItem: vi.fn() };
  const session = createTabSession({ engine, store, preferences: preferences as never, tabs, notify, storage });
  const open = (listed: Promise<unknown>) => session.restore(listed).then(session.follow);
  return { store, tabs, session: { ...session, start: open }, notify, saved, storage, read };
}

const tabOf = (id: string, source: Session['tabs'][number]['source']): Session['tabs'][number] => ({
  id,
  fileName: `${id}.folded`,
  source,
  format: null,
  views: null,
});
const SESSION: Session = {
  tabs: [
    tabOf('a', { kind: 'capture', id: 'kept' }),
    tabOf('b', { kind: 'recent', id: 'r1' }),
    tabOf('c', { kind: 'capture', id: 'trashed' }),
    tabOf('d', { kind: 'dropped' }),
  ],
  groups: [
    { tabs: ['c', 'a'], active: 'c', share: 0.4 },
    { tabs: ['d'], active: 'd', share: 0.2 },
    { tabs: ['b'], active: 'b', share: 0.4 },
  ],
  activeGroup: 2,
};

describe('a session of tabs', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is restored in its panes, without missing tabs, which one message reports', async () => {
    const { store, session, notify } = start(SESSION);
    await session.start(Promise.resolve());
    const { tabs, layout, activeTab } = store.get();
    const nameOf = (id: string): string | undefined => asProfileTab(tabs.find((tab) => tab.id === id))?.source.fileName;
    expect(layout.groups.map((group) => group.tabs.map(nameOf))).toEqual([['a.folded'], ['b.folded']]);
    expect(layout.groups.map(({ share }) => share)).toEqual([0.5, 0.5]);
    expect(nameOf(activeTab ?? '')).toBe('b.folded');
    expect(notify.mock.calls).toEqual([[expect.objectContaining({ text: 'Closed: c.folded, d.folded.' }) as unknown]]);
  });

  it('is restored with its live tabs in their places', async () => {
    const live = tabOf('c', { kind: 'live', id: 'watched' });
    const { store, session, notify } = start({
      tabs: [live, tabOf('a', { kind: 'capture', id: 'kept' }), tabOf('b', { kind: 'recent', id: 'r1' })],
      groups: [{ tabs: ['a', 'c', 'b'], active: 'c', share: 1 }],
      activeGroup: 0,
    });
    await session.start(Promise.resolve());
    const { tabs, layout, activeTab } = store.get();
    const nameOf = (id: string | null): string | undefined =>
      asProfileTab(tabs.find((tab) => tab.id === id))?.source.fileName;
    expect(layout.groups.map((group) => group.tabs.map(nameOf))).toEqual([['a.folded', 'c.folded', 'b.folded']]);
    expect(nameOf(activeTab)).toBe('c.folded');
    expect(notify).not.toHaveBeenCalled();
  });

  it('is restored next to tabs opened earlier, which stay active', async () => {
    const { store, session, tabs } = start(SESSION);
    const coming = session.start(Promise.resolve());
    tabs.openFiles([new File(['a;b 1'], 'opened.folded')]);
    await coming;
    const { tabs: open, layout, activeTab } = store.get();
    const nameOf = (id: string): string | undefined => asProfileTab(open.find((tab) => tab.id === id))?.source.fileName;
    expect(layout.groups.map((group) => group.tabs.map(nameOf))).toEqual([['a.folded'], ['b.folded', 'opened.folded']]);
    expect(nameOf(activeTab!)).toBe('opened.folded');
  });

  it('is neither restored nor stored if the setting is off', async () => {
    const { store, session, saved, tabs } = start(SESSION, { restoreSession: false });
    await session.start(Promise.resolve());
    expect(store.get().tabs).toEqual([]);
    tabs.openCaptures([{ id: 'kept', fileName: 'kept.folded' }]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(saved).toEqual([]);
  });

  it('keeps the function for which a tab was opened', async () => {
    const first = start(null);
    await first.session.start(Promise.resolve());
    first.tabs.openCaptures([{ id: 'kept', fileName: 'kept.folded' }]);
    first.tabs.openCopy(first.store.get().activeTab!, 'serve');
    const kept = sessionSchema.parse(first.tabs.save());
    expect(kept.tabs.map(({ about }) => about)).toEqual([undefined, 'serve']);

    const second = start(kept);
    await second.session.start(Promise.resolve());
    expect(second.store.get().tabs.map((tab) => tabLabel(tab, null))).toEqual(['kept.folded', 'serve · kept.folded']);
  });

  it('is stored although changes never pause, and at once when the page is left', async () => {
    const { session, saved, tabs, store } = start(null);
    await session.start(Promise.resolve());
    tabs.openCaptures([{ id: 'kept', fileName: 'kept.folded' }]);
    for (let time = 0; time < 1000; time += 100) {
      store.set({ notices: [] });
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(saved).toHaveLength(1);
    tabs.openFiles([new File(['main 1'], 'dropped.folded')]);
    session.leave();
    expect(saved.map((one) => one.tabs.length)).toEqual([1, 2]);
    await vi.advanceTimersByTimeAsync(1000);
    session.leave();
    expect(saved).toHaveLength(2);
  });

  it('is stored once after several changes, and not again without changes', async () => {
    const { session, saved, tabs, store } = start(null);
    await session.start(Promise.resolve());
    tabs.openCaptures([{ id: 'kept', fileName: 'kept.folded' }]);
    tabs.openFiles([new File(['main 1'], 'dropped.folded')]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(saved).toHaveLength(1);
    expect(saved[0]?.tabs.map(({ source }) => source)).toEqual([{ kind: 'capture', id: 'kept' }, { kind: 'dropped' }]);
    store.set({ notices: [] });
    await vi.advanceTimersByTimeAsync(1000);
    expect(saved).toHaveLength(1);
  });

  it('keeps load tabs by the tests that they show, not forms that were not started', async () => {
    const { session, saved, store, tabs } = start({
      ...SESSION,
      tabs: [
        tabOf('a', { kind: 'load-tests', first: 'load-1', second: 'load-2' }),
        tabOf('b', { kind: 'load-experiment', id: 'experiment-1' }),
      ],
      groups: [{ tabs: ['a', 'b'], active: 'b', share: 1 }],
      activeGroup: 0,
    });
    await session.start(Promise.resolve());
    expect(store.get().tabs.map((tab) => tabLabel(tab, []))).toEqual(['a.folded', 'b.folded']);
    tabs.openLoad({ page: 'tests', first: '', second: '' });
    expect(store.get().activeTab).toBe('tab-1');
    tabs.openLoad({ page: 'tests', first: '', second: '' });
    tabs.openLoad({ page: 'tests', first: '', second: '' }, [new File(['1 2'], 'sweep.dat')]);
    expect(store.get().tabs).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(1000);
    expect(sessionSchema.parse(saved.at(-1)).tabs.map(({ source }) => source)).toEqual([
      { kind: 'load-tests', first: 'load-1', second: 'load-2' },
      { kind: 'load-experiment', id: 'experiment-1' },
    ]);
  });

  it('asks before it closes a tab whose load runs', async () => {
    const { session, store, tabs } = start(null);
    await session.start(Promise.resolve());
    tabs.openLoad({ page: 'tests', first: 'load-1', second: '' });
    const [tab] = store.get().tabs;
    if (tab?.kind !== 'load') throw new Error('not a load tab');
    tab.store.set({ running: { id: 'load-1', name: 'sweep' } });
    tabs.close(tab.id);
    const { dialog } = store.get();
    expect(store.get().tabs).toEqual([tab]);
    if (dialog?.kind !== 'close-load') throw new Error('nothing was asked');
    dialog.close();
    expect(store.get().tabs).toEqual([]);
  });

  it('keeps notes that nothing else stores, and says which would be lost', async () => {
    const note = { id: 'n', anchor: { kind: 'whole' }, text: 'slow', author: '', created: 1, edited: null } as const;
    const notes = [{ ...note, colour: 'none' as const }];
    const { session, saved, store, tabs } = start({ ...SESSION, tabs: [{ ...SESSION.tabs[1]!, notes }] });
    await session.start(Promise.resolve());
    expect(analysedTabs(store.get().tabs)[0]!.notes.store.get().notes).toEqual(notes);
    expect(session.losesNotes()).toBe(false);
    analysedTabs(store.get().tabs)[0]!.notes.change({ put: [{ ...notes[0]!, id: 'm' }], remove: ['n'] });
    await vi.advanceTimersByTimeAsync(1000);
    expect(sessionSchema.parse(saved.at(-1)).tabs[0]!.notes?.map(({ id }) => id)).toEqual(['m']);
    tabs.openFiles([new File(['main 1'], 'dropped.folded')]);
    expect(session.losesNotes()).toBe(false);
    analysedTabs(store.get().tabs)[1]!.notes.change({ put: notes, remove: [] });
    expect(session.losesNotes()).toBe(true);
  });

  it('reads tabs only when they are activated', async () => {
    const { session, read, tabs, store } = start({
      tabs: SESSION.tabs.slice(0, 2),
      groups: [{ tabs: ['a', 'b'], active: 'a', share: 1 }],
      activeGroup: 0,
    });
    await session.start(Promise.resolve());
    expect(read).toHaveBeenCalledTimes(1);
    tabs.activate(store.get().tabs[1]!.id);
    expect(read).toHaveBeenCalledTimes(2);
    tabs.activate(store.get().tabs[0]!.id);
    expect(read).toHaveBeenCalledTimes(2);
  });
});

describe('a comparison of a session', () => {
  const compared = (id: string, source: FileOrigin) => ({
    source,
    fileName: `${id}.folded`,
    format: 'folded',
    requests: 10,
  });
  const COMPARED: Session = {
    tabs: [
      {
        ...tabOf('both', {
          kind: 'compare',
          experimentId: null,
          before: [compared('a', { kind: 'capture', id: 'kept' }), compared('b', { kind: 'capture', id: 'trashed' })],
          after: [compared('c', { kind: 'recent', id: 'r1' })],
        }),
        fileName: 'a ↔ c',
      },
      tabOf('gone', { kind: 'compare', experimentId: null, before: [compared('d', { kind: 'dropped' })], after: [] }),
    ],
    groups: [{ tabs: ['both', 'gone'], active: 'both', share: 1 }],
    activeGroup: 0,
  };

  it('is restored with its available captures, and names the others', async () => {
    const { store, session, tabs, notify } = start(COMPARED);
    await session.start(Promise.resolve());
    const names = ({ captures }: CompareSide) => captures.map(({ source }) => source.fileName);
    const open = store.get().tabs.flatMap((tab) => asCompareTab(tab) ?? []);
    expect(open.map(({ store: tab }) => [names(tab.get().before), names(tab.get().after)])).toEqual([
      [['a.folded'], ['c.folded']],
    ]);
    expect(notify.mock.calls).toEqual([[expect.objectContaining({ text: 'Closed: b.folded, d.folded.' }) as unknown]]);
    const [kept] = tabs.save().tabs;
    expect(kept?.source).toEqual({
      kind: 'compare',
      experimentId: null,
      before: [compared('a', { kind: 'capture', id: 'kept' })],
      after: [compared('c', { kind: 'recent', id: 'r1' })],
    });
    expect(sessionSchema.safeParse(tabs.save()).success).toBe(true);
  });

  it('reopens swapped as it was', async () => {
    const { store, session, tabs } = start(COMPARED);
    await session.start(Promise.resolve());
    const only = (): CompareTab => asCompareTab(store.get().tabs[0])!;
    only().swap();
    tabs.close(only().id);
    expect(store.get().tabs).toEqual([]);
    tabs.reopen();
    expect(
      only()
        .store.get()
        .before.captures.map(({ source }) => source.fileName),
    ).toEqual(['c.folded']);
  });
});

describe('closed tabs', () => {
  it('reopen at their position, newest first', async () => {
    const { tabs, store } = start(null);
    for (const name of ['a', 'b', 'c']) tabs.openFiles([new File(['main 1'], name)]);
    const names = (): (string | undefined)[] =>
      store
        .get()
        .layout.groups.flatMap((group) =>
          group.tabs.map((id) => asProfileTab(store.get().tabs.find((tab) => tab.id === id))?.source.fileName),
        );
    tabs.close(store.get().tabs[1]!.id);
    tabs.close(store.get().tabs[0]!.id);
    expect(names()).toEqual(['c']);
    tabs.reopen();
    expect(names()).toEqual(['a', 'c']);
    tabs.reopen();
    expect(names()).toEqual(['a', 'b', 'c']);
    tabs.reopen();
    expect(names()).toEqual(['a', 'b', 'c']);
  });

  it('close others keeps one tab of its pane, and other panes', () => {
    const { tabs, store } = start(null);
    for (const name of ['a', 'b', 'c']) tabs.openFiles([new File(['main 1'], name)]);
    const [a, b, c] = store.get().tabs.map(({ id }) => id) as [string, string, string];
    tabs.split(c, null, 'right');
    tabs.closeOthers(a);
    expect(store.get().layout.groups.map((group) => group.tabs)).toEqual([[a], [c]]);
    expect(store.get().tabs.map(({ id }) => id)).not.toContain(b);
  });
});
