import type { Profile } from '../../model/profile.ts';
import type { Importer, ImportSession } from '../importer.ts';
import { wholeSession } from '../text/byte-collector.ts';
import { decodeDocument } from '../../model/decode-text.ts';

const HTML = /^\s*<!doctype html>/i;
/** V8's maximum string length. */
const MAX_BYTES = 2 ** 29 - 24;

const textSession = (build: (text: string) => Profile): ImportSession =>
  wholeSession('a flame graph in HTML', (bytes) => build(decodeDocument(bytes).text), MAX_BYTES);

/** What async-profiler and jfrconv write with `-o flamegraph`. */
export const asyncProfilerHtmlImporter: Importer = {
  id: 'async-profiler-html',
  label: 'Flame graph of async-profiler (HTML)',
  extensions: ['flamegraph.html', 'html'],
  keeps: 'stacks and counts, kinds of code; the title',
  loses:
    'frames below the minimum width (they count as self weight of their callers), how many samples of a method were inlined or interpreted, deltas; a reversed graph stays reversed',
  recognizedBy: 'HTML with `const levels = Array(…)` and the calls that draw frames',
  specification: 'https://github.com/async-profiler/async-profiler/blob/master/src/res/flame.html',
  sniff: ({ text }) =>
    HTML.test(text) && /\b(?:const|var) levels = (?:new )?Array\(\d+\)/.test(text) && text.includes('async-profiler')
      ? 'yes'
      : 'no',
  start: async () => textSession((await import('./async-profiler.ts')).buildAsyncProfilerHtml),
};

/** What `memray flamegraph` writes. */
export const memrayHtmlImporter: Importer = {
  id: 'memray-html',
  label: 'Flame graph of memray (HTML)',
  extensions: ['flamegraph.html', 'html'],
  keeps: 'stacks with files and lines; bytes and numbers of allocations, threads',
  loses: 'source text, memory over time',
  recognizedBy: 'HTML with memray in its title',
  specification: 'https://bloomberg.github.io/memray/flamegraph.html',
  sniff: ({ text }) => (HTML.test(text) && /<title>[^<]*\bmemray\b/i.test(text) ? 'yes' : 'no'),
  start: async () => textSession((await import('./memray.ts')).buildMemrayHtml),
};
