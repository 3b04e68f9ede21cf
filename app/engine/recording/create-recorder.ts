import type { Params } from '#core/contract/contract.ts';
import type { CollectorOptions, RecordingStatus } from '#core/contract/schemas.ts';
import type { CollectorMemory } from '#collectors/collector.ts';
import { collectors, collectorsWith } from '#collectors/registry.ts';
import type { Target } from '#collectors/target/target.ts';
import type { OutputWatcher } from '#collectors/target/launched-program.ts';
import { EngineFailure } from '../failure.ts';
import type { Library } from '../library/library.ts';
import { planHosts, shownHost, toRecordedHost } from './plan-hosts.ts';
import type { PlannedRecording, Recorder } from './recorder.ts';
import { startRecording, type RecordingContext, type RecordingSession } from './recording.ts';
import type { Targets } from '../targets/targets.ts';

/** Creates a recorder for any targets. */
export function createRecorder(
  library: Library,
  targets: Pick<Targets, 'open'> & Partial<Pick<Targets, 'print'>>,
  { memory, ...more }: Pick<RecordingContext, 'keepSides' | 'journal'> & { readonly memory?: CollectorMemory } = {},
): Recorder {
  const openTarget = (id: string): Promise<Target> => targets.open(id);
  const collector = collectorsWith({ memory, openTarget });
  const context: RecordingContext = { library, watchOutput, collector, ...more };
  const sessions = new Map<string, RecordingSession>();
  /** The parameters with which each was planned. */
  const asked = new Map<string, Params<'record.plan'>>();
  const listeners = new Set<(status: RecordingStatus) => void>();

  function sessionOf(recordingId: string): RecordingSession {
    const session = sessions.get(recordingId);
    if (session !== undefined) return session;
    throw new EngineFailure('not-found', 'No such recording.', 'It may belong to an earlier session.');
  }

  /** Shows the output in the target's terminal. */
  function watchOutput(targetId: string): OutputWatcher {
    const decoder = new TextDecoder();
    return (chunk) => targets.print?.(targetId, decoder.decode(chunk, { stream: true }).replaceAll(/\r?\n/g, '\r\n'));
  }

  async function start(
    request: Parameters<typeof startRecording>[1],
    params: Params<'record.plan'>,
  ): Promise<RecordingStatus> {
    const session = await startRecording(context, request);
    sessions.set(session.id, session);
    asked.set(session.id, params);
    session.onStatus((status) => {
      for (const listener of listeners) listener(status);
    });
    return session.status;
  }

  async function plan(params: Params<'record.plan'>): Promise<PlannedRecording> {
    const { targets: hostsAsked, options, after, ...series } = params;
    const plans = await planHosts(
      collector,
      openTarget,
      hostsAsked.map((host) => ({
        targetId: host.target,
        options: () => Promise.resolve([host.options ?? options, after && (host.after ?? after)]),
      })),
    );
    const hosts = plans.flatMap(toRecordedHost);
    const request = { hosts, ...series };
    return {
      hosts: plans.map(shownHost),
      start: hosts.length === 0 ? null : () => start(request, params),
    };
  }

  return {
    plan,

    async planRestart(recordingId) {
      const session = sessionOf(recordingId);
      const { finding } = session.status;
      const params = asked.get(recordingId);
      if (finding === undefined || params === undefined) {
        throw new EngineFailure('nothing-found', 'There are no better options for this recording.');
      }
      const correct = (options: CollectorOptions): CollectorOptions =>
        collectors[options.collector].correct?.(options, finding.options) ?? options;
      const planned = await plan({
        ...params,
        ...correctBoth(params, correct),
        targets: params.targets.map((host) => ({ ...host, ...correctBoth(host, correct) })),
      });
      const { start: begin } = planned;
      if (begin === null) return planned;
      return {
        ...planned,
        async start() {
          await session.cancel();
          return begin();
        },
      };
    },

    growing: (recordingId) => sessionOf(recordingId).growing(),
    list: () => [...sessions.values()].map(({ status }) => status),
    stop: async (recordingId) => sessionOf(recordingId).stop(),
    cancel: async (recordingId) => sessionOf(recordingId).cancel(),
    onStatus: (listener) => void listeners.add(listener),

    async dispose() {
      await Promise.all([...sessions.values()].map((session) => session.stop()));
    },
  };
}

interface Sides {
  readonly options?: CollectorOptions;
  readonly after?: CollectorOptions;
}

/** Corrects the options of the sides that are given. */
function correctBoth({ options, after }: Sides, correct: (options: CollectorOptions) => CollectorOptions): Sides {
  return {
    ...(options === undefined ? {} : { options: correct(options) }),
    ...(after === undefined ? {} : { after: correct(after) }),
  };
}
