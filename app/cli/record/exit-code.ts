import { constants } from 'node:os';
import type { RecordingResult } from '#app/engine/recording/recording.ts';
import { CPU_TIME_MISSED } from '#core/contract/corrected-recording.ts';
import { ExitCode } from '../command.ts';
import { captureError } from '../errors.ts';
import { reportError } from '../output/report-error.ts';
import type { KeptCapture } from './report.ts';

/**
 * Returns the program's exit code, or 0. Throws if captures failed, unless the program's exit code counts and something
 * was kept.
 */
export function recordingExitCode(
  result: RecordingResult,
  kept: readonly KeptCapture[],
  whose: 'program' | 'capture',
): number {
  const { programExit } = result;
  try {
    throwIfFailed(result, kept);
  } catch (error) {
    if (whose === 'capture' || kept.length === 0 || programExit === null) throw error;
    reportError(error);
  }
  return whose === 'capture' || programExit === null ? ExitCode.ok : shellExitCode(programExit);
}

function throwIfFailed({ error, status }: RecordingResult, kept: readonly KeptCapture[]): void {
  if (error !== null) throw captureError(error.message, error.remedy, error.code);
  if (status.state === 'cancelled' && kept.length === 0) throw captureError('cancelled; nothing was kept');
  throwIfIncomplete(kept);
  throwIfEmpty(kept);
}

/** Returns the exit code as a shell's `$?` has it; a lost connection is a failed capture. */
function shellExitCode({ code, signal }: NonNullable<RecordingResult['programExit']>): number {
  if (code !== null) return code;
  if (signal === null) return ExitCode.captureFailed;
  return 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
}

/** Throws if less was recorded than requested, so that scripts see it in the exit code; the data is kept. */
function throwIfIncomplete(kept: readonly KeptCapture[]): void {
  const incomplete = kept.map(({ document }) => document).filter((document) => document.incomplete);
  const [first] = incomplete;
  const reason = first?.diagnostics[0];
  if (first === undefined || reason === undefined) return;
  const what =
    kept.length === 1
      ? 'the capture is incomplete'
      : `${incomplete.length} of ${kept.length} captures ${incomplete.length === 1 ? 'is' : 'are'} incomplete, such as ${first.name}`;
  throw captureError(`${what}: ${reason.message.replace(/\.$/, '')}`, reason.remedy, reason.code);
}

/**
 * Throws if nothing was recorded. A capture without samples is kept for its metadata, but for scripts nothing was
 * recorded. Of several kinds, one may be empty, such as mutex if the program does not enable it.
 */
function throwIfEmpty(kept: readonly KeptCapture[]): void {
  const empty = kept.filter(({ document }) => document.samples === 0);
  const isOfKinds = new Set(kept.map(({ document }) => document.event)).size > 1;
  if (empty.length === 0 || (isOfKinds && empty.length < kept.length)) return;
  const why = empty[0]!.document.diagnostics.find(({ code }) => code === CPU_TIME_MISSED);
  if (kept.length === 1 && why !== undefined) throw captureError(why.message.replace(/\.$/, ''), why.remedy, why.code);
  throw captureError(
    kept.length === 1
      ? 'no sample was recorded'
      : `${empty.length} of ${kept.length} captures ${empty.length === 1 ? 'has' : 'have'} no sample`,
    'record while the target works, for longer, or at a higher rate',
    'no-samples',
  );
}
