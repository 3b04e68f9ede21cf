import { correctedRecording } from '#core/contract/corrected-recording.ts';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import type { CaptureDocument, PerfOptions, ProcessRow } from '#core/contract/schemas.ts';
import { LOCAL_TARGET, type TargetRow } from '#core/contract/target.ts';
import type { OpenDialog } from '../../state/workbench-state.ts';
import type { RecordForm } from '../../state/record/record-form.ts';

/** The record dialog with what would make the capture better, and what that is called; null where there is nothing. */
export function recordAgain(
  capture: CaptureDocument,
  rows: readonly TargetRow[],
): { readonly label: string; readonly dialog: OpenDialog } | null {
  const corrected = correctedRecording(capture);
  const target = targetOf(capture, rows);
  if (corrected === null || target === null) return null;
  const form = formOf(corrected.options, target, capture.process);
  return { label: `${corrected.label}…`, dialog: { kind: 'record', targets: [target], form } };
}

function targetOf({ target }: CaptureDocument, rows: readonly TargetRow[]): string | null {
  if (target === null) return null;
  if (target.kind === 'local') return LOCAL_TARGET;
  return rows.find(({ id }) => id.replace(/^ssh:\/\/(?:[^@]*@)?/, '').replace(/:\d+$/, '') === target.host)?.id ?? null;
}

/** The dialog's fields that ask for these options. */
export function formOf(options: PerfOptions, target: string, process: ProcessRow | null): Partial<RecordForm> {
  const { scope, rateHz, event, callGraph, stackBytes, seconds, keepPerfData, asRoot } = options;
  return {
    scope: scope.kind,
    ...(scope.kind === 'command' ? { command: quoteArgv(scope.argv) } : {}),
    ...(scope.kind === 'pid' && process !== null ? { processes: new Map([[target, process]]) } : {}),
    rate: String(rateHz),
    event: event ?? '',
    callGraph,
    stackBytes: stackBytes === undefined ? '' : String(stackBytes),
    seconds: seconds === null ? '' : String(seconds),
    keepPerfData: keepPerfData === true,
    asRoot: asRoot === true,
  };
}
