import { functionRef } from '#core/analyze/function-ref.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { functionNames } from '#core/analyze/search.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { createProfileTab } from '../../../renderer/state/profile/tab.ts';
import type { ProfileTab, TabOptions } from '../../../renderer/state/profile/tab.ts';
import type { ProfileView } from '../../../renderer/state/profile/view.ts';
import { WorkerFailure } from '../../../renderer/state/clients/worker-client.ts';
import type { ProfileClient } from '../../../renderer/state/clients/worker-client.ts';
import { describeProfile } from '../../../renderer/analysis/profile/describe-profile.ts';
import { createProfileSession } from '../../../renderer/analysis/profile/session.ts';
import { profileHandlers } from '../../../renderer/analysis/profile/handlers.ts';
import type { ProfileMethod, ProfileMethods } from '../../../renderer/analysis/profile/protocol.ts';
import type { RequestHandlers } from '../../../renderer/analysis/serve-requests.ts';
import { describeError } from '../../../renderer/analysis/request-failure.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { patternsInPlace } from '../analysis/patterns-in-place.ts';

/** Returns a client that runs the real worker's code, answers a few turns later, and records the requests. */
export function clientOf(profile: Profile, asked: ProfileMethod[]): ProfileClient {
  const session = createProfileSession(profile, patternsInPlace);
  const handlers: RequestHandlers<Omit<ProfileMethods, 'cache' | 'refresh'>> = {
    ...profileHandlers(() => session),
    open: () => describeProfile(profile),
  };
  return {
    call: async (method, params) => {
      asked.push(method);
      await new Promise((resolve) => setTimeout(resolve, 2));
      try {
        const answer = handlers[method as keyof typeof handlers] as (params: unknown) => unknown;
        return (await answer(params)) as never;
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
  readonly asked: ProfileMethod[];
  readonly func: (name: string) => FunctionIndex;
  readonly hide: (name: string) => NamedTransform;
}

/** `input` is folded text, or a profile. */
export async function openTab(input: string | Profile, options: TabOptions = {}): Promise<Opened> {
  const profile = typeof input === 'string' ? profileFromText(input) : input;
  const asked: ProfileMethod[] = [];
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

/** Resolves when nothing is being analysed, searched or described. */
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
