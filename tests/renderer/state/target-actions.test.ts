import { describe, expect, it, vi } from 'vitest';
import type { TargetList, TargetRow, TargetState } from '#core/contract/target.ts';
import { EngineError } from '../../../renderer/state/engine-client.ts';
import type { EngineClient } from '../../../renderer/state/engine-client.ts';
import { createStore } from '../../../renderer/state/store.ts';
import { createTargetActions } from '../../../renderer/state/target-actions.ts';
import type { WorkbenchState } from '../../../renderer/state/workbench-state.ts';

const WEB = 'ssh://web-1';
const stateOf = (kind: TargetState['kind']): TargetState => ({ kind, message: null, remedy: null });
const rowOf = (kind: TargetState['kind']): TargetRow => ({
  id: WEB,
  name: 'web-1',
  origin: 'saved',
  state: stateOf(kind),
  connectedAt: null,
});
const listOf = (row: TargetRow): TargetList => ({ targets: [row], offered: [], notes: [], unavailable: null });

/** Starts with an engine that gives these answers, by method. */
function start(answers: Record<string, unknown>, kind: TargetState['kind'] = 'idle') {
  const call = vi.fn((method: string) => {
    const answer = answers[method] ?? listOf(rowOf(kind));
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  });
  const store = createStore({
    targets: listOf(rowOf(kind)),
    reachable: new Set(),
    doctors: new Map(),
    perfScript: null,
    terminalOpen: false,
    terminalTarget: null,
    dialog: null,
  } as unknown as WorkbenchState);
  const notify = vi.fn();
  const report = vi.fn();
  const actions = createTargetActions({ engine: { call } as unknown as EngineClient, store, notify, report });
  return { actions, call, store, notify, report };
}

describe('connecting', () => {
  it('a new target waits for confirmation of the command', async () => {
    const { actions, store, call } = start({ 'target.plan': { command: ['ssh'], confirmation: 'token' } });
    await actions.connect(WEB);
    expect(store.get().dialog).toEqual({ kind: 'connect', target: WEB });
    expect(call).not.toHaveBeenCalledWith('target.connect', expect.anything());
  });

  it('opens the terminal if ssh prompts this window, and not if it prompts another one', async () => {
    const mine = start({ 'target.connect': new Promise(() => undefined) });
    void mine.actions.connectConfirmed(WEB, 'token');
    mine.actions.receive({ kind: 'target-state', target: WEB, state: stateOf('needs-you') });
    expect(mine.store.get()).toMatchObject({ terminalOpen: true, terminalTarget: WEB });

    const others = start({});
    others.actions.receive({ kind: 'target-state', target: WEB, state: stateOf('needs-you') });
    expect(others.store.get().terminalOpen).toBe(false);
  });

  it('reports a failure once: in the terminal if it is shown, else in a message', async () => {
    const failure = new EngineError({ code: 'not-connected', message: 'refused', remedy: 'look' });
    const hidden = start({ 'target.connect': failure });
    await hidden.actions.connectConfirmed(WEB, null);
    expect(hidden.notify).toHaveBeenCalledWith(expect.objectContaining({ text: 'Refused', remedy: 'look' }));

    const shown = start({ 'target.connect': failure });
    shown.actions.showTerminal(WEB);
    await shown.actions.connectConfirmed(WEB, null);
    expect(shown.notify).not.toHaveBeenCalled();
    expect(shown.report).not.toHaveBeenCalled();
  });
});

it('a target stays reachable while sudo prompts there, and is not before it was connected', () => {
  const { actions, store } = start({});
  const become = (kind: TargetState['kind']): void => {
    actions.receive({ kind: 'target-state', target: WEB, state: stateOf(kind) });
  };
  become('needs-you');
  expect(store.get().reachable.has(WEB)).toBe(false);
  become('up');
  become('needs-you');
  expect(store.get().reachable.has(WEB)).toBe(true);
  become('lost');
  become('needs-you');
  expect(store.get().reachable.has(WEB)).toBe(false);
});

it('adds the doctor’s checks one by one, and ignores those of an earlier run', async () => {
  let finish: (answer: unknown) => void = () => undefined;
  const { actions, store, call } = start({
    'target.doctor': new Promise((resolve) => {
      finish = resolve;
    }),
  });
  const check = { id: 'perf', status: 'ok', found: 'perf 6.1', remedy: null } as const;
  const done = actions.examine(WEB, 7);
  const { run } = store.get().doctors.get(WEB)!;
  expect(call).toHaveBeenCalledWith('target.doctor', { target: WEB, pid: 7, run });
  actions.receive({ kind: 'target-check', run: 'another', check });
  actions.receive({ kind: 'target-check', run, check });
  expect(store.get().doctors.get(WEB)).toMatchObject({ running: true, checks: [check] });
  finish({ target: WEB, checks: [check, check] });
  await done;
  expect(store.get().doctors.get(WEB)).toMatchObject({ running: false, checks: [check, check], problem: null });
});
