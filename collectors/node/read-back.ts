import { captureQuality } from '#core/model/capture-quality.ts';
import type { Diagnostic } from '#core/model/diagnostics.ts';
import type { CaptureQuality } from '#core/model/quality-grade.ts';
import { countSamples } from '#core/model/sample-counts.ts';
import type { CaptureSink } from '../collector.ts';
import { importKept } from '../trace-read-back.ts';

interface NodeReadBack {
  readonly samples: number;
  /** Null if the profile does not state it. */
  readonly durationMs: number | null;
  /** Null without samples. */
  readonly quality: CaptureQuality | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the stored file as it will be opened. Throws an `ImportFailure` if it is not a profile. */
export async function readBackNode(sink: Pick<CaptureSink, 'read'>, fileName: string): Promise<NodeReadBack> {
  const { profile, durationMs } = await importKept(sink, fileName);
  return {
    samples: countSamples(profile),
    durationMs,
    quality: captureQuality(profile),
    diagnostics: profile.diagnostics,
  };
}
