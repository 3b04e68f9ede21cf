import type { Report } from '#core/contract/report.ts';
import { REPORT_MARK } from '../../../core/import/report/layout.ts';
import { captureFile, readReportHtml } from '../../../core/import/report/read-report.ts';

/** A saved report with its captures as separate files. */
interface SavedReport {
  readonly report: Report;
  /** By capture ID. */
  readonly files: ReadonlyMap<string, File>;
}

const HEAD_BYTES = 4096;

/** Returns null for a page that is not a report or is damaged; opening it as a profile then reports the error. */
export async function readSaved(file: File): Promise<SavedReport | null> {
  const head = await file.slice(0, HEAD_BYTES).text();
  if (!head.includes(REPORT_MARK)) return null;
  try {
    const { report, captures } = readReportHtml(await file.text());
    const files = new Map<string, File>();
    for (const { id, name } of report.captures) {
      const bytes = captureFile(captures.get(id)!);
      files.set(id, new File([bytes.slice()], `${name}.flamebench`));
    }
    return { report, files };
  } catch {
    return null;
  }
}
