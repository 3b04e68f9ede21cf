import { analysedTabs } from '../tabs/open-tab.ts';
import type { Workbench } from '../workbench.ts';

/** Opens a capture or an experiment of the library, by its id, and the builder of a report about it. */
export async function openForReport(workbench: Workbench, id: string): Promise<void> {
  const { store, library, experiments } = workbench;
  const isExperiment = store.get().experiments?.some(({ experiment }) => experiment.id === id) ?? false;
  await (isExperiment ? experiments.open(id) : library.open([id]));
  const tab = analysedTabs(store.get().tabs).find((one) =>
    one.kind === 'compare' ? one.store.get().experimentId === id : one.store.get().captureId === id,
  );
  if (tab !== undefined) workbench.showDialog({ kind: 'report', tab });
}
