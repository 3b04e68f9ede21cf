import type { NoteChange } from '#core/contract/notes.ts';
import type { ReportNote, Report } from '#core/contract/report/report.ts';
import type { Side } from '#core/contract/side.ts';
import type { CompareInput } from '../compare/compare.types.ts';
import type { CompareSeed } from '../compare/seed.ts';
import type { OpenTab } from '../tabs/open-tab.ts';
import { REPORT_MARK } from '../../../core/import/report/layout.ts';
import { captureFile, readReportHtml } from '../../../core/import/report/read-report.ts';

/** The workbench's functions for opening tabs. */
interface Opening {
  readonly compare: (seed: Pick<CompareSeed, Side> & Partial<CompareSeed>) => void;
  readonly fileInput: (file: File) => CompareInput;
  readonly openFile: (file: File) => void;
  readonly lastTab: () => OpenTab | undefined;
}

/** Opens all captures of a saved report, compared as the report compares them; any other page as a file. */
export async function openPage(file: File, { compare, fileInput, openFile, lastTab }: Opening): Promise<void> {
  const saved = await readSaved(file);
  if (saved === null || saved.report.captures.length === 0) return openFile(file);
  const { comparison, title, captures, notes } = saved.report;
  const added = (of: readonly ReportNote[]): NoteChange => ({ put: of.map(({ note }) => note), remove: [] });
  if (comparison === null) {
    for (const { id } of captures) {
      openFile(saved.files.get(id)!);
      const tab = lastTab();
      const own = notes.filter(({ on }) => on === id);
      if (tab?.kind === 'profile' && own.length > 0) tab.notes.change(added(own));
    }
    return undefined;
  }
  const { normalisation, rules, factors } = comparison;
  const side = (name: Side): CompareInput[] =>
    comparison[name].captures.map(({ capture, requests }, place) => ({
      ...fileInput(saved.files.get(capture)!),
      requests,
      ...(typeof factors === 'object' ? { size: factors[name][place]! } : {}),
    }));
  compare({ name: title, before: side('before'), after: side('after') });
  const tab = lastTab();
  if (tab?.kind !== 'compare') return undefined;
  tab.setOptions({ normalisation, rules });
  // Includes notes on single captures, since only the comparison is open to show them.
  if (notes.length > 0) tab.notes.change(added(notes));
  return undefined;
}

/** A saved report with its captures as separate files. */
interface SavedReport {
  readonly report: Report;
  /** By capture ID. */
  readonly files: ReadonlyMap<string, File>;
}

const HEAD_BYTES = 4096;

/** Returns null for a page that is not a report or is damaged; opening it as a profile then reports the error. */
async function readSaved(file: File): Promise<SavedReport | null> {
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
