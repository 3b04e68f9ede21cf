import type { PerfCollector } from './collector.ts';
import { perfCollector } from './perf/collector.ts';

/** Every tool that makes captures; docs/recipes/add-a-collector.md. */
export const collectors: readonly PerfCollector[] = [perfCollector];

/** Throws where there is none: ids come from plans that a collector made, or from a validated contract. */
export function collectorNamed(id: string): PerfCollector {
  const collector = collectors.find((candidate) => candidate.id === id);
  if (collector === undefined) throw new RangeError(`no collector ${JSON.stringify(id)}`);
  return collector;
}
