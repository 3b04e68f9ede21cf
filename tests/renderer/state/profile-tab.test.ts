import { describe, expect, it } from 'vitest';
import { functionNames, matchFunctions } from '#core/analyze/search.ts';
import type { FunctionIndex, ThreadIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { createProfileTab } from '../../../renderer/state/profile-tab.ts';
import type { ProfileTab } from '../../../renderer/state/profile-tab.ts';
import { WorkerFailure } from '../../../renderer/worker/profile-client.ts';
import type { ProfileClient } from '../../../renderer/worker/profile-client.ts';
import { createProfileSession, describeProfile } from '../../../renderer/worker/profile-session.ts';
import type { WorkerMethod, WorkerParams, WorkerResult } from '../../../renderer/worker/protocol.ts';
import { describeError } from '../../../renderer/worker/request-failure.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

/** A worker that answers from the same code as the real one, each answer a few turns later; counts what it was asked. */
function clientOf(profile: Profile, asked: WorkerMethod[]): ProfileClient {
  const session = createProfileSession(profile);
  const answer = (method: WorkerMethod, params: never): unknown => {
    switch (method) {
      case 'open':
        return describeProfile(profile);
      case 'analyze':
        return session.analyze(params);
      case 'search': {
        const { revision, pattern } = params as WorkerParams<'search'>;
        return session.weigh(revision, matchFunctions(functionNames(profile), pattern));
      }
      case 'path': {
        const { revision, node } = params as WorkerParams<'path'>;
        return session.source(revision).requestPath(node);
      }
      case 'heaviest': {
        const { revision, func } = params as WorkerParams<'heaviest'>;
        return session.heaviest(revision, func);
      }
      case 'neighbours': {
        const { revision, func } = params as WorkerParams<'neighbours'>;
        return session.neighbours(revision, func);
      }
      case 'cache':
      case 'histogram':
      case 'match':
      case 'slice':
        throw new Error(`not faked: ${method}`);
    }
  };
  return {
    call: async (method, params) => {
      asked.push(method);
      await new Promise((resolve) => setTimeout(resolve, 2));
      try {
        return (await answer(method, params as never)) as WorkerResult<typeof method>;
      } catch (error) {
        throw new WorkerFailure(describeError(error));
      }
    },
    dispose: () => undefined,
  };
}

const emptyFile = { kind: 'file', file: new File([], 'a') } as const;

async function openTab(
  text: string,
): Promise<{ tab: ProfileTab; asked: WorkerMethod[]; func: (name: string) => FunctionIndex }> {
  const profile = profileFromText(text);
  const asked: WorkerMethod[] = [];
  const source = {
    fileName: 'a.folded',
    captureId: null,
    readFile: null,
    open: () => Promise.resolve({ source: emptyFile, cache: null, cached: false }),
  };
  const tab = createProfileTab('tab-1', source, () => clientOf(profile, asked));
  await tab.load(null);
  return { tab, asked, func: (name) => functionNames(profile).indexOf(name) as FunctionIndex };
}

const settled = async (tab: ProfileTab): Promise<void> => {
  do await new Promise((resolve) => setTimeout(resolve, 20));
  while (tab.store.get().analysing);
};

describe('createProfileTab', () => {
  it('reads and analyses', async () => {
    const { tab } = await openTab('a;b 3\na;c 1');
    expect(tab.store.get()).toMatchObject({ phase: 'ready', analysis: { total: 4 } });
  });

  it('shows what was asked for last when choices come faster than answers', async () => {
    const { tab, asked, func } = await openTab('a;b 3\na;c 1');
    tab.setTransforms([{ kind: 'hide', func: func('b') }]);
    tab.setTransforms([{ kind: 'hide', func: func('c') }]);
    tab.setTransforms([]);
    tab.setTransforms([{ kind: 'hide', func: func('c') }]);
    await settled(tab);
    expect(tab.store.get().analysis).toMatchObject({ total: 3, hidden: 1 });
    expect(asked.filter((method) => method === 'analyze').length).toBeLessThan(5);
  });

  it('searches again when the view changes', async () => {
    const { tab, func } = await openTab('a;b 3\nc 1');
    tab.setSearch('b');
    await new Promise((resolve) => setTimeout(resolve, 220));
    expect(tab.store.get().search).toMatchObject({ status: 'matched', matches: { weight: 3, functions: 1 } });
    tab.setTransforms([{ kind: 'hide', func: func('b') }]);
    await settled(tab);
    expect(tab.store.get().search).toMatchObject({ status: 'matched', matches: { weight: 0, functions: 0 } });
    tab.setSearch('(');
    await new Promise((resolve) => setTimeout(resolve, 220));
    expect(tab.store.get().search.status).toBe('refused');
  });

  it('falls back to the heaviest stack when the picked row is of another tree', async () => {
    const { tab, func } = await openTab('a;x 1\nb;x 5');
    tab.pick({ func: func('x'), node: 2 as never });
    await settled(tab);
    const names = (): (string | undefined)[] => tab.store.get().details!.stack.map((entry) => entry.facts?.name);
    expect(tab.store.get().details?.exactStack).toBe(true);
    expect(names()).toEqual(['a', 'x']);
    tab.setDirection('bottom-up');
    await settled(tab);
    expect(tab.store.get().details?.exactStack).toBe(false);
    expect(names()).toEqual(['x']);
  });

  it('keeps an empty choice of threads apart from all threads', async () => {
    const { tab } = await openTab('a 1');
    tab.select({ threads: [0 as ThreadIndex] });
    await settled(tab);
    expect(tab.store.get().selection.threads).toEqual([0]);
    expect(tab.store.get().analysis?.total).toBe(1);
  });

  it('reads the original where its cache is broken', async () => {
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
    expect(tab.store.get()).toMatchObject({ phase: 'ready', analysis: { total: 3 } });
  });

  it('says why a source could not be read', async () => {
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
