import { auditFailures } from '../../analysis/profile/audit.ts';
import { format } from '../../ui/format.ts';
import type { CheckedAnalysis } from '../analysis/check-numbers.ts';
import type { ProfileView } from './view.ts';

/**
 * The weights of a view: the function table with (no stack), the graph's root, and the selected samples minus those
 * hidden by transforms.
 */
export const checkedView = (view: ProfileView): CheckedAnalysis => ({
  name: 'this view',
  nothing: 'There is no analysis to check.',
  check: async () => {
    await view.analyse();
    const { analysis, selection } = view.store.get();
    const client = view.client();
    if (analysis === null || client === null) return null;
    const audit = await client.call('audit', { revision: analysis.revision });
    const shown = { ...audit, table: analysis.rows.self.reduce((sum, self) => sum + self, 0) };
    const differs = analysis.total !== audit.graph || analysis.hidden !== audit.hidden;
    const { unit } = view.profile.valueTypes[selection.valueType]!;
    const text = (weight: number): string => format.value(weight, unit);
    return {
      failures: [
        ...auditFailures(audit),
        ...auditFailures(shown),
        ...(differs ? [`the window shows ${analysis.total}, the worker has ${audit.graph}`] : []),
      ],
      agreement: `Numbers agree: functions ${text(audit.table)} + no stack ${text(audit.withoutStack)} = graph ${text(audit.graph)} = selected ${text(audit.selected)} − left out ${text(audit.hidden)}.`,
    };
  },
});
