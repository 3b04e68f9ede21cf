import type { ExperimentChange, ExperimentState } from '#core/contract/experiment.ts';
import type { CompareInput, CompareTab } from '../compare/compare.types.ts';
import { linkExperiment, type ExperimentLink } from '../compare/experiment-link.ts';
import type { ExperimentDependencies } from './open.ts';

export interface ExperimentLinks {
  readonly attach: (tab: CompareTab, state: ExperimentState) => void;
  readonly receive: (experiments: readonly ExperimentState[]) => void;
}

/** Keeps one link per open tab of an experiment. */
export function createExperimentLinks({ engine, store, tabs, report }: ExperimentDependencies): ExperimentLinks {
  const links = new Map<CompareTab, { readonly id: string; readonly link: ExperimentLink }>();
  const asked = new Set<CompareTab>();

  function attach(tab: CompareTab, state: ExperimentState): void {
    const { id } = state.experiment;
    links.get(tab)?.link.end(false);
    const save = (change: ExperimentChange): Promise<ExperimentState> =>
      engine.call('experiment.change', { id, change });
    const fileOf = (captureId: string): string =>
      store.get().captures?.find((capture) => capture.id === captureId)?.primaryFile ?? captureId;
    const inputOf = (captureId: string, requests: number | null): CompareInput =>
      tabs.captureInput(captureId, fileOf(captureId), requests);
    links.set(tab, { id, link: linkExperiment(tab, state, { save, inputOf, report }) });
  }

  async function ask(tab: CompareTab, id: string): Promise<void> {
    asked.add(tab);
    try {
      const state = await engine.call('experiment.get', { id });
      if (store.get().tabs.includes(tab) && tab.store.get().experimentId === id) attach(tab, state);
    } catch {
      // The experiment was moved to the trash; the comparison stays open, unsaved.
      tab.setExperiment(null);
    }
    asked.delete(tab);
  }

  function follow(): void {
    const { tabs: open } = store.get();
    for (const [tab, { id, link }] of links) {
      if (open.includes(tab) && tab.store.get().experimentId === id) continue;
      links.delete(tab);
      link.end(!open.includes(tab));
    }
    for (const tab of open) {
      if (tab.kind !== 'compare' || links.has(tab) || asked.has(tab)) continue;
      const { experimentId } = tab.store.get();
      if (experimentId !== null) void ask(tab, experimentId);
    }
  }

  store.subscribe(follow);
  return {
    attach,
    receive: (experiments) => {
      follow();
      for (const { id, link } of links.values()) {
        const state = experiments.find(({ experiment }) => experiment.id === id);
        if (state !== undefined) link.receive(state);
      }
    },
  };
}
