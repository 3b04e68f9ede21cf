import type { Comparison } from '../compare/comparison.ts';
import type { Report, ReportFacts } from '../contract/report/report.ts';
import type { CaptureDocument } from '../contract/schemas.ts';

type Range = { readonly start: number; readonly end: number } | null;

/** Returns the facts that comparisons and readers need; for a part of the time, without those of the whole. */
export function factsOf(document: Partial<CaptureDocument>, range: Range): ReportFacts {
  const { target, collector, circumstances, process, container, load } = document;
  return {
    target: target ?? null,
    rateHz: document.rateHz ?? null,
    durationMs: range === null ? (document.durationMs ?? null) : (range.end - range.start) / 1e6,
    cpuSeconds: range === null ? (document.cpuSeconds ?? null) : null,
    incomplete: document.incomplete ?? false,
    lostSamples: document.lostSamples ?? 0,
    ...(typeof document.startedAt === 'number' ? { startedAt: document.startedAt } : {}),
    collector: collector ?? null,
    ...(circumstances === undefined ? {} : { circumstances }),
    ...(process === undefined || process === null
      ? {}
      : {
          process: {
            name: process.name,
            executable: process.executable,
            buildId: process.buildId,
            command: process.command,
          },
        }),
    ...(container === undefined ? {} : { container }),
    ...(load === undefined ? {} : { load: { test: load.test, concurrency: load.concurrency, run: load.run } }),
  };
}

/** Returns the same facts for a part of the time, in nanoseconds. */
export function reportFactsWithin(facts: ReportFacts | null, range: Range): ReportFacts | null {
  if (facts === null || range === null) return facts;
  return { ...facts, durationMs: (range.end - range.start) / 1e6, cpuSeconds: null };
}

type StoredFactors = NonNullable<NonNullable<Report['comparison']>['factors']>;

/** Returns the size factors that a report keeps, because it may hold only a part of its captures. */
export function factorsOf({ factors }: Pick<Comparison, 'factors'>): { readonly factors?: StoredFactors } {
  if (factors === null) return {};
  if (typeof factors === 'string') return { factors };
  return { factors: { before: Array.from(factors.before), after: Array.from(factors.after) } };
}
