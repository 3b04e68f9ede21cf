import type { Head, Importer, SniffResult } from '../importer.ts';
import { byLine } from '../text/line-session.ts';
import { headLines } from '../text/text-lines.ts';
import { COUNT, HEADING, isDtraceFrame } from './lines.ts';

/** DTrace's output for `@[ustack()] = count()` and the like: stacks, each followed by its count. */
export const dtraceImporter: Importer = {
  id: 'dtrace',
  label: 'DTrace stacks',
  extensions: ['dtrace', 'stacks', 'txt'],
  keeps:
    'stacks with modules, counts, addresses without a symbol; keys before a stack as thread; DTrace’s own messages',
  loses:
    'offsets in functions, aggregations without stacks; several aggregations add up, since the format does not tell them apart',
  recognizedBy:
    'indented frames (module`function+0x…), leaf first, then a count; or DTrace’s heading `CPU ID FUNCTION:NAME`',
  specification: 'https://illumos.org/books/dtrace/chp-aggs.html',
  sniff: sniffDtrace,
  start: async () => byLine(new (await import('./session.ts')).DtraceSession()),
};

function sniffDtrace({ text, complete }: Head): SniffResult {
  let frames = 0;
  for (const line of headLines(text, complete)) {
    if (HEADING.test(line)) return 'yes';
    if (!/^\s/.test(line)) frames = 0;
    else if (COUNT.test(line) && frames > 0) return 'yes';
    else if (line.includes('`') && isDtraceFrame(line.trim())) frames += 1;
  }
  return 'no';
}
