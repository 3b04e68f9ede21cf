import type { Importer } from '../importer.ts';
import { JsonSession } from '../text/json-session.ts';

/** What `perf data convert --to-json` writes. */
export const perfJsonImporter: Importer = {
  id: 'perf-json',
  label: 'perf data convert (JSON)',
  extensions: ['perf.json', 'json'],
  keeps: 'every sample with its time, CPU, thread and process; stacks with addresses and modules; the header',
  loses: 'nothing; the format itself has neither events nor periods, so each sample of any event counts as one',
  recognizedBy: 'JSON that begins with `linux-perf-json-version`',
  specification: 'https://github.com/torvalds/linux/blob/master/tools/perf/util/data-convert-json.c',
  sniff: ({ text }) => (/^\s*\{\s*"linux-perf-json-version"\s*:/.test(text) ? 'yes' : 'no'),
  start: async () => new JsonSession('a JSON file of perf', (await import('./build.ts')).buildPerfJson),
};
