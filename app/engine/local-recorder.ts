import type { RecordingStatus } from '#core/contract/schemas.ts';
import { LOCAL_TARGET } from '#core/contract/target.ts';
import { runDoctor } from '#collectors/doctor.ts';
import { collectorNamed } from '#collectors/registry.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { listProcesses } from '#collectors/target/processes.ts';
import { EngineFailure } from './failure.ts';
import type { Library } from './library/library.ts';
import { preflightSides } from './preflight-sides.ts';
import type { Recorder } from './recorder.ts';
import { startRecording, type RecordingContext, type RecordingSession } from './recording.ts';

/** Recording on this machine. */
export function createLocalRecorder(
  library: Library,
  { keepSides }: Pick<RecordingContext, 'keepSides'> = {},
): Recorder {
  const target = createLocalTarget();
  const context: RecordingContext = { library, target, ...(keepSides === undefined ? {} : { keepSides }) };
  const sessions = new Map<string, RecordingSession>();
  const listeners = new Set<(status: RecordingStatus) => void>();

  function sessionOf(recordingId: string): RecordingSession {
    const session = sessions.get(recordingId);
    if (session !== undefined) return session;
    throw new EngineFailure('not-found', 'There is no such recording.', 'It may be one of an earlier start.');
  }

  function refuseOthers(targetId: string): void {
    if (targetId === LOCAL_TARGET) return;
    throw new EngineFailure('not-available', `${targetId} can't be reached yet.`, 'Record on this machine.');
  }

  return {
    async listProcesses(targetId) {
      refuseOthers(targetId);
      if ((await target.stat('/proc/stat')) !== null) return listProcesses(target);
      throw new EngineFailure(
        'not-available',
        'Processes can be listed on Linux only.',
        'Record on a Linux machine, and open the capture here.',
      );
    },

    async doctor(targetId, pid, onCheck) {
      refuseOthers(targetId);
      const checks = [];
      for await (const check of runDoctor(target, pid)) {
        checks.push(check);
        onCheck(check);
      }
      return checks;
    },

    async plan({ targets, collector, options, after, into, repeat, pauseSeconds, name }) {
      const [{ target: targetId, scope, afterScope }] = targets as [(typeof targets)[0]];
      for (const one of targets) refuseOthers(one.target);
      const { checks, plans } = await preflightSides(
        collectorNamed(collector),
        target,
        { ...options, scope: scope ?? options.scope },
        after && { ...after, scope: afterScope ?? after.scope },
      );
      if (plans === null) return { hosts: [{ targetId, commands: [], checks }], start: null };
      return {
        hosts: [{ targetId, commands: plans.flatMap(({ commands }) => commands), checks }],
        async start() {
          const [plan, planAfter] = plans;
          const request = {
            plan,
            repeat,
            pauseSeconds,
            name,
            ...(planAfter === undefined ? {} : { after: planAfter }),
            ...(into === undefined ? {} : { into }),
          };
          const session = await startRecording(context, request);
          sessions.set(session.id, session);
          session.onStatus((status) => {
            for (const listener of listeners) listener(status);
          });
          return session.status;
        },
      };
    },

    list: () => [...sessions.values()].map(({ status }) => status),
    stop: async (recordingId) => sessionOf(recordingId).stop(),
    cancel: async (recordingId) => sessionOf(recordingId).cancel(),
    onStatus: (listener) => void listeners.add(listener),

    async dispose() {
      await Promise.all([...sessions.values()].map((session) => session.stop()));
      await target.dispose();
    },
  };
}
