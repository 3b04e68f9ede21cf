import type { Notice } from '../state/workbench.ts';
import { compareAuditFailures } from '../worker/compare-audit.ts';
import type { CompareTab } from './compare.types.ts';

/** Whether the numbers of a comparison agree with one another, as a message. */
export async function checkComparison(tab: CompareTab): Promise<Omit<Notice, 'id'>> {
  const { compared } = tab.store.get();
  if (compared === null) return { kind: 'info', text: 'Nothing is compared yet.', remedy: null, action: null };
  const failures = compareAuditFailures(await tab.ask('audit', { revision: compared.revision }));
  if (failures.length === 0) {
    const text = 'The numbers agree: both graphs, the functions and the captures have the same sums, self deltas too.';
    return { kind: 'info', text, remedy: null, action: null };
  }
  return {
    kind: 'error',
    text: `The numbers contradict one another: ${failures.join('; ')}.`,
    remedy: 'Report it with the captures, if you can share them.',
    action: null,
  };
}
