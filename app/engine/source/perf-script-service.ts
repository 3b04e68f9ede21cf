import { createReadStream } from 'node:fs';
import type { PerfScriptAnswer, PerfScriptPlanAnswer, PerfScriptProgress } from '#core/contract/source.ts';
import type { CaptureDocument, Check } from '#core/contract/schemas.ts';
import { HEAD_BYTES, makeHead } from '#core/import/detect.ts';
import { perfDataImporter } from '#core/import/perf-data/perf-data.ts';
import { unwrappedChunks } from '#core/import/unpack/unwrapped-chunks.ts';
import { ImportFailure } from '#core/model/failure.ts';
import {
  DATA_SCRIPT_FILE,
  planDataScript,
  startDataScript,
  type DataScriptPlan,
  type DataScriptRequest,
} from '#collectors/perf/data-script.ts';
import { explainScriptFailure } from '#collectors/perf/explain-script.ts';
import { PERF_RAW_FILE } from '#collectors/perf/plan.ts';
import { readPerfData } from '#collectors/perf/read-perf-data.ts';
import { unresolvedShare } from '#collectors/perf/script-stats.ts';
import { ScriptFailure } from '#collectors/perf/script-run.ts';
import type { Target } from '#collectors/target/target.ts';
import { createConfirmedRuns } from '../recording/confirmations.ts';
import { EngineFailure, toEngineFailure } from '../failure.ts';
import { readFileRange } from '../files/file-source.ts';
import type { Library } from '../library/library.ts';
import { checkTrust } from './check-reading.ts';
import { keepText } from './keep-text.ts';

/**
 * Lets perf read the perf.data of captures, here or on a host, and stores its text; used by the RPC methods
 * `perfScript.*`.
 */
export interface PerfScriptService {
  /** Returns what would run on the target. Connects to it first if that needs no confirmation. */
  plan(id: string, target: string): Promise<PerfScriptPlanAnswer>;
  /** Stores the text next to the recorded files; it is opened from then on. */
  run(confirmation: string, onProgress: (progress: PerfScriptProgress) => void): Promise<PerfScriptAnswer>;
  /** Cancels a run or discards its plan. Idempotent. */
  cancel(confirmation: string): void;
}

/** A capture whose perf.data the target's perf can read. */
export interface PlannedPerfScript {
  readonly id: string;
  /** Name of the perf.data file. */
  readonly file: string;
  readonly target: Target;
  readonly request: DataScriptRequest;
  readonly plan: DataScriptPlan;
}

export function createPerfScriptService(
  library: Library,
  openTarget: (id: string) => Promise<Target>,
): PerfScriptService {
  const runs = createConfirmedRuns<PlannedPerfScript>('reading');
  return {
    async plan(id, targetId) {
      const { checks, planned } = await planCapturePerfScript(library, id, () => openTarget(targetId));
      return {
        checks: [...checks],
        command: planned === null ? null : [...(planned.plan.command ?? [])],
        bytes: planned === null || planned.plan.way === 'path' ? 0 : planned.request.bytes,
        samples: planned?.request.facts.samples ?? null,
        confirmation: planned === null ? null : runs.add(planned),
      };
    },
    run: (confirmation, onProgress) =>
      runs.run(confirmation, (planned, signal) => keepPerfScript(library, planned, { signal, onProgress })),
    cancel: (confirmation) => runs.cancel(confirmation),
  };
}

/** Plans reading a capture's perf.data; empty if it has none, may not be read there, or a check failed. */
export async function planCapturePerfScript(
  library: Library,
  id: string,
  openTarget: () => Promise<Target>,
): Promise<{ readonly checks: readonly Check[]; readonly planned: PlannedPerfScript | null }> {
  const document = await library.get(id);
  const found = await findPerfData(library, document);
  if (found === null) return { checks: [noPerfData(document)], planned: null };
  const chunks = (): AsyncIterable<Uint8Array> => readFileRange(found.path, 0, Infinity);
  const request = await readPerfData(found.path, chunks).catch((error: unknown) => {
    throw error instanceof ImportFailure
      ? new EngineFailure('not-a-profile', `${found.fileName}: ${error.message}.`)
      : error;
  });
  const target = await openTarget();
  const trust = await checkTrust(library, document, target);
  if (trust.status === 'failed') return { checks: [trust], planned: null };
  const plan = await planDataScript(target, request);
  const planned = plan.command === null ? null : { id, file: found.fileName, target, request, plan };
  return { checks: [trust, ...plan.checks], planned };
}

