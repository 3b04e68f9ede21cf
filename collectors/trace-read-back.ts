import { captureQuality } from '#core/model/capture-quality.ts';
import { ImportFailure } from '#core/model/failure.ts';
import type { CaptureQuality } from '#core/model/quality-grade.ts';
import type { Diagnostic } from '#core/model/diagnostics.ts';
import type { Profile } from '#core/model/profile.ts';
import { countShownSamples } from '#core/model/sample-counts.ts';
import type { SymbolSource } from '#core/symbols/symbols.ts';
import type { CaptureSink } from './collector.ts';

export interface ReadBack {
  /** Count of the first value type; the number of rows if it measures time or bytes. */
  readonly samples: number;
  /** Part of that count that was lost because a map was full, or that the tool skipped. */
  readonly lost: number;
  /** Duration by the script's own clock; null if it was killed. */
  readonly durationMs: number | null;
  /** Null if there are no samples. */
  readonly quality: CaptureQuality | null;
}

export const NOTHING: ReadBack = { samples: 0, lost: 0, durationMs: null, quality: null };

/** Reads a kept file as it will be opened. Throws an `ImportFailure` if it is not a profile. */
export async function importKept(
  sink: Pick<CaptureSink, 'read'>,
  fileName: string,
  symbols?: SymbolSource,
): Promise<{ readonly profile: Profile; readonly durationMs: number | null }> {
  const { importProfile } = await import('#core/import/import-profile.ts');
  const profile = await importProfile({ fileName, size: null, chunks: () => sink.read(fileName) }, { symbols });
  const { durationNs } = profile.metadata;
  return { profile, durationMs: durationNs === null ? null : durationNs / 1e6 };
}

/** Reads the kept data as it will be opened. Returns {@link NOTHING} if there is no complete row. */
export async function readBack(sink: Pick<CaptureSink, 'read'>, file: string): Promise<ReadBack> {
  try {
    const { profile, durationMs } = await importKept(sink, file);
    const isCount = ['samples', 'count'].includes(profile.valueTypes[0]?.unit ?? '');
    const weights = profile.samples.weights[0] ?? new Float64Array();
    const samples = isCount ? weights.reduce((sum, weight) => sum + weight, 0) : profile.samples.length;
    const lost = isCount ? (profile.diagnostics.find(({ code }) => code === 'lost-samples')?.count ?? 0) : 0;
    return { samples, lost, durationMs, quality: captureQuality(profile, { lost }) };
  } catch (error) {
    if (error instanceof ImportFailure) return NOTHING;
    throw error;
  }
}

interface ProfileReadBack {
  /** Of {@link ProfileReadBack.event}. */
  readonly samples: number;
  /** The event that is shown first; null if the format has no events. */
  readonly event: string | null;
  /** Null if the profile does not state it. */
  readonly durationMs: number | null;
  /** Null without samples. */
  readonly quality: CaptureQuality | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a kept profile as it will be opened. Throws an `ImportFailure` if it is not a profile. */
export async function readBackProfile(sink: Pick<CaptureSink, 'read'>, fileName: string): Promise<ProfileReadBack> {
  const { profile, durationMs } = await importKept(sink, fileName);
  const { events, valueTypes, metadata } = profile;
  const event = valueTypes[metadata.defaultValueType]?.event ?? -1;
  return {
    samples: countShownSamples(profile),
    event: events[event] ?? null,
    durationMs,
    quality: captureQuality(profile),
    diagnostics: profile.diagnostics,
  };
}
