import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { CaptureSink } from '#collectors/collector.ts';
import { collectors } from '#collectors/registry.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import type { CaptureChanges } from '../library/captures/writer.ts';
import { diagnostic } from '#core/model/diagnostics.ts';

/**
 * Completes the files of a recording that was cut off; see `openLibrary`. Other captures cannot be completed further.
 */
export async function recoverRecording(
  files: CaptureSink,
  document: CaptureDocument,
  mayReadHere: boolean,
): Promise<CaptureChanges> {
  const collector = Object.values(collectors).find(({ id }) => id === document.collector?.id);
  if (collector === undefined || document.origin !== 'recorded') return {};
  const target = document.target?.kind === 'ssh' || !mayReadHere ? null : createLocalTarget();
  try {
    const { samples, lost, durationMs, diagnostics, quality, primaryFile, otherFiles } = await collector.recover(
      target,
      files,
    );
    return {
      samples,
      lostSamples: lost,
      durationMs,
      diagnostics: [...document.diagnostics, CUT_OFF, ...diagnostics],
      ...(quality === null ? {} : { quality }),
      ...(primaryFile === undefined ? {} : { primaryFile, otherFiles: [...(otherFiles ?? [])] }),
    };
  } finally {
    await target?.dispose();
  }
}

const CUT_OFF = diagnostic(
  'cut-off',
  'The recording is incomplete: Flamebench exited while it ran. Data that had not arrived by then is missing.',
);
