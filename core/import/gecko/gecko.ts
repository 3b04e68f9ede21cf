import type { Head, Importer, SniffResult } from '../importer.ts';
import { JsonSession } from '../text/json-session.ts';

/**
 * Profiles of Firefox and the Firefox Profiler, also written by samply: as Gecko records them, and as the Profiler
 * saves them.
 */
export const geckoImporter: Importer = {
  id: 'gecko',
  label: 'Firefox Profiler',
  extensions: ['profile.json', 'json'],
  keeps:
    'threads, every sample with its time, weight and CPU time, stacks with addresses, modules, files, lines and inlining',
  loses: 'markers, counters, samples of allocations (which are counted), columns, names of subcategories',
  differences: true,
  recognizedBy: 'JSON with a `meta` of the profiler, or what the developer tools of older versions put around it',
  specification: 'https://github.com/firefox-devtools/profiler/tree/main/docs-developer',
  sniff: sniffGecko,
  start: async () => new JsonSession('a profile of Firefox', (await import('./profile.ts')).buildGecko),
};

function sniffGecko({ text }: Head): SniffResult {
  if (!/^\s*\{/.test(text) || /"traceEvents"\s*:/.test(text)) return 'no';
  const hasMeta = /"meta"\s*:\s*\{/.test(text);
  if (hasMeta && /"(preprocessedProfileVersion|stackwalk|processType|oscpu)"\s*:/.test(text)) return 'yes';
  const isWrapped = /^\s*\{\s*"label"\s*:\s*"[^"]*"\s*,\s*"duration"\s*:/.test(text);
  return isWrapped || /^\s*\{\s*"(libs|meta)"\s*:/.test(text) ? 'maybe' : 'no';
}
