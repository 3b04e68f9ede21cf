import type { PerfOptions, RecordingStatus } from '#core/contract/schemas.ts';
import type { Plan } from '#collectors/collector.ts';
import type { RecordedHost } from '#app/engine/recording/host-recording.ts';
import type { RecordingSession } from '#app/engine/recording/recording.ts';
import { planFor, target } from './perf-recording.ts';

export const onThisMachine = (plan: Plan<PerfOptions>): RecordedHost => ({ targetId: 'local', target, plan });

export const here = async (options: Partial<PerfOptions>): Promise<RecordedHost> =>
  onThisMachine(await planFor(options));

export function untilStatus(
  session: RecordingSession,
  condition: (status: RecordingStatus) => boolean,
): Promise<RecordingStatus> {
  return new Promise((resolve) => {
    session.onStatus((status) => {
      if (condition(status)) resolve(status);
    });
  });
}
