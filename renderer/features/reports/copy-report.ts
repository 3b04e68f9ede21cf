import type { OpenTab } from '../../state/tabs/open-tab.ts';
import { quickFile, reportSource } from '../../state/reports/report-actions.ts';
import { download, exportFileName } from '../../state/transforms/export-file.ts';
import type { Workbench } from '../../state/workbench.ts';

/** Copies what a tab shows to the clipboard; if the browser cannot copy pictures, saves a file instead. */
export async function copyReport(
  workbench: Workbench,
  tab: OpenTab,
  format: 'md' | 'png' | 'svg',
  copyText: (text: string) => Promise<void>,
): Promise<void> {
  const source = reportSource(workbench, tab);
  if (source === null) return;
  const file = await quickFile(source, format);
  const told = (text: string): void => workbench.notify({ kind: 'info', text, remedy: null, action: null });
  if (format !== 'png') {
    await copyText(await file.text());
    told(
      `${format === 'md' ? 'Copied as Markdown' : 'Copied the graph as SVG'}; users and hosts are replaced by tokens.`,
    );
    return;
  }
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': file })]);
    told('Copied the graph as PNG.');
  } catch {
    download(file, exportFileName(source.name, 'png', true));
    told('The clipboard takes no pictures here: the graph was saved as PNG.');
  }
}
