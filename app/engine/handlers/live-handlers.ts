import type { EngineParts } from './engine-parts.ts';
import type { Handlers } from '../http/rpc.ts';
import { plannedHost } from './planned-host.ts';

type LiveMethod = Extract<keyof Handlers, `live.${string}`>;

export function liveHandlers({
  live,
  liveStarts,
  recorder,
}: Pick<EngineParts, 'live' | 'liveStarts' | 'recorder'>): Pick<Handlers, LiveMethod> {
  return {
    'live.plan': async (params) => {
      const { host, start } = await live.plan(params);
      return { hosts: [plannedHost(host)], confirmation: start === null ? null : liveStarts.add(start) };
    },
    'live.start': ({ confirmation }) => liveStarts.take(confirmation)(),
    'live.follow': ({ recordingId }) => live.follow(recordingId, recorder.growing(recordingId)),
    'live.status': ({ liveId }) => live.status(liveId),
    'live.open': (params) => live.open(params),
    'live.pin': (params) => live.pin(params),
    'live.unpin': ({ liveId }) => live.unpin(liveId),
    'live.baseline': ({ liveId }) => live.baseline(liveId),
    'live.reset': ({ liveId }) => live.reset(liveId),
    'live.save': (params) => live.save(params),
    'live.stop': ({ liveId }) => live.stop(liveId),
  };
}
