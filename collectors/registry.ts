import { perfCollector } from './perf/collector.ts';

/** Every tool that makes captures; docs/recipes/add-a-collector.md. */
export const collectors = [perfCollector] as const;
