import type { Head, Importer, SniffResult } from '../importer.ts';

/**
 * CPU profiles of V8 as written by `node --cpu-prof` and Chrome's DevTools, including the tree of Node before version
 * 8.
 */
export const cpuprofileImporter: Importer = {
  id: 'cpuprofile',
  label: 'V8 CPU profile',
  extensions: ['cpuprofile', 'json'],
  keeps:
    'stacks with files and lines, every sample with its time, the counts of hits; idle, program and garbage collection as such',
  loses: 'columns (functions that begin on one line stay apart), hits per line, reasons of deoptimisation',
  recognizedBy: 'JSON with `nodes` or `head` of functions, and `samples`',
  specification: 'https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile',
  sniff: sniffCpuprofile,
  start: async () => (await import('./cpuprofile-json.ts')).cpuprofileSession(),
};

function sniffCpuprofile({ text }: Head, fileName: string): SniffResult {
  if (!/^\s*\{/.test(text) || /"(traceEvents|\$schema)"\s*:/.test(text)) return 'no';
  if (/"nodes"\s*:\s*\[\s*\{[^{}]*"callFrame"\s*:/.test(text)) return 'yes';
  if (/"selfSize"\s*:/.test(text)) return 'no';
  if (/"head"\s*:\s*\{[^{}]*"(functionName|hitCount|callUID)"\s*:/.test(text)) return 'yes';
  const startsWithColumns = /^\s*\{\s*"(samples|timeDeltas|timestamps|startTime|endTime)"\s*:/.test(text);
  return startsWithColumns && /\.cpuprofile(\.gz|\.zst)?$/i.test(fileName) ? 'maybe' : 'no';
}
