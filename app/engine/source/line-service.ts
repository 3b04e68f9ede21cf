import { createReadStream } from 'node:fs';
import type { CaptureDocument, Check } from '#core/contract/schemas.ts';
import type { LinesAnswer, CommandsPlan } from '#core/contract/source.ts';
import { unwrappedChunks } from '#core/import/unpack/unwrapped-chunks.ts';
import { messageOf } from '#core/model/failure.ts';
import { TEXT_FILE } from '#collectors/perf/plan.ts';
import {
  LINES_FILE,
  planLines,
  resolveLines,
  type LinesPlan,
  type LinesRequest,
} from '#collectors/perf/resolve-lines.ts';
import { findNamedFile } from '#collectors/target/named-file.ts';
import type { Target } from '#collectors/target/target.ts';
import { createConfirmedRuns } from '../recording/confirmations.ts';
import { EngineFailure } from '../failure.ts';
import type { Library } from '../library/library.ts';
import { checkReadHere } from './check-reading.ts';
import { keepText } from './keep-text.ts';

/** Resolves source lines of captures recorded here and stores them; used by the RPC methods `lines.*`. */
export interface LineService {
  /** Returns what would run, and which binaries have no line information. */
  plan(id: string): Promise<CommandsPlan>;
  /** Resolves lines and stores the capture's text with them next to the recorded files; it is opened from then on. */
  run(confirmation: string, inlined: boolean): Promise<LinesAnswer>;
  /** Cancels a run or discards its plan. Idempotent. */
  cancel(confirmation: string): void;
}

interface PlannedLines {
  readonly id: string;
  readonly request: LinesRequest;
  readonly plan: LinesPlan;
}

export function createLineService(library: Library, target: Target): LineService {
  const runs = createConfirmedRuns<PlannedLines>('look-up');

  return {
    async plan(id) {
      const { checks, planned } = await planCaptureLines(library, target, id);
      const commands = planned?.plan.commands ?? [];
      return {
        checks: [...checks],
        commands: commands.map((argv) => [...argv]),
        confirmation: planned === null || commands.length === 0 ? null : runs.add(planned),
      };
    },
    run: (confirmation, inlined) =>
      runs.run(confirmation, (planned, signal) => keepLines(library, target, planned, { inlined, signal })),
    cancel: (confirmation) => runs.cancel(confirmation),
  };
}

/** Plans resolving a capture's lines; empty if it was recorded elsewhere or not by perf, or may not be read here. */
export async function planCaptureLines(
  library: Library,
  target: Target,
  id: string,
): Promise<{ readonly checks: readonly Check[]; readonly planned: PlannedLines | null }> {
  const document = await library.get(id);
  const recording = checkText(document) ?? (await checkReadHere(library, document));
  if (recording.status === 'failed') return { checks: [recording], planned: null };
  const { path } = await library.rawFile(id, document.readByPerf?.file ?? TEXT_FILE);
  const text = (): AsyncIterable<Uint8Array> => unwrappedChunks(createReadStream(path, { highWaterMark: 1 << 18 }));
  const request = { text, recordedAt: document.startedAt, find: findNamedFile };
  const plan = await planLines(target, request);
  return { checks: [recording, ...plan.checks], planned: { id, request, plan } };
}

/** Runs a plan. Rejects with an `EngineFailure`, leaving the capture unchanged. */
export async function keepLines(
  library: Library,
  target: Target,
  { id, request, plan }: PlannedLines,
  options: { readonly inlined: boolean; readonly signal: AbortSignal },
): Promise<LinesAnswer> {
  const { signal } = options;
  try {
    const { text, count } = await resolveLines(target, request, plan, options);
    signal.throwIfAborted();
    await keepText(library, id, LINES_FILE, text());
    return count();
  } catch (error) {
    if (signal.aborted) throw new EngineFailure('cancelled', 'Cancelled; the capture is unchanged.');
    if (error instanceof EngineFailure) throw error;
    const reason = messageOf(error);
    throw new EngineFailure('lines-failed', `Source lines could not be resolved: ${reason}.`, RUN_IT);
  }
}

const RUN_IT = 'Run one of the commands shown in a terminal for details.';

/** Returns null if there is a text whose lines can be resolved. */
function checkText({ state, primaryFile, otherFiles }: CaptureDocument): Check | null {
  if (state === 'finished' && [primaryFile, ...otherFiles].includes(TEXT_FILE)) return null;
  const found = 'the capture has no perf script text';
  return { id: 'recording', status: 'failed', found, remedy: 'record with Flamebench on this machine' };
}
