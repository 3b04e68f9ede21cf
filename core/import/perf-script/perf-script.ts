import type { Head, Importer } from '../importer.ts';
import { PerfScriptSession } from './session.ts';
import { sniffPerfScript } from './sniff.ts';

/** The text that `perf script` prints, with or without call graphs, headers, periods and times. */
export const perfScriptImporter = {
  id: 'perf-script',
  label: 'perf script text',
  extensions: ['perf-script.txt', 'perf', 'linux-perf.txt', 'txt'],
  keeps:
    'stacks with addresses, modules, inlined frames and source lines; every event with count and period; threads, CPUs, times; the header',
  loses: 'the text of tracepoints, branch stacks and registers',
  recognizedBy: 'event lines (`comm pid time: period event:`), followed by frames (`address function (module)`)',
  specification: 'https://man7.org/linux/man-pages/man1/perf-script.1.html',
  sniff: (head: Head) => sniffPerfScript(head),
  start: () => new PerfScriptSession(),
} satisfies Importer;
