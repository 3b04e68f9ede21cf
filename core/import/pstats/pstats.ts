import type { Importer } from '../importer.ts';

/** What `python -m cProfile -o FILE` and `profile` write: times of functions and of their callers, without stacks. */
export const pstatsImporter: Importer = {
  id: 'pstats',
  label: 'cProfile (pstats)',
  extensions: ['pstats', 'prof'],
  keeps:
    'exact self times of functions with files and lines; times of calls; stacks are built from the call graph, which is an estimate',
  loses:
    'which caller’s calls cost more than others’ below them (each call of a function is taken to cost the same), depth of recursion, numbers of calls',
  recognizedBy: 'a dump of Python’s marshal that begins with a dictionary whose first key is a file, a line and a name',
  specification: 'https://docs.python.org/3/library/profile.html#pstats.Stats',
  sniff: ({ bytes: [dictionary = 0, tuple = 0, length, text = 0] }) =>
    (dictionary & 0x7f) === 0x7b &&
    (tuple & 0x7f) === 0x29 &&
    length === 3 &&
    'zZaAut'.includes(String.fromCharCode(text & 0x7f))
      ? 'yes'
      : 'no',
  start: async () => new (await import('./session.ts')).PstatsSession(),
};
