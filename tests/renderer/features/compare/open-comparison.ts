import { functionNames } from '#core/analyze/search.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { createCompareTab } from '../../../../renderer/state/compare/tab.ts';
import type { CompareSeed } from '../../../../renderer/state/compare/seed.ts';
import type { CompareInput, CompareTab } from '../../../../renderer/state/compare/compare.types.ts';
import type { CompareClient, WorkerEvents } from '../../../../renderer/state/clients/worker-client.ts';
import { compareHandlers } from '../../../../renderer/analysis/comparison/handlers.ts';
import type { CompareMethod, CompareMethods } from '../../../../renderer/analysis/comparison/methods.ts';
import { createCompareSession } from '../../../../renderer/analysis/comparison/session.ts';
import type { RequestHandlers } from '../../../../renderer/analysis/serve-requests.ts';
import { WorkerFailure, CANCELLED } from '../../../../renderer/state/clients/worker-client.ts';
import { describeError, RequestFailure } from '../../../../renderer/analysis/request-failure.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';
import { patternsInPlace } from '../../analysis/patterns-in-place.ts';

/** Returns a client that runs the real worker's code, answers a few turns later, and records the requests. */
export function compareClient(asked: CompareMethod[], events: WorkerEvents): CompareClient {
  const session = createCompareSession(patternsInPlace, (step, done) => events.onStep?.(step, done));
  let ended = false;
  const handlers: RequestHandlers<Omit<CompareMethods, 'cache'>> = {
    ...compareHandlers(session),
    open: async ({ source, document, name }) => {
      const text = source.kind === 'file' ? await source.file.text() : '';
      if (text === 'broken') throw new RequestFailure('unreadable', `${name} can't be read`, 'Choose another file.');
      return session.add(profileFromText(text), document, name);
    },
  };
  return {
    call: async (method, params) => {
      asked.push(method);
      await new Promise((resolve) => setTimeout(resolve, 2));
      if (ended) throw new WorkerFailure(CANCELLED);
      try {
        const answer = handlers[method as keyof typeof handlers] as (params: unknown) => unknown;
        return (await answer(params)) as never;
      } catch (error) {
        throw new WorkerFailure(describeError(error));
      }
    },
    dispose: () => {
      ended = true;
    },
  };
}

export function input(name: string, text: string): CompareInput {
  const file = new File([text], name);
  return {
    source: {
      fileName: name,
      captureId: null,
      readFile: null,
      open: () => Promise.resolve({ source: { kind: 'file', file }, cache: null, cached: false }),
    },
    origin: { kind: 'dropped' },
    requests: null,
  };
}

export interface OpenedComparison {
  readonly tab: CompareTab;
  readonly asked: CompareMethod[];
  /** Resolves when the tab is at rest and `is` returns true. */
  readonly until: (is: () => boolean) => Promise<void>;
  readonly func: (name: string) => FunctionIndex;
  /** Returns the delta of a function's total. */
  readonly delta: (name: string) => number | undefined;
}

/** Creates a tab from the folded text of each capture, by side; nothing is read yet. */
export function comparison(
  before: readonly string[],
  after: readonly string[],
  document: CompareSeed['document'] = null,
): OpenedComparison {
  const asked: CompareMethod[] = [];
  const inputs = (texts: readonly string[], side: string) =>
    texts.map((text, place) => input(`${side}-${place + 1}.folded`, text));
  const tab = createCompareTab(
    'tab-1',
    { name: null, experimentId: null, before: inputs(before, 'old'), after: inputs(after, 'new'), document },
    {
      startClient: (events) => compareClient(asked, events),
      documentOf: () => Promise.resolve(null),
      noteKeeper: null,
    },
  );
  const func = (name: string): FunctionIndex => {
    const { functions } = tab.store.get().analysis!;
    return functionNames({ strings: functions.strings, functions }).indexOf(name) as FunctionIndex;
  };
  return {
    tab,
    asked,
    until: async (is) => {
      const isReached = (): boolean => {
        const { reading, comparing, search } = tab.store.get();
        return reading === null && comparing === null && search.status !== 'running' && is();
      };
      do await new Promise((resolve) => setTimeout(resolve, 5));
      while (!isReached());
    },
    func,
    delta: (name) => tab.store.get().analysis?.total.delta[func(name)],
  };
}
