/** Downloads a file through the browser, which decides where it goes or asks. */
export function download(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  (document.querySelector('dialog[open]') ?? document.body).append(link);
  link.click();
  link.remove();
  // The browser reads the blob after the click; an hour is enough for any disk.
  setTimeout(() => URL.revokeObjectURL(url), 3_600_000);
}

const KNOWN_ENDINGS = /(\.(gz|zst|txt|json|folded|collapsed|pb|pprof|flamebench|perf|script|data|perf-script))+$/i;
const MAX_BASE = 100;

/**
 * Returns a file name: `before.perf.txt.gz` → `before-view.folded`. `whole` means that nothing is excluded or changed.
 */
export function exportFileName(source: string, extension: string, whole: boolean): string {
  const base = source
    .replace(KNOWN_ENDINGS, '')
    // Replaces characters that file systems refuse or read as part of a path.
    .replace(/[\u0000-\u001f\u007f<>:"/\\|?*]+/g, '_')
    .replace(/^\.+/, '')
    .slice(0, MAX_BASE);
  return `${base === '' ? 'profile' : base}${whole ? '' : '-view'}.${extension}`;
}

/** Downloads a table of a tab as CSV. */
export const saveCsv = (csv: string, title: string, table: string): void =>
  download(new Blob([csv], { type: 'text/csv;charset=utf-8' }), exportFileName(title, `${table}.csv`, true));
