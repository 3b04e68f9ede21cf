import { importProfile } from '#core/import/import-profile.ts';
import { captureQuality } from '#core/model/capture-quality.ts';
import type { CaptureQuality } from '#core/model/quality-grade.ts';
import type { CaptureSink } from '../collector.ts';
import { RAW_FILE } from './plan.ts';

export interface ReadBack {
  readonly samples: number;
  /** Null where the profile does not say. */
  readonly durationMs: number | null;
  /** Null without a sample. */
  readonly quality: CaptureQuality | null;
}

/** Reads what was kept as it will be opened. Throws an `ImportFailure` where it is not a profile. */
export async function readBack(sink: Pick<CaptureSink, 'read'>): Promise<ReadBack> {
  const profile = await importProfile({ fileName: RAW_FILE, size: null, chunks: () => sink.read(RAW_FILE) });
  const { durationNs } = profile.metadata;
  return {
    samples: profile.samples.length,
    durationMs: durationNs === null ? null : durationNs / 1e6,
    quality: captureQuality(profile),
  };
}
