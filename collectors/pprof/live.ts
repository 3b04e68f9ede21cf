import { isGrowingKind, isLiveKind } from '#core/contract/live-defaults.ts';
import { readPprofUrl, type PprofOptions } from '#core/contract/pprof.ts';
import type { Check } from '#core/contract/schemas.ts';
import { checkOf } from '../check.ts';
import type { LiveSource } from '../collector.ts';
import { PprofFeed } from './live-feed.ts';

/** Profiles of a service in windows, one after another: each is requested when the last one has arrived. */
export const pprofLive: LiveSource<PprofOptions> = {
  options: (options) => (isGrowingKind(kindOf(options)) ? { ...options, delta: true } : options),
  seconds: () => null,
  hasFileParts: true,
  refuse: refusePprof,
  growing: () => ({ refusal: 'the service sends its profile at the end' }),
  slower: () => null,
  start: (_collector, running) => new PprofFeed(running),
};

const kindOf = ({ scope, kinds: [first = 'cpu'] }: PprofOptions): string =>
  (scope.kind === 'url' ? readPprofUrl(scope.url).kind : null) ?? first;

function refusePprof(options: PprofOptions): Check | null {
  if (options.kinds.length > 1)
    return checkOf('live', 'failed', 'a live view shows one kind of profile', 'choose one kind');
  const kind = kindOf(options);
  if (isLiveKind(kind)) return null;
  return checkOf(
    'live',
    'failed',
    `${kind} is a state at one moment, not what happened in a window`,
    'watch cpu, fgprof, gperftools, allocs, block or mutex',
  );
}
