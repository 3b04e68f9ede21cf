import type { Head, Importer, SniffResult } from '../importer.ts';
import { byLine } from '../text/line-session.ts';
import { headLines } from '../text/text-lines.ts';
import { JSON_LINE } from './json-lines.ts';
import { COUNT, COUNTED_PROCESS, MAP_END, MAP_START, PROCESS, STACKCOUNT } from './patterns.ts';
import { readRecipeHeader } from './recipe-output.ts';

/**
 * Imports stacks with counts, as bpftrace prints its maps and as bcc's tools print them (profile, offcputime,
 * stackcount). The first line of Flamebench's own scripts describes their maps; see recipe-output.ts.
 */
export const bpftraceImporter: Importer = {
  id: 'bpftrace',
  label: 'bpftrace (text, JSON) and bcc stacks',
  extensions: ['bpftrace', 'bcc', 'txt', 'json'],
  keeps: 'stacks, counts, processes; every map of bpftrace; the rate and the unit that bcc’s tools state',
  loses: 'offsets in functions, maps without stacks, histograms',
  recognizedBy:
    'maps `@[` … `]: COUNT`, or JSON lines of `type` and `data` (`-f json`); or stacks that end in `-  COMM (PID)` or `COMM [PID]` and a count',
  specification: 'https://github.com/bpftrace/bpftrace/blob/master/man/adoc/bpftrace.adoc',
  sniff: sniffBpftrace,
  start: async () => byLine(new (await import('./session.ts')).BpftraceSession()),
};

/** Yes if a stack of a map is followed by its count, or a bcc stack by its process and count. */
function sniffBpftrace({ text, complete }: Head): SniffResult {
  let isMap = false;
  let isStackcount = false;
  let hasProcess = false;
  for (const line of headLines(text, complete)) {
    if (readRecipeHeader(line) !== null || JSON_LINE.test(line)) return 'yes';
    if (line.includes('`') && /^\s/.test(line)) return 'no';
    if (isMap) {
      if (MAP_END.test(line)) return 'yes';
    } else if (MAP_START.test(line)) isMap = !/\]: /.test(line);
    else if (STACKCOUNT.test(line)) isStackcount = true;
    else if (COUNT.test(line) && (hasProcess || isStackcount)) return 'yes';
    else hasProcess = PROCESS.test(line) || COUNTED_PROCESS.test(line);
  }
  return 'no';
}
