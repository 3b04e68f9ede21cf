import type { AnalysedTab } from '../../state/tabs/open-tab.ts';
import { exportReportFile, reportSource } from '../../state/reports/report-actions.ts';
import { download, exportFileName } from '../../state/transforms/export-file.ts';
import type { Workbench } from '../../state/workbench.ts';

/** Saves the graph that a tab shows as a file. */
export async function saveGraph(workbench: Workbench, tab: AnalysedTab, format: 'png' | 'svg'): Promise<void> {
  const source = reportSource(workbench, tab);
  if (source === null) return;
  download(await exportReportFile(source, format), exportFileName(source.name, format, true));
}

/** Copies what a tab shows to the clipboard; if the browser cannot copy pictures, saves a file instead. */
export async function copyReport(
  workbench: Workbench,
  tab: AnalysedTab,
  format: 'md' | 'png' | 'svg',
  copyText: (text: string) => Promise<void>,
): Promise<void> {
  const source = reportSource(workbench, tab);
  if (source === null) return;
  const file = await exportReportFile(source, format);
  if (format === 'png') {
    await copyPicture(workbench, file, { what: 'graph', fileName: exportFileName(source.name, 'png', true) });
    return;
  }
  await copyText(await file.text());
  const what = format === 'md' ? 'Copied as Markdown' : 'Copied the graph as SVG';
  tell(workbench, `${what}; ${REDACTED}.`);
}

export const REDACTED = 'users and hosts are replaced with placeholders';

export function tell(workbench: Workbench, text: string): void {
  workbench.notify({ kind: 'info', text, remedy: null, action: null });
}

/** Copies a picture; if the browser cannot, saves it. */
export async function copyPicture(
  workbench: Workbench,
  file: Blob,
  { what, fileName }: { readonly what: string; readonly fileName: string },
): Promise<void> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': file })]);
    tell(workbench, `Copied the ${what} as PNG.`);
  } catch {
    download(file, fileName);
    tell(workbench, `The clipboard does not accept pictures here; the ${what} was saved as PNG instead.`);
  }
}
