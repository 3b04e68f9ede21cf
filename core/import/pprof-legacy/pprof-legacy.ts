import type { Head, Importer, SniffResult } from '../importer.ts';
import { headOf, legacyKind, readCpuHeader } from './headers.ts';

/**
 * Formats that profilers wrote before profile.proto: gperftools, tcmalloc, jemalloc, Go with `debug=1`, the Java agent.
 */
export const pprofLegacyImporter: Importer = {
  id: 'pprof-legacy',
  label: 'pprof, older formats',
  extensions: ['prof', 'heap', 'cpu', 'contention', 'growth', 'thread', 'txt'],
  keeps:
    'stacks with addresses and modules; names, files and lines that Go and Java write, symbols from binaries known to be the recorded ones; what samples represent; sizes, threads, labels, period, duration',
  loses: 'names in thread dumps, which pprof also reads from the binary; offsets of mappings',
  recognizedBy:
    'the words 0, 3, 0 or 1 of gperftools’ CPU profiler in either byte order; or a first line such as `heap profile:`, `heap_v2/`, `goroutine profile: total`, `--- contention:`, `--- threadz`',
  specification: 'https://github.com/google/pprof/blob/main/profile/legacy_profile.go',
  sniff: sniffLegacy,
  start: async () => new (await import('./session.ts')).LegacySession(),
};

function sniffLegacy({ bytes, text }: Head): SniffResult {
  if (readCpuHeader(bytes) !== null) return 'yes';
  const first = text.split('\n').find((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
  return first !== undefined && legacyKind(first.trim(), headOf(bytes)) !== null ? 'yes' : 'no';
}
