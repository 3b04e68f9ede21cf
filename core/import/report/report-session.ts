import type { Profile } from '../../model/profile.ts';
import { unsupported } from '../../model/failure.ts';
import { MAX_REPORT_BYTES, readReportCapture, readReportHtml } from './read-report.ts';
import type { ImportSession } from '../importer.ts';
import { wholeSession } from '../text/byte-collector.ts';
import { diagnostic } from '../../model/diagnostics.ts';

export const reportSession = (): ImportSession => wholeSession('a report', read, MAX_REPORT_BYTES);

function read(page: Uint8Array): Profile {
  const { report, captures } = readReportHtml(new TextDecoder().decode(page));
  const [first] = report.captures;
  if (first === undefined) {
    throw unsupported('the report is of a load test and has no captures; open it in a browser');
  }
  const profile = readReportCapture(captures.get(first.id)!);
  if (report.captures.length === 1) return profile;
  return {
    ...profile,
    diagnostics: [
      ...profile.diagnostics,
      diagnostic('more-captures', `The report has more captures; this is ${first.name}.`, {
        severity: 'info',
        count: report.captures.length,
        remedy: 'Drop the report on the window to open all of them.',
      }),
    ],
  };
}
