import { createRedactor } from '#core/redact/identities.ts';
import { reportSource } from '../../state/reports/report-actions.ts';
import type { AnalysedTab } from '../../state/tabs/open-tab.ts';
import { exportFileName } from '../../state/transforms/export-file.ts';
import type { Workbench } from '../../state/workbench.ts';
import { copyText } from '../../ui/copy-text.ts';
import type { CopyForm, ShownTable } from '../../ui/table/table.types.ts';
import { copyPicture, REDACTED, tell } from './copy-report.ts';
import { drawTable } from './draw-table.ts';
import { tableDocument, tableMarkdown } from './table-document.ts';

/** Device pixels per CSS pixel of a picture. */
const SCALE = 2;

/** Copies a table of a tab as it is on screen, with its notes; users and hosts are replaced as in the tab's report. */
export async function copyTable(
  workbench: Workbench,
  tab: AnalysedTab,
  form: CopyForm,
  table: ShownTable,
  notes: () => Promise<readonly string[]>,
): Promise<void> {
  const source = reportSource(workbench, tab);
  if (source === null) return;
  const [{ replaced }, described] = await Promise.all([source.preview(source.initial), notes()]);
  const shown = tableDocument(source.name, table, described, createRedactor(replaced).apply);
  if (form === 'png') {
    const fileName = exportFileName(source.name, 'table.png', true);
    await copyPicture(workbench, await drawTable(shown, SCALE), { what: 'table', fileName });
    return;
  }
  await copyText(tableMarkdown(shown));
  tell(workbench, `Copied the table as Markdown; ${REDACTED}.`);
}
