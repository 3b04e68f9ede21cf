import type { AnalysedTab } from '../../state/tabs/open-tab.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import type { CopyForm, ShownTable } from '../../ui/table/table.types.ts';
import { loadPart } from '../../ui/load-part.ts';

/**
 * Returns a function that copies a table of a tab as it is on screen; `notes` returns the lines that say what its
 * numbers describe.
 */
export function useCopyTable(
  tab: AnalysedTab,
): (form: CopyForm, table: ShownTable, notes: () => Promise<readonly string[]>) => void {
  const workbench = useWorkbench();
  return (form, table, notes) => {
    loadPart(() => import('./copy-table.ts'))
      .then((part) => part.copyTable(workbench, tab, form, table, notes))
      .catch(workbench.report);
  };
}
