import type { CaptureDocument, ProcessRow } from '#core/contract/schemas.ts';
import type { LiveSnapshot } from '#core/live/live-store.ts';
import { writeNative } from '#core/model/native/write.ts';
import type { AnyCollector, AnyPlan } from '#collectors/collector.ts';
import { readMachineFacts } from '#collectors/target/machine-facts.ts';
import type { Target } from '#collectors/target/target.ts';
import { EngineFailure } from '../failure.ts';
import type { Library } from '../library/library.ts';
import { describeCapture } from '../recording/recorded-capture.ts';

/** The file that a saved session is stored as. */
const SAVED_FILE = 'live.flamebench';

/** The origin of a saved part of a session. */
export interface SavedOf {
  readonly sessionId: string;
  readonly process: ProcessRow | null;
  readonly collector: AnyCollector;
  readonly plan: AnyPlan;
  readonly target: Target;
  /** Unix ms of the newest sample. */
  readonly newestAt: number;
  /** Null if unknown. */
  readonly lost: number | null;
}

/** Keeps a snapshot as a capture of the library. Rejects without samples. */
export async function saveSnapshot(
  library: Pick<Library, 'create'>,
  { profile, samples, range }: LiveSnapshot,
  { sessionId, process, collector, plan, target, newestAt, lost }: SavedOf,
): Promise<CaptureDocument> {
  if (range === null) {
    throw new EngineFailure('no-samples', 'There are no samples to save yet.', 'Wait until the program has run.');
  }
  const subject = { side: null, plan, collector, process, cgroup: null, groups: [], goProcess: null };
  const series = {
    seriesId: sessionId,
    run: 0,
    runs: 1,
    repetition: 0,
    repeat: 1,
    name: null,
    tellsHost: target.kind !== 'local',
  };
  const writer = await library.create({
    ...describeCapture(subject, series, target, await readMachineFacts(target)),
    primaryFile: SAVED_FILE,
    otherFiles: [],
    format: null,
  });
  try {
    for (const chunk of writeNative(profile)) await writer.append(SAVED_FILE, chunk);
    return await writer.finish({
      startedAt: Math.round(newestAt - (range.end - range.start) / 1e6),
      durationMs: Math.round((range.end - range.start) / 1e6),
      samples,
      lostSamples: lost,
      diagnostics: [...profile.diagnostics],
    });
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

/** Returns one sentence about what was saved. */
export const savedText = ({ name, durationMs, samples }: CaptureDocument): string =>
  `Saved ${((durationMs ?? 0) / 1000).toFixed(1)} s (${(samples ?? 0).toLocaleString('en')} samples) as ${name}.`;
