import type { CollectorId } from '#core/contract/schemas.ts';
import type { AnyCollector, CollectorServices } from './collector.ts';
import { bpftraceCollector } from './bpftrace/collector.ts';
import { javaCollector } from './java/collector.ts';
import { nodeCollector } from './node/collector.ts';
import { perfCollector } from './perf/collector.ts';
import { pprofCollector } from './pprof/collector.ts';
import { pythonCollector } from './python/collector.ts';
import { stapCollector } from './stap/collector.ts';

/** Every tool that makes captures, by the `collector` of its options; see docs/recipes/add-a-collector.md. */
export const collectors: Readonly<Record<CollectorId, AnyCollector>> = {
  bpftrace: bpftraceCollector,
  java: javaCollector,
  node: nodeCollector,
  perf: perfCollector,
  pprof: pprofCollector,
  python: pythonCollector,
  stap: stapCollector,
};

/** Returns the function that returns the collector of an ID with what the engine lends to it. */
export const collectorsWith =
  (services: CollectorServices) =>
  (id: CollectorId): AnyCollector =>
    collectors[id].with?.(services) ?? collectors[id];
