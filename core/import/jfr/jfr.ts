import type { Head, Importer, SniffResult } from '../importer.ts';

/** Recordings of the JDK's Flight Recorder and of async-profiler. */
export const jfrImporter: Importer = {
  id: 'jfr',
  label: 'Java Flight Recorder',
  extensions: ['jfr'],
  keeps:
    'every event that has stacks (CPU, wall clock, native code, allocations, locks, I/O, exceptions…) with its counts, durations and sizes; threads, times, lines, modules, inlining; states, classes, paths and contexts as labels',
  loses:
    'events without stacks, which are counted; signatures, bytecode indexes, whether a method was interpreted; arguments and environment',
  recognizedBy: 'its first four bytes, FLR and a zero',
  specification: 'https://github.com/openjdk/jdk/tree/master/src/jdk.jfr/share/classes/jdk/jfr/internal/consumer',
  sniff: ({ bytes }: Head): SniffResult => (String.fromCharCode(...bytes.subarray(0, 4)) === MAGIC ? 'yes' : 'no'),
  start: async () => new (await import('./session.ts')).JfrSession(),
};

const MAGIC = 'FLR\0';
