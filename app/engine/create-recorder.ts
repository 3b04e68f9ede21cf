import type { RecordingStatus } from '#core/contract/schemas.ts';
import { collectorNamed } from '#collectors/registry.ts';
import { EngineFailure } from './failure.ts';
import type { Library } from './library/library.ts';
import { commandsOf, linesOf, planHosts, toRecordedHost } from './plan-hosts.ts';
import type { Recorder } from './recorder.ts';
import { startRecording, type RecordingContext, type RecordingSession } from './recording.ts';
import type { Targets } from './targets/targets.ts';

/** Recording on any targets. */
export function createRecorder(
  library: Library,
  targets: Pick<Targets, 'open'>,
  more: Pick<RecordingContext, 'keepSides' | 'journal'> = {},
): Recorder {
  const context: RecordingContext = { library, ...more };
  const sessions = new Map<string, RecordingSession>();
  const listeners = new Set<(status: RecordingStatus) => void>();

  function sessionOf(recordingId: string): RecordingSession {
    const session = sessions.get(recordingId);
    if (session !== undefined) return session;
    throw new EngineFailure('not-found', 'There is no such recording.', 'It may be one of an earlier start.');
  }

  async function start(request: Parameters<typeof startRecording>[1]): Promise<RecordingStatus> {
    const session = await startRecording(context, request);
    sessions.set(session.id, session);
    session.onStatus((status) => {
      for (const listener of listeners) listener(status);
    });
    return session.status;
  }

  return {
    async plan({ targets: asked, collector, options, after, into, repeat, pauseSeconds, name }) {
      const plans = await planHosts(
        collectorNamed(collector),
        (targetId) => targets.open(targetId),
        asked.map(({ target, scope, afterScope }) => ({
          targetId: target,
          options: () =>
            Promise.resolve([
              { ...options, scope: scope ?? options.scope },
              after && { ...after, scope: afterScope ?? after.scope },
            ]),
        })),
      );
      const hosts = plans.flatMap(toRecordedHost);
      const request = { hosts, repeat, pauseSeconds, name, ...(into === undefined ? {} : { into }) };
      return {
        hosts: plans.map((plan) => ({
          targetId: plan.targetId,
          commands: commandsOf(plan),
          lines: linesOf(plan),
          checks: plan.checks,
        })),
        start: hosts.length === 0 ? null : () => start(request),
      };
    },

    list: () => [...sessions.values()].map(({ status }) => status),
    stop: async (recordingId) => sessionOf(recordingId).stop(),
    cancel: async (recordingId) => sessionOf(recordingId).cancel(),
    onStatus: (listener) => void listeners.add(listener),

    async dispose() {
      await Promise.all([...sessions.values()].map((session) => session.stop()));
    },
  };
}
