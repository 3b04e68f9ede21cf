import type { Head, Importer, SniffResult } from '../importer.ts';
import { byLine } from '../text/line-session.ts';

/** Reports of macOS' `sample` command and of Activity Monitor's "Sample Process". */
export const macosSampleImporter: Importer = {
  id: 'macos-sample',
  label: 'macOS sample report',
  extensions: ['sample.txt', 'sample', 'txt'],
  keeps:
    'the call graph of every thread with counts, modules, addresses, files and lines; process, interval, system, start',
  loses: 'offsets in functions, paths of binaries; addresses of rows that stand for several',
  recognizedBy: 'the line `Analysis of sampling … every …`, or `Call graph:` with threads below',
  specification: 'https://keith.github.io/xcode-man-pages/sample.1.html',
  sniff: sniffSample,
  start: async () => byLine(new (await import('./session.ts')).SampleSession()),
};

function sniffSample({ text }: Head): SniffResult {
  if (/^Analysis of sampling .+ every \d/m.test(text)) return 'yes';
  return /^Call graph:[ \r]*\n *\d+ Thread_/m.test(text) ? 'yes' : 'no';
}
