import type { Head, SniffResult } from '../importer.ts';
import { headLines } from '../text/text-lines.ts';

/** `key: value`. */
export const HEADER_LINE = /^([a-z]+): *(.*)$/;
export const HEADER_KEYS: ReadonlySet<string> = new Set(
  'version creator pid cmd part thread desc positions event events summary totals'.split(' '),
);

/** Yes for callgrind's first line, or for a header with events before functions. */
export function sniffCallgrind({ text, complete }: Head): SniffResult {
  let hasEvents = false;
  for (const line of headLines(text, complete)) {
    if (line.startsWith('# callgrind format')) return 'yes';
    if (/^\s*(?:#.*)?$/.test(line)) continue;
    const key = HEADER_LINE.exec(line)?.[1];
    if (key !== undefined && HEADER_KEYS.has(key)) hasEvents ||= key === 'events';
    else return hasEvents && /^(?:ob|fl|fi|fn)=/.test(line) ? 'yes' : 'no';
  }
  return hasEvents && !complete ? 'maybe' : 'no';
}
