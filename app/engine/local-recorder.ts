import { createLocalTarget } from '#collectors/target/local.ts';
import { listProcesses } from '#collectors/target/processes.ts';
import { EngineFailure } from './failure.ts';
import type { Recorder } from './recorder.ts';

/** Recording on this machine. */
export function createLocalRecorder(): Recorder {
  const target = createLocalTarget();
  const unavailable = (): Promise<never> =>
    Promise.reject(new EngineFailure('not-available', 'Recording is not wired up yet.'));
  return {
    listProcesses: () => listProcesses(target),
    doctor: unavailable,
    plan: unavailable,
    list: () => [],
    stop: unavailable,
    cancel: unavailable,
    onStatus: () => undefined,
    dispose: () => target.dispose(),
  };
}
