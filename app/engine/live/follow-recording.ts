import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  NO_OUTCOME,
  type AnyCollector,
  type CaptureSink,
  type Recording,
  type RecordingOutcome,
} from '#collectors/collector.ts';
import { isMissing } from '../failure.ts';
import type { GrowingRun } from '../recording/growing-run.ts';

/** Milliseconds between two looks at the file. */
const LOOK_MS = 250;

/**
 * Returns the recording's collector as a live session starts it: it runs nothing, but reads what the recording has
 * appended. Stopping the session leaves the recording alone.
 */
export function followingCollector(run: GrowingRun): AnyCollector {
  const { collector } = run;
  const start: AnyCollector['live']['start'] = (_collector, running) =>
    collector.live.start({ start: (_target, _plan, sink) => followFile(run, sink) }, running);
  return { ...collector, live: { ...collector.live, start } };
}

/**
 * Passes on what is in the file, and what is appended to it, until the recording has ended. The file stays open, since
 * a recording may replace it at its end.
 */
function followFile({ folder, fileName, recording }: GrowingRun, sink: CaptureSink): Recording {
  const left = Promise.withResolvers<null>();
  const ended = Promise.race([recording.outcome, left.promise]);
  let file: FileHandle | null = null;
  let at = 0;
  const buffer = new Uint8Array(1 << 18);

  async function readOn(): Promise<void> {
    file ??= await open(join(folder, fileName)).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    for (;;) {
      const { bytesRead = 0 } = (await file?.read(buffer, 0, buffer.length, at)) ?? {};
      if (bytesRead === 0) return;
      at += bytesRead;
      await sink.append(fileName, buffer.subarray(0, bytesRead));
    }
  }

  async function follow(): Promise<RecordingOutcome> {
    try {
      for (let isOver = false; !isOver;) {
        isOver = await Promise.race([ended.then(() => true), sleep(LOOK_MS, false)]);
        await readOn();
      }
    } finally {
      await file?.close();
    }
    return (await ended) ?? LEFT;
  }

  const outcome = follow().catch((error: unknown) => ({
    ...LEFT,
    error: { code: 'unreadable', message: `${fileName} can’t be read: ${String(error)}`, remedy: null },
  }));
  const stop = async (): Promise<void> => {
    left.resolve(null);
    await outcome;
  };
  return { onProgress: (listener) => recording.onProgress(listener), stop, cancel: stop, outcome };
}

/** The outcome of a session that was left before the recording's end. */
const LEFT: RecordingOutcome = { ...NO_OUTCOME, state: 'finished', primaryFile: '' };
