import { patternsHere } from '#core/analyze/transforms/resolve-transforms.ts';
import type { ReportLoad } from '#core/contract/report/load.ts';
import { loadPart } from '../../ui/load-part.ts';
import type { Workbench } from '../workbench.ts';
import { choiceOf, type ReportSource } from './report-actions.ts';

const SUBJECT = { captures: [], comparison: null };

/** Returns the source of a report of load tests alone. It has no samples, so the page itself makes it. */
export function loadReportSource(workbench: Workbench, tests: readonly ReportLoad[]): ReportSource {
  const loads = [...tests];
  const name = loads.map((load) => load.name).join(' and ');
  const make = () => loadPart(() => import('../../analysis/profile/report/make-report.ts'));
  return {
    name,
    initial: { ...choiceOf(workbench, name), loads },
    preview: async (choice) => (await make()).previewReport(SUBJECT, choice, patternsHere),
    file: async (choice) => (await make()).reportFile(SUBJECT, choice, patternsHere),
    shown: null,
    add: null,
  };
}
