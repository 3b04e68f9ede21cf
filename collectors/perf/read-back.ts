import { captureQuality, unresolvedByModule, type UnresolvedModule } from '#core/model/capture-quality.ts';
import type { CaptureQuality } from '#core/model/quality-grade.ts';
import { ImportFailure } from '#core/model/failure.ts';
import type { CaptureSink } from '../collector.ts';
import { PERF_RAW_FILE, TEXT_FILE } from './plan.ts';

/** The contents of a capture's text, as it will be opened. */
export interface PerfReadBack {
  readonly samples: number;
  /** From the first to the last sample; null without times. */
  readonly spanMs: number | null;
  /** Null without samples. */
  readonly quality: CaptureQuality | null;
  readonly unresolved: readonly UnresolvedModule[];
}

const NOTHING: PerfReadBack = { samples: 0, spanMs: null, quality: null, unresolved: [] };

/**
 * Reads the stored text with the importer that will open it. `lost` is the number of lost samples according to perf's
 * stream.
 */
export async function readBackPerf(sink: Pick<CaptureSink, 'read'>, lost: number): Promise<PerfReadBack> {
  return readText(() => sink.read(TEXT_FILE), lost);
}

/** Reads perf's own stream in the same way; its names are not resolved. */
export async function readBackStream(sink: Pick<CaptureSink, 'read'>): Promise<PerfReadBack> {
  const { samples, spanMs } = await readFileOf('perf-data', PERF_RAW_FILE, () => sink.read(PERF_RAW_FILE), 0);
  return { ...NOTHING, samples, spanMs };
}

/** Text without a complete sample counts as empty. */
export function readText(chunks: () => AsyncIterable<Uint8Array>, lost = 0): Promise<PerfReadBack> {
  return readFileOf('perf-script', TEXT_FILE, chunks, lost);
}

async function readFileOf(
  format: 'perf-script' | 'perf-data',
  fileName: string,
  chunks: () => AsyncIterable<Uint8Array>,
  lost: number,
): Promise<PerfReadBack> {
  try {
    const { importProfile } = await import('#core/import/import-profile.ts');
    const profile = await importProfile({ fileName, size: null, chunks }, { format });
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
