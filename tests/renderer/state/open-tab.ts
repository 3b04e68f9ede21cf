import { functionRef } from '#core/analyze/function-ref.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { functionNames } from '#core/analyze/search.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { createProfileTab } from '../../../renderer/state/profile-tab.ts';
import type { ProfileTab, TabOptions } from '../../../renderer/state/profile-tab.ts';
import type { ProfileView } from '../../../renderer/state/profile-view.ts';
import { WorkerFailure } from '../../../renderer/state/clients/profile-client.ts';
import type { ProfileClient } from '../../../renderer/state/clients/profile-client.ts';
import { describeProfile } from '../../../renderer/analysis/describe-profile.ts';
import { createProfileSession } from '../../../renderer/analysis/profile-session.ts';
import type { WorkerMethod, WorkerParams, WorkerResult } from '../../../renderer/analysis/protocol.ts';
import { describeError } from '../../../renderer/analysis/request-failure.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { patternsInPlace } from '../analysis/patterns-in-place.ts';

/** A worker that answers from the same code as the real one, each answer a few turns later; counts what it was asked. */
export function clientOf(profile: Profile, asked: WorkerMethod[]): ProfileClient {
  const session = createProfileSession(profile, patternsInPlace);
  const answer = (method: WorkerMethod, params: never): unknown => {
    switch (method) {
      case 'open':
        return describeProfile(profile);
      case 'analyze':
        return session.analyze(params);
      case 'search': {
        const { revision, pattern } = params as WorkerParams<'search'>;
        return session.search(revision, pattern);
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
      case 'close-view':
        session.closeView((params as WorkerParams<'close-view'>).view);
        return null;
      case 'withdraw':
        session.withdraw((params as WorkerParams<'withdraw'>).revision);
        return null;
      case 'audit':
        return session.audit((params as WorkerParams<'audit'>).revision);
      default:
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

export const emptyFile = { kind: 'file', file: new File([], 'a') } as const;

export interface Opened {
  readonly tab: ProfileTab;
  readonly view: ProfileView;
  readonly asked: WorkerMethod[];
  readonly func: (name: string) => FunctionIndex;
  readonly hide: (name: string) => NamedTransform;
}

/** `input`: folded text, or a profile. */
export async function openTab(input: string | Profile, options: TabOptions = {}): Promise<Opened> {
  const profile = typeof input === 'string' ? profileFromText(input) : input;
  const asked: WorkerMethod[] = [];
  const source = {
    fileName: 'a.folded',
    captureId: null,
    readFile: null,
    open: () => Promise.resolve({ source: emptyFile, cache: null, cached: false }),
  };
  const tab = createProfileTab('tab-1', source, () => clientOf(profile, asked), options);
  await tab.load(null);
  const func = (name: string) => functionNames(profile).indexOf(name) as FunctionIndex;
  const hide = (name: string): NamedTransform => ({
    enabled: true,
    kind: 'hide',
    on: { by: 'function', func: functionRef(profile, func(name)) },
  });
  return { tab, view: tab.store.get().activeView!, asked, func, hide };
}

/** Until nothing is being analysed, searched or described. */
export const settled = async (view: ProfileView): Promise<void> => {
  const busy = (): boolean => {
    const { analysing, analysis, search, picked, details } = view.store.get();
    const searching =
      search.status === 'matched' ? search.revision !== analysis?.revision : search.status === 'running';
    return analysing || searching || (picked !== null && details?.picked !== picked);
  };
  do await new Promise((resolve) => setTimeout(resolve, 20));
  while (busy());
};
