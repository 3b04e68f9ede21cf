import type { LoadResult, RunSeries } from '../contract/load/result.ts';
import { probedNotes } from './probed.ts';
import { seriesByRun } from './series/series-by-run.ts';
import { growthIn, stepsByConcurrency, type KneeBound, type LoadSweep } from './sweep.ts';

/** A stored run. `isExtra`: it was made for its profile, after the sweep, and is not a repeat of the others. */
interface StoredRun {
  readonly result: LoadResult;
  readonly vitals?: readonly RunSeries[] | undefined;
  readonly isExtra?: true;
}

/** Groups the runs of a load test, without those that were made for a profile only. */
export function sweepOfTest({ name, runs, plan, knee = plan?.knee }: StoredSweep): LoadSweep {
  const own = runs.filter(({ isExtra }) => isExtra !== true);
  const probed = probedNotes(own);
  const series = seriesByRun(own);
  return {
    name,
    steps: stepsByConcurrency(own.map(({ result }) => result)),
    ...(knee === undefined ? {} : { bound: knee }),
    ...growthIn(own),
    ...(probed.length === 0 ? {} : { probed }),
    series,
  };
}

interface StoredSweep {
  readonly name: string;
  readonly runs: readonly StoredRun[];
  readonly plan?: { readonly knee?: KneeBound } | null;
  readonly knee?: KneeBound;
}
