/** What the bundled samples show, by the beginning of their names; the most specific first. See samples/README.md. */
const SENTENCES: readonly (readonly [string, string])[] = [
  [
    'page-server, before ↔ after',
    'Routes move into a hash table: match_route is gone, the server needs a fifth less CPU.',
  ],
  ['page-server, before', 'A web server in C that tries 1,600 patterns to find a route: 18 % of its CPU time.'],
  ['page-server, after', 'The same server with a hash table of routes.'],
  ['apiserver, before ↔ after', 'A middleware that dumps bodies is switched off: it took over half of the CPU time.'],
  ['apiserver, before', 'A Go service whose middleware dumps every body to the log.'],
  ['apiserver, after', 'The same service without the dump, and without its garbage.'],
  ['catalog-service', 'A Go service that renders templates, compiles regular expressions and compresses JSON.'],
];

/** Returns one sentence on what a sample shows; null for one that is not known. */
export const sampleSentence = (name: string): string | null =>
  SENTENCES.find(([start]) => name.startsWith(start))?.[1] ?? null;
