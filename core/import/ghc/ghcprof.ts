import type { Head, Importer, SniffResult } from '../importer.ts';
import { byLine } from '../text/line-session.ts';

/** Time and allocation reports of programs that GHC compiled for profiling, as text (`+RTS -p`, `-P`). */
export const ghcprofImporter: Importer = {
  id: 'ghcprof',
  label: 'GHC time and allocation report',
  extensions: ['prof'],
  keeps:
    'stacks of cost centres with modules, files and lines; shares of time and allocation, ticks and bytes if present (`-P`), entries',
  loses: 'columns of the source, the list of the heaviest cost centres, inherited shares (they follow from the stacks)',
  recognizedBy: '“Time and Allocation Profiling Report” in its first line',
  specification: 'https://downloads.haskell.org/ghc/latest/docs/users_guide/profiling.html',
  sniff: ({ text }: Head): SniffResult => (REPORT.test(text) ? 'yes' : 'no'),
  start: async () => byLine(new (await import('./session.ts')).GhcprofSession()),
};

const REPORT = /^\s*[^\n]{0,200}Time and Allocation Profiling Report/;
