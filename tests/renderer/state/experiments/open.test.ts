import { expect, test, vi } from 'vitest';
import { openExperiment, type ExperimentDependencies } from '../../../../renderer/state/experiments/open.ts';

const side = (...ids: string[]) => ({ captures: ids.map((id) => ({ id, requests: null })), threads: [] });

/** Opens an experiment of a library, and returns the tab that it gets. */
async function opened(experiment: object): Promise<string> {
  const [compare, openLoad] = [vi.fn(), vi.fn()];
  const needs = {
    engine: { call: () => Promise.resolve({ experiment: { id: 'e', name: 'pair', ...experiment }, missing: [] }) },
    store: { get: () => ({ tabs: [] }) },
    tabs: { compare, openLoad, captureInput: (id: string) => Promise.resolve({ id }) },
  } as unknown as ExperimentDependencies;
  await openExperiment(needs, 'e', null);
  if (compare.mock.calls.length === 0) expect(openLoad).toHaveBeenCalledWith({ page: 'experiment', shown: 'e' });
  return compare.mock.calls.length === 1 ? 'comparison' : 'result under load';
}

test('an experiment under load of which a side has no capture opens as its result', async () => {
  const loads = { before: 'load-1', after: 'load-2' };
  expect(await opened({ loads, before: side(), after: side() })).toBe('result under load');
  expect(
    await opened({ before: side(), after: side(), options: { transforms: [], rules: { off: [], user: [] } } }),
  ).toBe('comparison');
});
