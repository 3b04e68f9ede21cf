import { type EngineAndStore, primaryFile } from './primary-file.ts';
import type { PendingComparison } from '#core/contract/contract.ts';
import type { CompareInput } from './compare/compare.types.ts';
import type { ExperimentActions } from './experiment-actions.ts';
import type { TabActions } from './tab-actions.ts';

/** Opens what the command line or the system named: experiments, and files and captures that are to be compared. */
export async function openNamed(
  needs: EngineAndStore & { readonly tabs: TabActions; readonly experiments: Pick<ExperimentActions, 'open'> },
  experimentIds: readonly string[],
  comparisons: readonly PendingComparison[],
): Promise<void> {
  const { tabs, experiments } = needs;
  const input = async (named: PendingComparison['before'][number]): Promise<CompareInput> =>
    named.kind === 'file'
      ? tabs.handleInput(named.file)
      : tabs.captureInput(named.id, await primaryFile(needs, named.id));
  for (const id of experimentIds) await experiments.open(id);
  for (const { before, after } of comparisons) {
    tabs.compare({ before: await Promise.all(before.map(input)), after: await Promise.all(after.map(input)) });
  }
}
