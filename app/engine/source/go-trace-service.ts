import { open } from 'node:fs/promises';
import type { GoTraceAnswer, CommandsPlan } from '#core/contract/source.ts';
import { writeNative } from '#core/model/native/write.ts';
import type { Profile } from '#core/model/profile.ts';
import { countSamples } from '#core/model/sample-counts.ts';
import { chunksOf } from '#collectors/live/chunks-of.ts';
import {
  GoTraceFailure,
  goTraceVersion,
  planGoTrace,
  readGoTrace,
  type GoTracePlan,
} from '#collectors/pprof/go-trace.ts';
import type { Target } from '#collectors/target/target.ts';
import { createConfirmedRuns } from '../recording/confirmations.ts';
import { EngineFailure, toEngineFailure } from '../failure.ts';
import type { Library } from '../library/library.ts';

/** The profile of an execution trace of Go, next to it in a capture's folder. */
export const GO_TRACE_FILE = 'by-go.flamebench';

/** Lets Go read the execution traces of captures on this machine; used by the RPC methods `goTrace.*`. */
export interface GoTraceService {
  /** Returns what would run. */
  plan(id: string): Promise<CommandsPlan>;
  /** Stores the profile next to the trace; it is opened from then on. */
  run(confirmation: string): Promise<GoTraceAnswer>;
  /** Cancels a run or discards its plan. Idempotent. */
  cancel(confirmation: string): void;
}

export function createGoTraceService(library: Library, target: Target): GoTraceService {
  const runs = createConfirmedRuns<{ readonly id: string; readonly plan: GoTracePlan }>('reading');
  return {
    async plan(id) {
      const plan = await planCaptureGoTrace(library, id, target);
      const commands = plan.commands.map((command) => [...command]);
      return {
        checks: [...plan.checks],
        commands,
        confirmation: commands.length === 0 ? null : runs.add({ id, plan }),
      };
    },
    run: (confirmation) =>
      runs.run(confirmation, ({ id, plan }, signal) => keepGoTrace(library, id, target, plan, signal)),
    cancel: (confirmation) => runs.cancel(confirmation),
  };
}

/** Plans reading a capture's trace; a failed check if it has none. */
export async function planCaptureGoTrace(library: Library, id: string, target: Target): Promise<GoTracePlan> {
  const { state, origin, primaryFile, otherFiles } = await library.get(id);
  const names = state === 'finished' && origin !== 'sample' ? [primaryFile, ...otherFiles] : [];
  for (const name of names) {
    const { path } = await library.rawFile(id, name);
    const version = await versionOf(path);
    if (version !== null) return planGoTrace(target, path, version);
  }
  const remedy = 'import the file that runtime/trace or net/http/pprof wrote, without compression';
  const found = 'the capture has no execution trace of Go';
  return { checks: [{ id: 'recording', status: 'failed', found, remedy }], commands: [], toolVersion: null };
}

/** Returns the version of Go that wrote a trace; null if the file is none. */
export async function versionOf(path: string): Promise<string | null> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(16), 0, 16, 0);
    return goTraceVersion(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** Runs a plan. Rejects with an `EngineFailure`, leaving the capture unchanged. */
export async function keepGoTrace(
  library: Library,
  id: string,
  target: Target,
  plan: GoTracePlan,
  signal: AbortSignal,
): Promise<GoTraceAnswer> {
  const profile = await profileOfGoTrace(target, plan, signal);
  const samples = countSamples(profile);
  // The quality has changed; it is determined again at the next opening.
  await library.keepDerived(id, GO_TRACE_FILE, chunksOf(writeNative(profile)), ({ quality: _before, ...document }) => ({
    ...document,
    format: profile.metadata.format,
    samples,
  }));
  return { samples };
}

/** Runs a plan that has commands. Rejects with an `EngineFailure`. */
export async function profileOfGoTrace(target: Target, plan: GoTracePlan, signal: AbortSignal): Promise<Profile> {
  try {
    return await readGoTrace(target, plan, signal);
  } catch (error) {
    if (signal.aborted) throw new EngineFailure('cancelled', 'Cancelled; nothing was kept.');
    if (!(error instanceof GoTraceFailure)) throw toEngineFailure(error) ?? error;
    throw new EngineFailure('go-trace-failed', `The trace could not be read: ${error.message}.`);
  }
}
