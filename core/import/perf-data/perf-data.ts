import type { Head, Importer, SniffResult } from '../importer.ts';
import { PerfDataSession } from './session.ts';

/** The second version in either byte order, then the first, which is rejected by name. */
const MAGICS = new Set(['PERFILE2', '2ELIFREP', 'PERFFILE', 'ELIFFREP']);

/** The output of `perf record`: files, and streams of `perf record -o -`. */
export const perfDataImporter: Importer = {
  id: 'perf-data',
  label: 'perf.data',
  extensions: ['data', 'perf.data', 'perf'],
  keeps:
    'every event with count and period; stacks with modules and offsets, names if symbols are available; threads, CPUs, times; the header',
  loses:
    'registers, copies of user stacks (--call-graph dwarf; `flamebench perf-script` has perf unwind them), branch stacks, raw data, hardware traces',
  recognizedBy: 'its first eight bytes, PERFILE2 in either byte order',
  specification: 'https://github.com/torvalds/linux/blob/master/tools/perf/Documentation/perf.data-file-format.txt',
  sniff: ({ bytes }: Head): SniffResult => (MAGICS.has(String.fromCharCode(...bytes.subarray(0, 8))) ? 'yes' : 'no'),
  start: () => new PerfDataSession(),
};
