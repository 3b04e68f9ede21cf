import { captureQuality } from '#core/model/capture-quality.ts';
import { writeNative } from '#core/model/native/write.ts';
import type { ProfileMetadata } from '#core/model/profile.ts';
import type { CaptureQuality } from '#core/model/quality-grade.ts';
import { countSamples } from '#core/model/sample-counts.ts';
import type { SymbolSource } from '#core/symbols/symbols.ts';
import { convertUnit, findUnit } from '#core/units/units.ts';
import type { CaptureSink } from '../collector.ts';
import { importKept } from '../trace-read-back.ts';
import { PPROF_RAW_FILE } from './plan.ts';

/** The profile with the names of its code, if the service sent addresses. */
export const NAMED_FILE = 'named.flamebench';

interface PprofReadBack {
  readonly samples: number;
  /** Samples per second; null if the profile is not sampled by time or does not state its period. */
  readonly rateHz: number | null;
  /** Null if the profile does not state it. */
  readonly durationMs: number | null;
  /** Null without samples. */
  readonly quality: CaptureQuality | null;
  readonly program: Pick<ProfileMetadata, 'executable' | 'executableBuildId'>;
  /** The profile as a native file if `symbols` named code, otherwise null. */
  readonly named: readonly Uint8Array[] | null;
}

/**
 * Reads the stored file as it will be opened. `symbols` provides the names of code that has none. Throws an
 * `ImportFailure` if the file is not a profile.
 */
export async function readBackPprof(sink: Pick<CaptureSink, 'read'>, symbols?: SymbolSource): Promise<PprofReadBack> {
  let isNamed = false;
  const counted: SymbolSource | undefined =
    symbols &&
    (async (request) => {
      const table = await symbols(request);
      isNamed ||= table !== null;
      return table;
    });
  const { profile, durationMs } = await importKept(sink, PPROF_RAW_FILE, counted);
  const { period, rateHz } = profile.metadata;
  const seconds =
    period === null || findUnit(period.unit)?.dimension !== 'time'
      ? null
      : convertUnit(period.value, period.unit, 'seconds');
  return {
    samples: countSamples(profile),
    rateHz: rateHz ?? (seconds !== null && seconds > 0 ? 1 / seconds : null),
    durationMs,
    quality: captureQuality(profile),
    program: profile.metadata,
    named: isNamed ? writeNative(profile) : null,
  };
}
