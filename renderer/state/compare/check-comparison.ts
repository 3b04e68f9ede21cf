import { compareAuditFailures } from '../../analysis/comparison/audit.ts';
import type { CheckedAnalysis } from '../analysis/check-numbers.ts';
import type { CompareTab } from './compare.types.ts';

/** The weights of a comparison: its functions, graphs, captures and self deltas. */
export const checkedComparison = (tab: CompareTab): CheckedAnalysis => ({
  name: 'this comparison',
  nothing: 'There is no comparison to check.',
  check: async () => {
    const { analysis: compared } = tab.store.get();
    if (compared === null) return null;
    const audit = await tab.ask('audit', { revision: compared.revision });
    const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
    const { before, after } = audit;
    const shown = {
      before: { ...before, table: sum(compared.self.before) + before.withoutStack, graph: compared.before.total },
      after: { ...after, table: sum(compared.self.after) + after.withoutStack, graph: compared.after.total },
      selfDelta: sum(compared.self.delta) + after.withoutStack - before.withoutStack,
      totalDelta: compared.whole.delta,
    };
    return {
      failures: [...compareAuditFailures(audit), ...compareAuditFailures(shown)],
      agreement: 'The numbers agree: functions, graphs, captures and self deltas have the same sums on each side.',
    };
  },
});
