import type { CollectorId } from '#core/contract/schemas.ts';
import type { AnyCollector } from './collector.ts';
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
