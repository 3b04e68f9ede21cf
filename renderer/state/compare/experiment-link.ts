import type { Experiment, ExperimentChange, ExperimentState } from '#core/contract/experiment.ts';
import { SIDES, type Side } from '#core/contract/side.ts';
import type { CompareInput, CompareTab } from './compare.types.ts';
import { changeBetween, draftOf } from './experiment-changes.ts';

/** Synchronises a tab with its experiment. */
export interface ExperimentLink {
  /** Applies a change made by another window, a recording or the library panel. */
  readonly receive: (state: ExperimentState) => void;
  /** Saves pending changes immediately. */
  readonly flush: () => Promise<void>;
  /** Ends the link; `save` saves pending changes first. */
  readonly end: (save: boolean) => void;
}

interface ExperimentLinkDependencies {
  readonly save: (change: ExperimentChange) => Promise<ExperimentState>;
  readonly inputOf: (captureId: string, requests: number | null) => CompareInput;
  readonly report: (error: unknown) => void;
}

/** Pause after a change before it is saved, in ms. */
const SAVE_MS = 400;

/**
 * Saves changes made in the tab and applies changes made elsewhere. `first` is the experiment from which the tab was
 * created. A capture missing from the library is not in the tab but stays in the experiment.
 */
export function linkExperiment(
  tab: CompareTab,
  first: ExperimentState,
  { save, inputOf, report }: ExperimentLinkDependencies,
): ExperimentLink {
  let known = first;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saving: Promise<void> | null = null;
  let receiving = false;

  const present = ({ experiment, missing }: ExperimentState): Experiment => {
    const gone = new Set(missing.map(({ id }) => id));
    const side = (name: Side) => ({
      ...experiment[name],
      captures: experiment[name].captures.filter(({ id }) => !gone.has(id)),
    });
    return { ...experiment, before: side('before'), after: side('after') };
  };
  const pending = (): ExperimentChange | null => changeBetween(present(known), draftOf(tab.store.get()));

  async function run(): Promise<void> {
    let last: ExperimentChange | null = null;
    for (let change = pending(); change !== null; change = pending()) {
      // The engine may trim a name; sending it again would loop.
      if (same(change, last)) break;
      last = change;
      known = await save(change);
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    saving ??= run()
      .catch(report)
      .finally(() => {
        saving = null;
      });
    return saving;
  }

  function receive(state: ExperimentState): void {
    if (saving !== null || same(state, known)) return;
    // Reapplies local changes on top of the received state.
    const own = pending();
    known = state;
    if (own === null) showQuietly(state);
    else void flush();
  }

  function show(experiment: Experiment): void {
    const differs = (): ExperimentChange | null => changeBetween(experiment, draftOf(tab.store.get()));
    if (differs()?.swap === true) tab.swap();
    const change = differs();
    if (change === null) return;
    if (tab.store.get().name !== experiment.name) tab.rename(experiment.name);
    for (const side of SIDES) {
      const { captures, valueType, threads, timeRange } = experiment[side];
      const wanted = new Map(captures.map(({ id, requests }) => [id, requests]));
      const requests = new Map<number, number | null>();
      for (const { key, origin, requests: now } of tab.store.get()[side].captures) {
        if (origin.kind !== 'capture') continue;
        const given = wanted.get(origin.id);
        if (given === undefined) tab.remove(key);
        else if (given !== now) requests.set(key, given);
        wanted.delete(origin.id);
      }
      if (requests.size > 0) tab.setRequests(requests);
      if (wanted.size > 0)
        tab.add(
          side,
          Array.from(wanted, ([id, served]) => inputOf(id, served)),
        );
      const sideChange = change[side];
      if (sideChange !== undefined && ['valueType', 'threads', 'timeRange'].some((field) => field in sideChange)) {
        tab.choose(side, { valueType, threads, timeRange });
      }
    }
    if (change.options !== undefined) tab.setOptions(experiment.options);
  }

  function showQuietly(state: ExperimentState): void {
    receiving = true;
    show(present(state));
    receiving = false;
  }

  // A tab restored from an earlier session may be older than its experiment.
  showQuietly(first);
  const stop = tab.store.subscribe(() => {
    if (receiving) return;
    clearTimeout(timer);
    if (pending() !== null) timer = setTimeout(() => void flush(), SAVE_MS);
  });

  return {
    receive,
    flush,
    end: (isSaved) => {
      stop();
      clearTimeout(timer);
      if (isSaved) void flush();
    },
  };
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
