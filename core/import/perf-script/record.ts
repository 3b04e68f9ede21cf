import type { DiagnosticCounter } from '../../model/diagnostics.ts';
import { ImportFailure } from '../../model/failure.ts';

/** Of a record's line, which may be of any length. */
const MAX_TEXT = 200;

/** Notes a record of perf's that is no sample. `text`: from `PERF_RECORD_` on. */
export function noteRecord(diagnostics: DiagnosticCounter, text: string, line: number, clock: bigint | null): void {
  const lost = /^PERF_RECORD_LOST\w*:? lost (\d+)/.exec(text)?.[1];
  const first = { line };
  const moments = clock === null ? [] : [{ clock: String(clock), text: text.slice(0, MAX_TEXT) }];
  if (lost === undefined) {
    diagnostics.add('other-record', 'Records that are not samples were skipped.', { severity: 'info', first, moments });
    return;
  }
  diagnostics.add('lost-samples', 'perf lost samples because its buffer was full.', {
    count: Number(lost),
    first,
    moments,
    remedy: 'Record at a lower rate, with frame pointers instead of DWARF, or with a larger buffer (perf record -m).',
  });
}

/**
 * Headers alone are a capture in which nothing ran; other text is none, whatever format was forced on it. `otherLine`: the first line of
 * such text, 0 where there is none.
 */
export function noteNoSamples(diagnostics: DiagnosticCounter, otherLine: number): void {
  if (otherLine > 0) throw new ImportFailure('malformed', 'no line is a perf script event', { line: otherLine });
  diagnostics.add('no-samples', 'The input has no samples.', {
    remedy: 'Check that the recorded process ran, and that the event works on this machine (flamebench doctor).',
  });
}
