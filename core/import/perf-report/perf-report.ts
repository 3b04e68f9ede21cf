import type { Importer } from '../importer.ts';
import { byLine } from '../text/line-session.ts';

/** What `perf report --stdio` prints, with call graphs of any order (`-g graph`, `folded`). */
export const perfReportImporter: Importer = {
  id: 'perf-report',
  label: 'perf report (text)',
  extensions: ['perf-report', 'txt'],
  keeps: 'self percentages of every function, by command; stacks of the call graphs; events, modules, the header',
  loses:
    'counts (weights are percentages with two decimals), threads, times, addresses; callers below the report’s limits, which are counted',
  recognizedBy: 'a head of columns, `# Children` or `# Overhead`, with dots below it',
  specification: 'https://github.com/torvalds/linux/blob/master/tools/perf/ui/stdio/hist.c',
  // Also with a field separator and without dots (`-t ,`), which is refused.
  sniff: ({ text }) => (/^# +(?:Overhead|Children)(?:\b.*\r?\n# \.\.\.\.| *[^ \w].*Symbol)/m.test(text) ? 'yes' : 'no'),
  start: async () => byLine(new (await import('./session.ts')).PerfReportSession()),
};
