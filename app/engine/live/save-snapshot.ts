import type { CaptureDocument, ProcessRow } from '#core/contract/schemas.ts';
import type { Diagnostic } from '#core/model/diagnostics.ts';
import type { LiveSnapshot } from '#core/live/live-store.ts';
import { writeNative } from '#core/model/native/write.ts';
import { countText } from '#core/units/format.ts';
import type { AnyCollector, AnyPlan } from '#collectors/collector.ts';
import { readMachineFacts } from '#collectors/target/machine-facts.ts';
import type { Target } from '#collectors/target/target.ts';
import { EngineFailure } from '../failure.ts';
import type { NewCapture } from '../library/captures/writer.ts';
import type { Library } from '../library/library.ts';
import { describeCapture } from '../recording/recorded-capture.ts';

/** The file that a saved session is stored as. */
export const SAVED_FILE = 'live.flamebench';

/** What a session watches. */
export interface LiveSubject {
  readonly sessionId: string;
  readonly process: ProcessRow | null;
  readonly collector: AnyCollector;
  readonly plan: AnyPlan;
  readonly target: Target;
}

/** The origin of a saved part of a session. */
interface SavedOf extends LiveSubject {
  /** Unix ms of the newest sample. */
  readonly newestAt: number;
  /** Null if unknown. */
  readonly lost: number | null;
  /** In addition to those of the profile. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Keeps a snapshot as a capture of the library. Rejects without samples. */
export async function saveSnapshot(
  library: Pick<Library, 'create'>,
  { profile, samples, range }: LiveSnapshot,
  { newestAt, lost, diagnostics, ...subject }: SavedOf,
): Promise<CaptureDocument> {
  if (range === null) {
    throw new EngineFailure('no-samples', 'There are no samples to save yet.', 'Wait until the program has run.');
  }
  const writer = await library.create(await describeLive(subject, null, { primaryFile: SAVED_FILE, otherFiles: [] }));
  try {
    for (const chunk of writeNative(profile)) await writer.append(SAVED_FILE, chunk);
    return await writer.finish({
      startedAt: Math.round(newestAt - (range.end - range.start) / 1e6),
      durationMs: Math.round((range.end - range.start) / 1e6),
      samples,
      lostSamples: lost,
      diagnostics: [...profile.diagnostics, ...diagnostics],
    });
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

/** Returns what is known about a capture of a session before anything is written; `what` follows its name. */
export async function describeLive(
  { sessionId, process, collector, plan, target }: LiveSubject,
  what: string | null,
  files: { readonly primaryFile: string; readonly otherFiles: string[] },
): Promise<NewCapture> {
  const subject = { side: null, plan, collector, process, cgroup: null, groups: [], goProcess: null, commit: null };
  const series = {
    seriesId: sessionId,
    run: 0,
    runs: 1,
    repetition: 0,
    repeat: 1,
    name: what === null ? null : `${collector.title(plan.options, process)}, ${what}`,
    tellsHost: target.kind !== 'local',
  };
  const described = describeCapture(subject, series, target, await readMachineFacts(target));
  return { ...described, ...files, format: files.primaryFile === SAVED_FILE ? null : collector.output.format };
}

/** Returns one sentence about what was saved. */
export const savedText = ({ name, durationMs, samples }: CaptureDocument): string =>
  `Saved ${((durationMs ?? 0) / 1000).toFixed(1)} s (${countText(samples ?? 0, 'sample')}) as ${name}.`;
