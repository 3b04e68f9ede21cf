import { expect, test, vi } from 'vitest';
import type { RecordingStatus } from '#core/contract/schemas.ts';
import type { EngineClient } from '../../../renderer/state/engine-client.ts';
import type { ExperimentActions } from '../../../renderer/state/experiments/actions.ts';
import type { LibraryActions } from '../../../renderer/state/library-actions.ts';
import { createRecordingActions } from '../../../renderer/state/recording-actions.ts';
import type { TabActions } from '../../../renderer/state/opening/actions.ts';
import { createStore } from '../../../renderer/state/store.ts';
import type { WorkbenchState } from '../../../renderer/state/workbench-state.ts';

const statusOf = (state: RecordingStatus['state']): RecordingStatus =>
  ({ recordingId: 'r1', captureId: 'c1', state }) as RecordingStatus;

/** Starts with an engine whose answers arrive when `answer` is called. */
function start() {
  const answers: ((status: RecordingStatus) => void)[] = [];
  const call = (): Promise<RecordingStatus> => new Promise((resolve) => answers.push(resolve));
  const store = createStore({ recordings: new Map(), dialog: null, tabs: [] } as unknown as WorkbenchState);
  const open = vi.fn();
  const actions = createRecordingActions({
    engine: { call } as unknown as EngineClient,
    store,
    library: { refresh: () => Promise.resolve(), open } as unknown as LibraryActions,
    experiments: {} as ExperimentActions,
    tabs: {} as TabActions,
    report: vi.fn(),
  });
  return { actions, store, open, answer: (state: RecordingStatus['state']) => answers.shift()!(statusOf(state)) };
}

test.each([
  ['failed', 0],
  ['finished', 1],
] as const)('a recording that %s before the answer to its start is not shown as running', async (end, opened) => {
  const { actions, store, open, answer } = start();
  const started = actions.start('token');
  actions.update(statusOf('preparing'));
  actions.update(statusOf(end));
  answer('preparing');
  await started;
  expect(store.get().recordings.get('r1')?.state).toBe(end);
  expect(open).toHaveBeenCalledTimes(opened);
});

test('a recording that ends before the answer to its stop stays ended; its capture opens once', async () => {
  const { actions, store, open, answer } = start();
  const started = actions.start('token');
  answer('recording');
  await started;
  const stopped = actions.stop('r1');
  actions.update(statusOf('finished'));
  answer('stopping');
  await stopped;
  expect(store.get().recordings.get('r1')?.state).toBe('finished');
  expect(open).toHaveBeenCalledTimes(1);
});

test('a run that replaces the one whose graph is open has its graph opened; a closed graph stays closed', async () => {
  const store = createStore({ recordings: new Map(), dialog: null, tabs: [] } as unknown as WorkbenchState);
  const openLive = vi.fn((liveId: string) => {
    const live = { store: createStore({ status: { recordingId: 'r1' } }) };
    store.set({ tabs: [{ id: liveId, kind: 'profile', live }] as unknown as WorkbenchState['tabs'] });
    return Promise.resolve();
  });
  const close = vi.fn(() => store.set({ tabs: [] }));
  let runs = 0;
  const actions = createRecordingActions({
    engine: {
      call: () => Promise.resolve({ liveId: `live-${(runs += 1)}`, title: 'phases' }),
    } as unknown as EngineClient,
    store,
    library: {} as LibraryActions,
    experiments: {} as ExperimentActions,
    tabs: { openLive, close, activate: vi.fn() },
    report: vi.fn(),
  });
  const update = (captureId: string, state: RecordingStatus['state'] = 'recording'): void =>
    actions.update({ ...statusOf(state), captureId });
  update('c1');
  await actions.showGraph('r1');
  update('c1');
  expect(openLive).toHaveBeenCalledTimes(1);
  update('c2', 'preparing');
  expect(close).not.toHaveBeenCalled();
  update('c2');
  expect(close).toHaveBeenCalledExactlyOnceWith('live-1');
  await expect.poll(() => openLive.mock.calls.map(([id]) => id)).toEqual(['live-1', 'live-2']);
  store.set({ tabs: [] });
  update('c3');
  expect(openLive).toHaveBeenCalledTimes(2);
});