/** Returns perf's own stream of a recording, else the first of the capture's files that is a perf.data. */
async function findPerfData(library: Library, document: CaptureDocument) {
  if (document.state !== 'finished' || document.origin === 'sample') return null;
  const names = [document.primaryFile, ...document.otherFiles];
  for (const name of names.toSorted((a, b) => Number(b === PERF_RAW_FILE) - Number(a === PERF_RAW_FILE))) {
    const file = await library.rawFile(document.id, name);
    if (await isPerfData(file.path, file.fileName)) return file;
  }
  return null;
}

async function isPerfData(path: string, fileName: string): Promise<boolean> {
  try {
    for await (const chunk of unwrappedChunks(createReadStream(path, { end: HEAD_BYTES - 1 }))) {
      return perfDataImporter.sniff(makeHead(chunk, false), fileName) === 'yes';
    }
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
  }
  return false;
}

function noPerfData({ state, origin }: CaptureDocument): Check {
  const id = 'recording';
  if (origin === 'sample') {
    const remedy = 'drop the file into the window to get your own copy';
    return { id, status: 'failed', found: 'the bundled samples can’t be changed', remedy };
  }
  if (state !== 'finished')
    return { id, status: 'failed', found: 'it is still being recorded', remedy: 'wait until it has finished' };
  const remedy = 'record with perf record, or over a link with --keep-perf-data';
  return { id, status: 'failed', found: 'the capture has no perf.data for perf to read', remedy };
}

/** Diagnostics about the recording's text, which the new text replaces. */
const REPLACED: ReadonlySet<string> = new Set(['text-behind', 'script-failed']);

/** Runs a plan. Rejects with an `EngineFailure`, leaving the capture unchanged. */
export async function keepPerfScript(
  library: Library,
  { id, file, target, request, plan }: PlannedPerfScript,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (progress: PerfScriptProgress) => void },
): Promise<PerfScriptAnswer> {
  const run = startDataScript(target, request, plan, { signal, onProgress });
  let failure: unknown = null;
  async function* text(): AsyncGenerator<Uint8Array> {
    try {
      yield* run.text;
      signal.throwIfAborted();
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  try {
    // The quality has changed; it is determined again at the next opening.
    await keepText(library, id, DATA_SCRIPT_FILE, text(), ({ quality: _before, ...document }) => ({
      ...document,
      format: 'perf-script',
      samples: run.stats().samples,
      diagnostics: document.diagnostics.filter(({ code }) => !REPLACED.has(code)),
      readByPerf: {
        file: DATA_SCRIPT_FILE,
        of: file,
        command: [...(plan.command ?? [])],
        toolVersion: plan.toolVersion,
        target: { kind: target.kind, host: plan.hostName },
        at: Date.now(),
        samples: run.stats().samples,
        recordedSamples: request.facts.samples,
      },
    }));
  } catch (error) {
    throw readingFailure(failure ?? error, signal);
  }
  const stats = run.stats();
  const { samples, lost } = stats;
  return { samples, recorded: request.facts.samples, unresolved: unresolvedShare(stats), lost };
}

/** Returns the error to show for a run that failed. */
export function readingFailure(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return new EngineFailure('cancelled', 'Cancelled; nothing was kept.');
  if (!(error instanceof ScriptFailure)) return toEngineFailure(error) ?? error;
  const { code, message, remedy } = explainScriptFailure(error);
  return new EngineFailure(code, `The recording could not be read: ${message}.`, remedy);
}
