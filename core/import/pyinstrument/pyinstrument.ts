import type { Importer } from '../importer.ts';
import { JsonSession } from '../text/json-session.ts';

/** What `pyinstrument -r json` writes. */
export const pyinstrumentImporter: Importer = {
  id: 'pyinstrument',
  label: 'pyinstrument (JSON)',
  extensions: ['pyinstrument.json', 'json'],
  keeps: 'the call tree with times in microseconds, files and lines of functions; start, duration',
  loses: 'times of samples and threads, which pyinstrument has merged; time awaited, which is part of the time',
  recognizedBy: 'JSON with `start_time`, `duration` and a `root_frame`',
  specification: 'https://pyinstrument.readthedocs.io/en/latest/reference.html#pyinstrument.renderers.JSONRenderer',
  sniff: ({ text }) => (/^\s*\{\s*"start_time"\s*:[^{]*"duration"\s*:[^{]*"root_frame"\s*:/.test(text) ? 'yes' : 'no'),
  start: async () => new JsonSession('a file of pyinstrument', (await import('./build.ts')).buildPyinstrument),
};
