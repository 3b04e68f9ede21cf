import type { DiagnosticCounter } from '../model/diagnostics.ts';

/** Notes a record of perf's that is no sample. `text`: from `PERF_RECORD_` on. */
export function noteRecord(diagnostics: DiagnosticCounter, text: string, line: number): void {
  const lost = /^PERF_RECORD_LOST\w*:? lost (\d+)/.exec(text)?.[1];
  const first = { line };
  if (lost === undefined) {
    diagnostics.add('other-record', 'Records that are no samples were left out.', { severity: 'info', first });
    return;
  }
  diagnostics.add('lost-samples', 'perf lost samples because its buffer was full.', {
    count: Number(lost),
    first,
    remedy: 'Record at a lower rate, with frame pointers instead of DWARF, or with a larger buffer (perf record -m).',
  });
}
