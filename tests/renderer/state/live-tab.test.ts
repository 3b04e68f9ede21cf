import { expect, test, vi } from 'vitest';
import type { EngineClient } from '../../../renderer/state/engine-client.ts';
import { createLiveSource, type LiveControl } from '../../../renderer/state/live/control.ts';
import { createProfileTab, type ProfileTab } from '../../../renderer/state/profile/tab.ts';
import { describeProfile } from '../../../renderer/analysis/profile/describe-profile.ts';
import { profileHandlers } from '../../../renderer/analysis/profile/handlers.ts';
import { createProfileSession } from '../../../renderer/analysis/profile/session.ts';
import type { ProfileClient } from '../../../renderer/state/clients/worker-client.ts';
import { LIVE_STATUS } from '../../support/live-status.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { patternsInPlace } from '../analysis/patterns-in-place.ts';

/** Snapshots of a growing profile: functions keep their indices. */
const SNAPSHOTS = ['main;calm 5', 'main;calm 5\nmain;storm 4\nmain;storm;wind 2'];

/** A stand-in for the engine and the worker that answers a live tab's requests. */
function openLive(): {
  tab: ProfileTab;
  live: LiveControl;
  calls: string[];
  asked: (method: string) => unknown;
  grow: () => void;
} {
  let at = 0;
  const calls: string[] = [];
  const asked = new Map<string, unknown>();
  const engine = {
    token: 'token',
    call: (method: string, params: unknown) => {
      calls.push(method);
      asked.set(method, params);
      if (method !== 'live.open') return Promise.resolve({ ...LIVE_STATUS, update: at + 1 });
      const shown = {
        update: at + 1,
        seconds: 10,
        isWidened: false,
        samples: 5,
        coveredSeconds: 1,
        newest: 1e9 * (at + 1),
        changes: null,
      };
      return Promise.resolve({ handle: 'h', fileName: 'phases (7)', size: 1, ...shown });
    },
  } as unknown as EngineClient;
  const read = () => profileFromText(SNAPSHOTS[at]!);
  let session = createProfileSession(read(), patternsInPlace);
  const handlers = profileHandlers(() => session);
  const client = {
    call: async (method: string, params: unknown) => {
      await Promise.resolve();
      if (method === 'open' || method === 'refresh') {
        session = createProfileSession(read(), patternsInPlace);
        return describeProfile(session.profile);
      }
      return (handlers[method as keyof typeof handlers] as (of: unknown) => unknown)(params);
    },
    dispose: () => undefined,
  } as unknown as ProfileClient;
  const { source, control } = createLiveSource(engine, 'one', 'phases (7)');
  const tab = createProfileTab('t', source, () => client, { live: control });
  return { tab, live: control, calls, asked: (method) => asked.get(method), grow: () => (at += 1) };
}

test('a live tab shows the newest snapshot and keeps zoom, selection and search', async () => {
  const { tab, live, grow } = openLive();
  await tab.load(null);
  const view = tab.store.get().activeView!;
  view.pick({ func: view.profile.heaviest[0]!, node: null });
  view.zoom(2 as never);
  view.setSearch('calm');
  await expect.poll(() => view.store.get().search.status).toBe('matched');
  const { zoomPath, pickedPlace } = view.store.get();
  expect(zoomPath.map(({ name }) => name)).toEqual(['main', 'calm']);

  grow();
  live.receive({ ...LIVE_STATUS, update: 2 });
  await expect.poll(() => view.store.get().analysis?.total).toBe(11);
  expect(tab.store.get().activeView).toBe(view);
  expect(view.profile.functions.strings).toContain('wind');
  expect(view.store.get()).toMatchObject({ zoomPath, pickedPlace, searchText: 'calm', zoomNode: 2 });
  expect(tab.store.get().phase).toBe('ready');
});

test('a paused live tab stays as it is, and a closed one stops its session', async () => {
  const { tab, live, calls, grow } = openLive();
  await tab.load(null);
  live.setPaused(true);
  grow();
  live.receive({ ...LIVE_STATUS, update: 2 });
  const opens = (): number => calls.filter((method) => method === 'live.open').length;
  expect(opens()).toBe(1);
  live.setPaused(false);
  await expect.poll(opens).toBe(2);
  tab.dispose();
  expect(calls).toContain('live.stop');
});

test('a live tab that is closed while a refresh waits asks for nothing more', async () => {
  const { tab, live, calls } = openLive();
  await tab.load(null);
  const opens = (): number => calls.filter((method) => method === 'live.open').length;
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  live.receive({ ...LIVE_STATUS, update: 2 });
  await vi.advanceTimersByTimeAsync(700);
  expect(vi.getTimerCount()).toBe(1);
  const before = opens();
  tab.dispose();
  await vi.advanceTimersByTimeAsync(700);
  vi.useRealTimers();
  expect(opens()).toBe(before);
});

test('a paused live tab pins, saves and shows other windows of the moment on screen', async () => {
  const { tab, live, asked, grow } = openLive();
  await tab.load(null);
  live.setPaused(true);
  grow();
  live.receive({ ...LIVE_STATUS, update: 2 });
  await live.save(30);
  expect(asked('live.save')).toEqual({ liveId: 'one', seconds: 30, until: 1e9 });
  await live.pin(null);
  expect(asked('live.pin')).toEqual({ liveId: 'one', from: { kind: 'window', window: 10, until: 1e9 } });
  live.setWindow(60);
  await expect.poll(() => asked('live.open')).toEqual({ liveId: 'one', window: 60, until: 1e9 });
  live.setPaused(false);
  await expect.poll(() => asked('live.open')).toEqual({ liveId: 'one', window: 60, until: null });
  await live.save(30);
  expect(asked('live.save')).toEqual({ liveId: 'one', seconds: 30, until: null });
});
