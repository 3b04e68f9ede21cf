import type { Head, Importer, SniffResult } from '../importer.ts';
import { JsonSession } from '../text/json-session.ts';

/** The output of `stackprof --json` for a dump that Ruby's StackProf recorded with `raw: true`. */
export const stackprofImporter: Importer = {
  id: 'stackprof',
  label: 'stackprof',
  extensions: ['stackprof.json', 'json'],
  keeps:
    'every stack with files and lines, times of samples, lines that ran where StackProf has them; mode and interval',
  loses: 'edges and sums by line, which follow from stacks; metadata of the user',
  recognizedBy: 'JSON with a `mode` (cpu, wall, object, custom) and numbers of `gc_samples`, or `frames` by number',
  specification: 'https://github.com/tmm1/stackprof#advanced-usage',
  sniff: sniffStackprof,
  start: async () => new JsonSession('a stackprof file', (await import('./build.ts')).buildStackprof),
};

function sniffStackprof({ text }: Head): SniffResult {
  if (!/^\s*\{/.test(text)) return 'no';
  const hasMode = /"mode"\s*:\s*"(?:cpu|wall|object|custom)"/.test(text);
  if (hasMode && /"(?:gc|missed)_samples"\s*:\s*\d/.test(text)) return 'yes';
  return /"frames"\s*:\s*\{\s*"\d+"\s*:\s*\{\s*"name"/.test(text) ? 'maybe' : 'no';
}
