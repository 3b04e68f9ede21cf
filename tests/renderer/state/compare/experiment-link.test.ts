import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_EXPERIMENT_OPTIONS, EMPTY_SIDE } from '#core/contract/experiment.ts';
import type { Experiment, ExperimentChange, ExperimentState } from '#core/contract/experiment.ts';
import { changeExperiment } from '#app/engine/experiments/experiments.ts';
import { createCompareTab } from '../../../../renderer/state/compare/tab.ts';
import type { CompareInput, CompareTab } from '../../../../renderer/state/compare/compare.types.ts';
import { changeBetween, draftOf } from '../../../../renderer/state/compare/experiment-changes.ts';
import { linkExperiment } from '../../../../renderer/state/compare/experiment-link.ts';

const inputOf = (id: string, requests: number | null = null): CompareInput =>
  ({ source: { fileName: `${id}.folded` }, origin: { kind: 'capture', id }, requests }) as unknown as CompareInput;

/** Returns a tab that reads nothing; experiments only store its captures and choices. */
const newTab = (before: readonly string[], after: readonly string[]): CompareTab =>
  createCompareTab(
    'tab-1',
    {
      name: 'cache',
      experimentId: 'experiment-1',
      before: before.map((id) => inputOf(id)),
      after: after.map((id) => inputOf(id)),
      document: null,
    },
    { startClient: vi.fn(), documentOf: () => Promise.resolve(null), noteKeeper: null },
  );

const sideOf = (...ids: string[]): Experiment['before'] => ({
  ...EMPTY_SIDE,
  captures: ids.map((id) => ({ id, name: id, requests: null })),
});

const experiment = (change: Partial<Experiment> = {}): Experiment => ({
  schemaVersion: 1,
  id: 'experiment-1',
  name: 'cache',
  createdAt: 0,
  changedAt: 0,
  before: sideOf('a'),
  after: sideOf('b'),
  notes: '',
  options: DEFAULT_EXPERIMENT_OPTIONS,
  ...change,
});

const idsOf = (tab: CompareTab) => {
  const { before, after } = draftOf(tab.store.get());
  return [before, after].map(({ captures }) => captures.map(({ id }) => id));
};

describe('changes between an experiment and its tab', () => {
  it('are empty if they are equal', () => {
    expect(changeBetween(experiment(), draftOf(newTab(['a'], ['b']).store.get()))).toBeNull();
  });

  it('contain exactly the differences; applied, they make both equal', () => {
    const tab = newTab(['a'], ['b']);
    const [capture] = tab.store.get().before.captures;
    const steps: readonly (readonly [() => void, ExperimentChange])[] = [
      [() => tab.rename('other'), { name: 'other' }],
      [() => tab.setOptions({ normalisation: 'share' }), { options: { normalisation: 'share' } }],
      [
        () => tab.setOptions({ rules: { off: ['addresses'], user: [], ignoreModules: false, sameProgram: true } }),
        { options: { rules: { off: ['addresses'], user: [], ignoreModules: false, sameProgram: true } } },
      ],
      [() => tab.setRequests(new Map([[capture!.key, 9]])), { before: { put: [{ id: 'a', requests: 9 }] } }],
      [
        () => {
          tab.choose('after', { timeRange: { start: 0, end: 1 }, threads: ['x'] });
        },
        { after: { timeRange: { start: 0, end: 1 }, threads: ['x'] } },
      ],
      [() => tab.add('after', [inputOf('c', 4)]), { after: { put: [{ id: 'c', requests: 4 }] } }],
      [() => tab.moveAcross(capture!.key), { before: { remove: ['a'] }, after: { put: [{ id: 'a', requests: 9 }] } }],
    ];
    let now = experiment();
    for (const [step, expected] of steps) {
      step();
      const change = changeBetween(now, draftOf(tab.store.get()));
      expect(change).toEqual(expected);
      now = changeExperiment(now, change!, new Map());
      expect(changeBetween(now, draftOf(tab.store.get()))).toBeNull();
    }
  });

  it('keep a swap with its labels and choices; other differences belong to the original side', () => {
    const tab = newTab(['a', 'c'], ['b']);
    const from = experiment({ before: { ...sideOf('a', 'c'), label: 'off', threads: ['x'] }, after: sideOf('b') });
    tab.choose('before', { threads: ['x'] });
    tab.swap();
    const [capture] = tab.store.get().before.captures;
    tab.setRequests(new Map([[capture!.key, 5]]));
    const change = changeBetween(from, draftOf(tab.store.get()));
    expect(change).toEqual({ swap: true, after: { put: [{ id: 'b', requests: 5 }] } });
    const swapped = changeExperiment(from, change!, new Map());
    expect(swapped.after).toMatchObject({ label: 'off', threads: ['x'] });
    expect(changeBetween(swapped, draftOf(tab.store.get()))).toBeNull();
  });
});

