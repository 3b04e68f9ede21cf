import { toProblem } from '../problem.ts';
import type { Problem } from '../../ui/problem.ts';
import type { Store } from '../store.ts';
import type { CompareClient } from '../clients/worker-client.ts';
import type { Compared } from '../../analysis/compare-protocol.ts';
import type { CompareState } from './compare.types.ts';
import { questionOf } from './sides.ts';

/** Keeps the comparison up to what the user chose, one at a time. */
export interface CompareAsking<Choices> {
  /** Ends once the newest question is answered or refused, or can't be asked. */
  readonly run: () => Promise<void>;
  /** What was chosen for the comparison on screen; null where there is none. */
  readonly shown: () => Choices | null;
}

interface Needs<Choices> {
  readonly store: Store<CompareState>;
  readonly client: () => CompareClient | null;
  /** Unlike any that another worker of the tab had. */
  readonly nextRevision: () => number;
  /** What is chosen now. */
  readonly choices: () => Choices;
  /** Ends once the names of the places to find again are known. */
  readonly placed: () => Promise<void>;
  readonly onCompared: () => void;
}

type Places = Pick<CompareState, 'zoomPath' | 'pickedPlace'>;

/** A comparison that is outdated before it has ended is withdrawn. */
export function createCompareAsking<Choices>(needs: Needs<Choices>): CompareAsking<Choices> {
  const { store, client, nextRevision, placed, onCompared } = needs;
  let running: Promise<void> | null = null;
  let asked: { readonly key: string; readonly revision: number } | null = null;
  /** `key`: of the question that the worker has the answer to. */
  let shown: { readonly key: string; readonly choices: Choices } | null = null;

  const keyNow = (): string => JSON.stringify(questionOf(store.get()));

  async function compare(own: CompareClient, key: string): Promise<Compared | null> {
    const question = questionOf(store.get());
    if (question === null) return null;
    const revision = nextRevision();
    asked = { key, revision };
    let places: Places = store.get();
    const compared = await own.call('analyze', { ...question, ...asPlaces(places), revision });
    let found: Pick<Compared, 'zoomNode' | 'picked'> = compared;
    for (;;) {
      await placed();
      const { zoomPath, pickedPlace } = store.get();
      if (zoomPath === places.zoomPath && pickedPlace === places.pickedPlace) return { ...compared, ...found };
      places = { zoomPath, pickedPlace };
      found = await own.call('find-places', { ...asPlaces(places), revision: compared.revision });
    }
  }

  function adopt(compared: Compared, key: string, choices: Choices): void {
    shown = { key, choices };
    const { zoomNode, picked } = compared;
    store.set({ compared, zoomNode, picked, hovered: null, problem: null });
    onCompared();
  }

  function end(problem: Problem | null): void {
    running = null;
    asked = null;
    store.set({ comparing: null, problem });
  }

  async function loop(own: CompareClient): Promise<void> {
    for (;;) {
      await placed();
      const [key, choices] = [keyNow(), needs.choices()];
      try {
        const compared = await compare(own, key);
        if (client() !== own) return;
        if (compared === null) {
          // What was on screen is of captures that are gone.
          shown = null;
          store.set({ compared: null, picked: null, hovered: null });
          return end(null);
        }
        adopt(compared, key, choices);
      } catch (error) {
        const problem = toProblem(error);
        if (client() !== own) return;
        if (problem.code !== 'withdrawn' && key === keyNow()) return end(problem);
      }
      if (shown?.key === keyNow()) return end(null);
    }
  }

  return {
    run: () => {
      const own = client();
      if (own === null) return Promise.resolve();
      const key = keyNow();
      if (running === null && shown?.key === key) {
        // Captures that can't be read may have come or gone.
        shown = { key, choices: needs.choices() };
        store.set({ problem: null });
        return Promise.resolve();
      }
      if (asked !== null && asked.key !== key) void own.call('withdraw', asked).catch(() => null);
      store.set({ comparing: { step: 'measure', done: 0 } });
      return (running ??= loop(own));
    },
    shown: () => shown?.choices ?? null,
  };
}

const asPlaces = ({ zoomPath, pickedPlace }: Places) => ({ zoom: zoomPath, picked: pickedPlace });
