import type { ExperimentState } from '#core/contract/experiment.ts';
import type { Side } from '#core/contract/side.ts';
import { INITIAL_COMPARE_LOOK, type CompareInput } from '../compare/compare.types.ts';
import { serialiseComparison } from '../compare/document.ts';
import type { ComparisonDocument } from '../compare/document-schema.ts';
import type { CompareSeed } from '../compare/seed.ts';
import { primaryFile } from '../opening/sources.ts';
import type { TabActions } from '../opening/actions.ts';
import type { TransferActions } from '../transfer-actions.ts';
import type { Reporting, EngineAndStore } from '../workbench-state.ts';

export interface ExperimentDependencies extends EngineAndStore, Reporting {
  readonly tabs: TabActions;
  readonly transfers: TransferActions;
}

/**
 * Opens an experiment, or activates its tab if it is open, and says which of its captures are missing. One under load
 * whose captures can't be compared opens as its result.
 */
export async function openExperiment(
  needs: ExperimentDependencies,
  id: string,
  seen: ComparisonDocument | null,
): Promise<void> {
  const { engine, store, tabs } = needs;
  const shown = store.get().tabs.find((tab) => tab.kind === 'compare' && tab.store.get().experimentId === id);
  if (shown !== undefined) {
    tabs.activate(shown.id);
    return;
  }
  const state = await engine.call('experiment.get', { id });
  const { loads, before, after } = state.experiment;
  // Without captures of both sides, there are only its load tests to compare.
  if (loads !== undefined && (before.captures.length === 0 || after.captures.length === 0)) {
    tabs.openLoad({ page: 'experiment', shown: id });
    return;
  }
  tabs.compare(await seedOf(needs, state, seen));
  notifyMissing(needs, state);
}

/** With `seen`, the look, search and zoom of a comparison that was kept elsewhere. */
export async function seedOf(
  needs: ExperimentDependencies,
  state: ExperimentState,
  seen: ComparisonDocument | null,
): Promise<CompareSeed> {
  const { id, name, before, after, options } = state.experiment;
  return {
    name,
    experimentId: id,
    before: await inputs(needs, state, 'before'),
    after: await inputs(needs, state, 'after'),
    document: serialiseComparison({
      name,
      before,
      after,
      options,
      look: seen?.look ?? INITIAL_COMPARE_LOOK,
      searchText: seen?.search ?? '',
      zoomPath: seen?.zoom ?? [],
    }),
  };
}

function notifyMissing(
  { engine, notify, report }: ExperimentDependencies,
  { experiment, missing }: ExperimentState,
): void {
  const [first, ...others] = missing;
  if (first === undefined) return;
  const trashed = missing.filter(({ why }) => why === 'trashed');
  const restore = async (): Promise<void> => {
    for (const { id } of trashed) await engine.call('library.restore', { id });
  };
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  notify({
    kind: 'info',
    text: `${experiment.name}: missing: ${first.name}${more}.`,
    remedy:
      trashed.length === 0
        ? 'The others are compared.'
        : 'The others are compared. Captures in the trash can be restored.',
    action: trashed.length === 0 ? null : { label: 'Restore', run: () => void restore().catch(report) },
    stays: true,
  });
}

async function inputs(needs: ExperimentDependencies, state: ExperimentState, side: Side): Promise<CompareInput[]> {
  const gone = new Set(state.missing.map(({ id }) => id));
  const present = state.experiment[side].captures.filter(({ id }) => !gone.has(id));
  return Promise.all(
    present.map(async ({ id, requests }) => needs.tabs.captureInput(id, await primaryFile(needs, id), requests)),
  );
}
