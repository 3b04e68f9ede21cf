import type { Importer } from '../importer.ts';
import { JsonSession } from '../text/json-session.ts';

/** What Pyroscope's `/render` and `/render-diff` answer, and its window exports as JSON. */
export const flamebearerImporter: Importer = {
  id: 'flamebearer',
  label: 'Pyroscope flame graph (JSON)',
  extensions: ['flamebearer.json', 'json'],
  keeps: 'stacks, weights in their units, both sides of a diff, the name of the application, the sample rate',
  loses: 'the timeline; what the server left out as too small, which is in its frame `other`',
  recognizedBy: 'JSON with a `flamebearer` of `names` and `levels`',
  specification: 'https://grafana.com/docs/pyroscope/latest/reference-server-api/',
  sniff: ({ text }) => (/^\s*\{/.test(text) && /"flamebearer"\s*:\s*\{/.test(text) ? 'yes' : 'no'),
  start: async () => new JsonSession('a Pyroscope flame graph', (await import('./build.ts')).buildFlamebearer),
};
