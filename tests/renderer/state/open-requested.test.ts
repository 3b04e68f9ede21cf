import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import { DEFAULT_SETTINGS } from '#core/contract/settings.ts';
import { EngineError, type Connection, type EngineClient } from '../../../renderer/state/engine-client.ts';
import { createStore } from '../../../renderer/state/store.ts';
import { createWorkbench } from '../../../renderer/state/workbench.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const LOST = new EngineError({ code: 'connection-lost', message: 'The engine does not answer.', remedy: null });

it('asks again for the process to watch after a lost connection, and keeps the request until then', async () => {
  const connection = createStore<{ state: Connection }>({ state: 'open' });
  const calls: string[] = [];
  const answers: Record<string, object> = {
    'app.state': {
      version: '1',
      libraryPath: '/l',
      isDefaultLibrary: true,
      platform: 'linux',
      pendingFiles: [],
      pendingCaptures: [],
      pendingExperiments: [],
      pendingComparisons: [],
      pendingView: null,
      pendingLive: { target: LOCAL_TARGET, options: { scope: { kind: 'pid', pid: 7 } } },
      pendingGuide: false,
      recordings: [],
      notices: [],
    },
    'session.take': { windowId: 'w', session: null, waiting: 0 },
    'library.list': { captures: [], damaged: [] },
    'library.noteCounts': { counts: {} },
    'experiment.list': { experiments: [], damaged: [] },
    'target.list': { targets: [], reachable: [] },
    'recent.list': { files: [] },
    'live.plan': { confirmation: 'c' },
    'live.start': { liveId: 'live-1', title: 'serve' },
  };
  const call = (method: string): Promise<unknown> => {
    calls.push(method);
    if (method === 'live.plan' && calls.filter((one) => one === method).length === 1) {
      connection.set({ state: 'lost' });
      return Promise.reject(LOST);
    }
    return Promise.resolve(answers[method] ?? {});
  };
  const engine = { token: 't', connection, call, onEvent: () => undefined } as unknown as EngineClient;
  const client = { call: () => new Promise(() => undefined), dispose: () => undefined } as never;
  const workbench = createWorkbench(
    engine,
    createStore(DEFAULT_SETTINGS) as never,
    { profile: () => client, compare: () => client },
    { getItem: () => null, setItem: () => undefined },
  );
  const started = workbench.start();
  await vi.waitFor(() => expect(connection.get().state).toBe('lost'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(calls).not.toContain('live.start');
  expect(calls).not.toContain('session.save');
  connection.set({ state: 'open' });
  await started;
  expect(workbench.store.get().tabs).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(calls).toContain('session.save');
});
