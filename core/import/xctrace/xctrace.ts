import type { Head, Importer, SniffResult } from '../importer.ts';

/** Tables with backtraces from an Instruments trace, as `xctrace export` writes them. */
export const xctraceImporter: Importer = {
  id: 'xctrace',
  label: 'xctrace XML',
  extensions: ['xctrace.xml', 'xml'],
  keeps: 'every row with its time, CPU, thread and weight; stacks with binaries, addresses, files and lines that ran',
  loses: 'states of threads, tables without backtraces (whose rows are counted), load addresses and UUIDs',
  recognizedBy: 'XML with a root `trace-query-result`',
  specification: 'https://keith.github.io/xcode-man-pages/xctrace.1.html',
  sniff: sniffXctrace,
  start: async () => new (await import('./session.ts')).XctraceSession(),
};

function sniffXctrace({ text }: Head): SniffResult {
  return /^\s*(?:<[?!][^>]*>\s*){0,9}<trace-(?:query-result|toc)[\s>]/.test(text) ? 'yes' : 'no';
}
