import { correctedRecording } from '#core/contract/corrected-recording.ts';
import { isLiveKind } from '#core/contract/live-defaults.ts';
import type { CaptureDocument, CollectorOptions } from '#core/contract/schemas.ts';
import type { TargetRow } from '#core/contract/target.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import type { OpenDialog } from '../../state/workbench-state.ts';

/** Returns the record dialog with options that would improve the capture, and its label; null if nothing would. */
export function recordAgain(
  capture: CaptureDocument,
  rows: readonly TargetRow[],
): { readonly label: string; readonly dialog: OpenDialog } | null {
  const corrected = correctedRecording(capture);
  const target = targetOf(capture, rows);
  if (corrected === null || target === null) return null;
  const initial = { options: corrected.options, process: capture.process };
  return { label: `${corrected.label}…`, dialog: { kind: 'record', targets: [target], initial } };
}

/**
 * Returns the dialog that watches the capture's process or service live with the recorded options; null unless it was
 * one process, or one kind of profile of a service that a live view can show.
 */
export function watchAgain(capture: CaptureDocument, rows: readonly TargetRow[]): OpenDialog | null {
  const { options, process } = capture;
  const target = targetOf(capture, rows);
  if (options === undefined || target === null || !isWatchable(options)) return null;
  // The dialog leaves the duration of a live view empty.
  return { kind: 'record', purpose: { kind: 'live' }, targets: [target], initial: { options, process } };
}

function isWatchable(options: CollectorOptions): boolean {
  switch (options.collector) {
    case 'perf':
      return options.scope.kind === 'pid';
    case 'pprof':
      return options.kinds.length === 1 && isLiveKind(options.kinds[0]!);
    case 'java':
    case 'node':
    case 'python':
      return false;
    case 'bpftrace':
    case 'stap':
      return options.scope.kind === 'pid' && options.what.kind === 'recipe';
  }
}

function targetOf({ target }: CaptureDocument, rows: readonly TargetRow[]): string | null {
  if (target === null) return null;
  if (target.kind === 'local') return LOCAL_TARGET;
  return rows.find(({ id }) => id.replace(/^ssh:\/\/(?:[^@]*@)?/, '').replace(/:\d+$/, '') === target.host)?.id ?? null;
}
