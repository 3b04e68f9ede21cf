import type { CollectorId } from '#core/contract/schemas.ts';
import type { AnyCollector } from './collector.ts';
import { perfCollector } from './perf/collector.ts';
import { pprofCollector } from './pprof/collector.ts';

/** Every tool that makes captures, by the `collector` of its options; docs/recipes/add-a-collector.md. */
export const collectors: Readonly<Record<CollectorId, AnyCollector>> = {
  perf: perfCollector,
  pprof: pprofCollector,
};
