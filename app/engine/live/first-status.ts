import type { LiveStatus } from '#core/contract/live.ts';
import type { ProcessRow } from '#core/contract/schemas.ts';
import type { LiveContext, LiveRequest } from './live.types.ts';

/** Returns the status of a session before anything has run. */
export function firstStatus(
  liveId: string,
  { collector }: Pick<LiveContext, 'collector'>,
  { plan, target, targetId, recordingId }: LiveRequest,
  process: ProcessRow | null,
): LiveStatus {
  return {
    liveId,
    target: targetId,
    host: target.host,
    title: collector.title(plan.options, process),
    pid: process?.pid ?? null,
    options: plan.options,
    ...(recordingId === undefined ? {} : { recordingId }),
    successor: null,
    state: 'preparing',
    update: 0,
    elapsedMs: 0,
    samples: 0,
    samplesPerSecond: 0,
    lost: 0,
    rateHz: plan.rateHz,
    collectorCpu: null,
    latencyMs: null,
    gaps: [],
    gapSeconds: 0,
    rows: 0,
    raw: null,
    baseline: null,
    events: [],
    error: null,
  };
}
