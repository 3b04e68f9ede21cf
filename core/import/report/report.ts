import { REPORT_MARK } from './layout.ts';
import type { Importer } from '../importer.ts';

/** A report that Flamebench saved: the page contains its captures. */
export const reportImporter: Importer = {
  id: 'report',
  label: 'Flamebench report',
  extensions: ['report.html'],
  keeps:
    'the first capture of the report, as the report has it; the window and `flamebench report` open all of them, with comparison and notes',
  loses: 'what was left out or replaced when the report was saved',
  recognizedBy: 'an HTML page that Flamebench marked',
  specification: 'docs/reports.md',
  sniff: ({ text }) => (text.includes(REPORT_MARK) ? 'yes' : 'no'),
  start: async () => (await import('./report-session.ts')).reportSession(),
};