describe('an open experiment', () => {
  let now: Experiment;
  let saved: ExperimentChange[];
  let fail: boolean;
  const state = (missing: ExperimentState['missing'] = []): ExperimentState => ({ experiment: now, missing });
  const report = vi.fn();

  function link(tab: CompareTab, missing: ExperimentState['missing'] = []) {
    return linkExperiment(tab, state(missing), {
      inputOf,
      report,
      save: (change) => {
        if (fail) return Promise.reject(new Error('full'));
        saved.push(change);
        now = { ...changeExperiment(now, change, new Map()), changedAt: now.changedAt + 1 };
        return Promise.resolve(state(missing));
      },
    });
  }

  beforeEach(() => {
    vi.useFakeTimers();
    [now, saved, fail] = [experiment(), [], false];
    report.mockReset();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is saved once, shortly after a change', async () => {
    const tab = newTab(['a'], ['b']);
    link(tab);
    tab.setLook({ graph: 'delta' });
    await vi.runAllTimersAsync();
    expect(saved).toEqual([]);
    tab.setOptions({ normalisation: 'raw' });
    tab.rename('two');
    await vi.runAllTimersAsync();
    expect(saved).toEqual([{ name: 'two', options: { normalisation: 'raw' } }]);
  });

  it('applies changes made elsewhere, without saving them', async () => {
    const tab = newTab(['a'], ['b']);
    const { receive } = link(tab);
    now = experiment({ name: 'renamed', after: sideOf('b', 'c'), before: sideOf(), changedAt: 5 });
    receive(state());
    expect(idsOf(tab)).toEqual([[], ['b', 'c']]);
    expect(tab.store.get().name).toBe('renamed');
    await vi.runAllTimersAsync();
    expect(saved).toEqual([]);
  });

  it('applies a swap with everything that belongs to the sides', () => {
    const tab = newTab(['a'], ['b']);
    const { receive } = link(tab);
    now = experiment({ before: { ...sideOf('b'), threads: ['x'] }, after: sideOf('a', 'c'), changedAt: 5 });
    receive(state());
    expect(idsOf(tab)).toEqual([['b'], ['a', 'c']]);
    expect(changeBetween(now, draftOf(tab.store.get()))).toBeNull();
  });

  it('keeps both of two concurrent changes', async () => {
    const tab = newTab(['a'], ['b']);
    const { receive } = link(tab);
    tab.setOptions({ normalisation: 'raw' });
    now = experiment({ notes: 'elsewhere', changedAt: 5 });
    receive(state());
    await vi.runAllTimersAsync();
    expect(now).toMatchObject({ notes: 'elsewhere', options: { normalisation: 'raw' } });
  });

  it('reopens in its current state, not the tab’s', async () => {
    const tab = newTab(['a'], ['b', 'gone']);
    now = experiment({ after: sideOf('b', 'd') });
    link(tab);
    expect(idsOf(tab)).toEqual([['a'], ['b', 'd']]);
    await vi.runAllTimersAsync();
    expect(saved).toEqual([]);
  });

  it('keeps captures missing from the library, although the tab lacks them', async () => {
    const tab = newTab(['a'], ['b']);
    now = experiment({ after: sideOf('b', 'trashed') });
    link(tab, [{ id: 'trashed', name: 'trashed', why: 'trashed' }]);
    tab.rename('x');
    await vi.runAllTimersAsync();
    expect(saved).toEqual([{ name: 'x' }]);
    expect(now.after.captures).toHaveLength(2);
  });

  it('reports a failed save, and retries with the next change', async () => {
    const tab = newTab(['a'], ['b']);
    link(tab);
    fail = true;
    tab.rename('one');
    await vi.runAllTimersAsync();
    expect(report).toHaveBeenCalledTimes(1);
    fail = false;
    tab.setOptions({ normalisation: 'raw' });
    await vi.runAllTimersAsync();
    expect(saved).toEqual([{ name: 'one', options: { normalisation: 'raw' } }]);
  });

  it('is not saved forever if the engine changes its name', async () => {
    const tab = newTab(['a'], ['b']);
    const save = vi.fn(() => Promise.resolve(state()));
    linkExperiment(tab, state(), { inputOf, report, save });
    tab.rename(' cache ');
    await vi.runAllTimersAsync();
    expect(save).toHaveBeenCalledTimes(1);
  });

  it('is saved when its tab closes', async () => {
    const tab = newTab(['a'], ['b']);
    const { end } = link(tab);
    tab.rename('last');
    end(true);
    await vi.runAllTimersAsync();
    expect(saved).toEqual([{ name: 'last' }]);
  });
});
