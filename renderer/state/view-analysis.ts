import type { ProfileClient } from './clients/worker-client.ts';
import { joinFunctions } from './clients/join-functions.ts';
import type { Analysis, FunctionNames } from '../analysis/protocol.ts';
import { toProblem } from './problem.ts';
import type { Problem } from '../ui/problem.ts';
import type { Store } from './store.ts';
import { inputsOf, sameInputs } from './view-state.ts';
import type { ViewInputs, ViewState } from './view-state.ts';

/** Keeps a view's analysis up to what the user chose, one at a time. */
export interface ViewAnalysis {
  /** Ends once the newest inputs are analysed, or failed. */
  readonly run: () => Promise<void>;
  /** What the analysis on screen is of; null before the first. */
  readonly shown: () => ViewInputs | null;
}

interface Needs {
  readonly view: number;
  /** The profile's own. */
  readonly functions: FunctionNames;
  readonly store: Store<ViewState>;
  readonly client: () => ProfileClient | null;
  readonly nextRevision: () => number;
  /** Ends once the names of the places to find again are known. */
  readonly placed: () => Promise<void>;
  readonly onAnalysis: () => void;
}

type Question = Pick<ViewState, 'selection' | 'transforms' | 'tree' | 'zoomPath' | 'pickedPlace'>;

const questionOf = ({ zoomPath, pickedPlace, ...state }: ViewState): Question => ({
  ...inputsOf(state),
  zoomPath,
  pickedPlace,
});

/** An analysis that is outdated before it has ended is withdrawn. */
export function createViewAnalysis({
  view,
  functions,
  store,
  client,
  nextRevision,
  placed,
  onAnalysis,
}: Needs): ViewAnalysis {
  let running: Promise<void> | null = null;
  let asked: { readonly inputs: ViewInputs; readonly revision: number } | null = null;
  let shown: ViewInputs | null = null;
  /** The worker still has the analysis on screen. */
  let held = false;

  const upToDate = (): boolean => held && shown !== null && sameInputs(shown, store.get());

  async function ask(own: ProfileClient, { zoomPath, pickedPlace, ...inputs }: Question): Promise<Analysis> {
    asked = { inputs, revision: nextRevision() };
    const { revision } = asked;
    const question = { view, revision, ...inputs, zoom: zoomPath, picked: pickedPlace };
    const { made, ...analysis } = await own.call('analyze', question);
    return { ...analysis, functions: made === null ? null : joinFunctions(functions, made) };
  }

  function adopt(analysis: Analysis, inputs: ViewInputs): void {
    const { revision, picked, zoomNode } = analysis;
    shown = inputs;
    held = true;
    store.set({
      analysis,
      zoomNode,
      picked: picked === null ? null : { ...picked, revision },
      // They have nodes and weights of the analysis before.
      details: null,
      problem: null,
    });
    onAnalysis();
  }

  function end(problem: Problem | null): void {
    running = null;
    asked = null;
    store.set({ analysing: false, problem });
  }

  async function loop(own: ProfileClient): Promise<void> {
    for (;;) {
      await placed();
      const question = questionOf(store.get());
      try {
        const analysis = await ask(own, question);
        await placed();
        const now = store.get();
        const current = now.zoomPath === question.zoomPath && now.pickedPlace === question.pickedPlace;
        if (current && sameInputs(question, now)) adopt(analysis, inputsOf(question));
        else held = false;
      } catch (error) {
        const problem = toProblem(error);
        const outdated = !sameInputs(question, store.get());
        if (problem.code === 'cancelled') return end(null);
        if (!outdated) return end(problem);
      }
      if (upToDate()) return end(null);
    }
  }

  return {
    run: () => {
      const own = client();
      if (own === null) return Promise.resolve();
      if (running === null && upToDate()) {
        store.set({ problem: null });
        return Promise.resolve();
      }
      const outdated = asked !== null && !sameInputs(asked.inputs, store.get());
      if (outdated) void own.call('withdraw', { revision: asked!.revision }).catch(() => null);
      store.set({ analysing: true });
      return (running ??= loop(own));
    },
    shown: () => shown,
  };
}
