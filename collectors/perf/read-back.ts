import { captureQuality, unresolvedByModule, type UnresolvedModule } from '#core/model/capture-quality.ts';
import type { CaptureQuality } from '#core/model/quality-grade.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { ImportFailure } from '#core/model/failure.ts';
import type { CaptureSink } from '../collector.ts';
import { TEXT_FILE } from './plan.ts';

/** What a capture's text holds, as it will be opened. */
export interface ReadBack {
  readonly samples: number;
  /** From the first to the last sample; null without times. */
  readonly spanMs: number | null;
  /** Null without a sample. */
  readonly quality: CaptureQuality | null;
  readonly unresolved: readonly UnresolvedModule[];
}

const NOTHING: ReadBack = { samples: 0, spanMs: null, quality: null, unresolved: [] };

/** Reads the text that was kept with the importer that will open it. `lost`: samples that perf's stream says were lost. */
export async function readBack(sink: Pick<CaptureSink, 'read'>, lost: number): Promise<ReadBack> {
  return readText(() => sink.read(TEXT_FILE), lost);
}

/** Text without one whole sample holds nothing. */
export async function readText(chunks: () => AsyncIterable<Uint8Array>, lost = 0): Promise<ReadBack> {
  try {
    const source = { fileName: TEXT_FILE, size: null, chunks };
    const profile = await importProfile(source, { format: 'perf-script' });
    const { time, length } = profile.samples;
    return {
      samples: length,
      spanMs: time === null ? null : spanOf(time) / 1e6,
      quality: captureQuality(profile, { lost }),
      unresolved: unresolvedByModule(profile).modules,
    };
  } catch (error) {
    if (error instanceof ImportFailure) return NOTHING;
    throw error;
  }
}

function spanOf(time: Float64Array): number {
  let [first, last] = [Infinity, -Infinity];
  for (const one of time) {
    if (one < first) first = one;
    if (one > last) last = one;
  }
  return last >= first ? last - first : 0;
}
