import type { Head, Importer, SniffResult } from '../importer.ts';
import { decodeText } from '../../model/decode-text.ts';
import { PerfScriptSession } from './session.ts';
import { HASH_SIGN, skipBlanks } from './bytes.ts';
import { EventLine } from './event-line.ts';
import { looksLikeFrame } from './frame-line.ts';
import { linesOf } from '../text/text-lines.ts';
import { PerfWarnings } from './warnings.ts';

/** The text that `perf script` prints, with or without call graphs, headers, periods and times. */
export const perfScriptImporter = {
  id: 'perf-script',
  label: 'perf script text',
  extensions: ['perf-script.txt', 'perf', 'linux-perf.txt', 'txt'],
  keeps:
    'stacks with addresses, modules, inlined frames and source lines; every event with count and period; threads, CPUs, times; the header',
  loses: 'the text of tracepoints, branch stacks and registers',
  recognizedBy: 'event lines (`comm pid time: period event:`), followed by frames (`address function (module)`)',
  specification: 'https://man7.org/linux/man-pages/man1/perf-script.1.html',
  sniff: (head: Head) => sniffPerfScript(head),
  start: () => new PerfScriptSession(),
} satisfies Importer;

/** Lines that occur only in perf's header. */
const HEADER = /^# (?:perf version|cmdline|captured on|os release)\s*:/m;
/**
 * Maximum lines before the first event line: the rest of a stack in a file that lost its beginning, or warnings from
 * perf.
 */
const MAX_STRAY_LINES = 500;

/**
 * Yes if the first line that is neither a comment nor a warning of perf is an event line with a time or with frames below it. Maybe if one comes
 * later, after only frames. Otherwise no.
 */
function sniffPerfScript(head: Head): SniffResult {
  const bytes = head.bytes[0] === 0xef ? head.bytes.subarray(3) : head.bytes;
  const event = new EventLine();
  const warnings = new PerfWarnings();
  let strayLines = 0;
  const lines = [...linesOf(bytes, head.complete)];
  for (const [row, [start, end]] of lines.entries()) {
    let isText = bytes[start] !== HASH_SIGN && skipBlanks(bytes, start, end) < end;
    if (isText && !event.parseTimed(bytes, start, end) && warnings.accepts(decodeText(bytes.subarray(start, end)).text))
      isText = false;
    if (isText && event.parse(bytes, start, end) && isSure(event, bytes, lines[row + 1]))
      return strayLines === 0 ? 'yes' : 'maybe';
    if (isText && (!looksLikeFrame(bytes, start, end) || strayLines >= MAX_STRAY_LINES)) return 'no';
    if (isText) strayLines += 1;
  }
  return strayLines === 0 && HEADER.test(head.text) ? 'yes' : 'no';
}

/** Other text may contain `word 12 word:`, so without a time, CPU or period a frame must follow. */
function isSure(event: EventLine, bytes: Uint8Array, [start, end]: readonly [number, number] = [0, 0]): boolean {
  const isNamed = event.kind === 'record' || event.eventEnd > event.eventStart;
  return (event.hasTime && isNamed) || looksLikeFrame(bytes, start, end);
}
