import type { Notice } from '../workbench-state.ts';
import { compareAuditFailures } from '../../analysis/comparison/audit.ts';
import type { CompareTab } from './compare.types.ts';

/**
 * Whether what the window shows of a comparison sums up: its functions, its graphs, its captures and its self deltas, each from where it is
 * kept.
 */
export async function checkComparison(tab: CompareTab): Promise<Omit<Notice, 'id'>> {
  const { analysis: compared } = tab.store.get();
  if (compared === null) return { kind: 'info', text: 'There is no comparison to check.', remedy: null, action: null };
  const audit = await tab.ask('audit', { revision: compared.revision });
  const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
  const { before, after } = audit;
  const shown = {
    before: { ...before, table: sum(compared.self.before) + before.withoutStack, graph: compared.before.total },
    after: { ...after, table: sum(compared.self.after) + after.withoutStack, graph: compared.after.total },
    selfDelta: sum(compared.self.delta) + after.withoutStack - before.withoutStack,
    totalDelta: compared.whole.delta,
  };
  const failures = [...new Set([...compareAuditFailures(audit), ...compareAuditFailures(shown)])];
  if (failures.length === 0) {
    const text = 'The numbers agree: functions, graphs, captures and self deltas have the same sums on each side.';
    return { kind: 'info', text, remedy: null, action: null };
  }
  return {
    kind: 'error',
    text: `Numbers of this comparison differ: ${failures.join('; ')}.`,
    remedy: 'This is a bug: report it with the files and the steps that led here.',
    action: null,
  };
}
