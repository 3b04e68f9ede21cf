import { auditFailures } from '../../analysis/profile/audit.ts';
import { WorkerFailure } from '../clients/worker-client.ts';
import { format } from '../../ui/format.ts';
import type { ProfileView } from './view.ts';
import type { Notice } from '../workbench-state.ts';

/**
 * Whether what the window shows of a view sums up: the function table with (no stack), the graph's root, and the selected samples less
 * what transforms leave out, each summed from where it is kept.
 */
export async function checkView(view: ProfileView): Promise<Omit<Notice, 'id'>> {
  for (;;) {
    await view.analyse();
    const { analysis, selection } = view.store.get();
    const client = view.client();
    if (analysis === null || client === null) return notice('info', 'There is no analysis to check.');
    try {
      const audit = await client.call('audit', { revision: analysis.revision });
      const shown = { ...audit, table: analysis.rows.self.reduce((sum, self) => sum + self, 0) };
      const failures = [...new Set([...auditFailures(audit), ...auditFailures(shown)])];
      const differs = analysis.total !== audit.graph || analysis.hidden !== audit.hidden;
      if (differs) failures.push(`the window shows ${analysis.total}, the worker has ${audit.graph}`);
      if (failures.length > 0) return notice('error', `Numbers of this view differ: ${failures.join('; ')}.`);
      const { unit } = view.profile.valueTypes[selection.valueType]!;
      const text = (weight: number): string => format.value(weight, unit);
      return notice(
        'info',
        `Numbers agree: functions ${text(audit.table)} + no stack ${text(audit.withoutStack)} = graph ${text(audit.graph)} = selected ${text(audit.selected)} − left out ${text(audit.hidden)}.`,
      );
    } catch (error) {
      const changed = error instanceof WorkerFailure && error.failure.code === 'stale';
      if (!changed) throw error;
    }
  }
}

function notice(kind: Notice['kind'], text: string): Omit<Notice, 'id'> {
  const remedy = kind === 'error' ? 'This is a bug: report it with the file and the steps that led here.' : null;
  return { kind, text, remedy, action: null };
}
