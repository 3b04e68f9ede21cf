import type { LoadResult, RunSeries } from '../contract/load/result.ts';
import { countText } from '../units/format.ts';
import { probedNotes } from './probed.ts';
import { seriesByRun } from './series/series-by-run.ts';
import { growthIn, notesOf, stepsByConcurrency, type KneeBound, type LoadSweep } from './sweep.ts';

/** A stored run. `isExtra`: it was made for its profile, after the sweep, and is not a repeat of the others. */
interface StoredRun {
  readonly result: LoadResult;
  readonly vitals?: readonly RunSeries[] | undefined;
  readonly isExtra?: true;
}

/** Groups the runs of a load test, without those that were made for a profile only, whose notes it has. */
export function sweepOfTest({ name, runs, plan, knee = plan?.knee }: StoredSweep): LoadSweep {
  const own = runs.filter(({ isExtra }) => isExtra !== true);
  const probed = probedNotes(own);
  const series = seriesByRun(own);
  const profileNotes = notesOfExtra(runs);
  return {
    name,
    steps: stepsByConcurrency(own.map(({ result }) => result)),
    ...(knee === undefined ? {} : { bound: knee }),
    ...growthIn(own),
    ...(probed.length === 0 ? {} : { probed }),
    ...(profileNotes.length === 0 ? {} : { profileNotes }),
    series,
  };
}

/** Returns what only the runs for the profile say, such as why one has none. */
function notesOfExtra(runs: readonly StoredRun[]): string[] {
  const known = new Set(runs.flatMap(({ isExtra, result }) => (isExtra === true ? [] : result.notes)));
  const extra = runs.filter(({ isExtra }) => isExtra === true).map(({ result }) => result);
  return notesOf(extra).flatMap(({ note, runs: with_ }) =>
    known.has(note) ? [] : [`${with_} of ${countText(extra.length, 'run')} for the profile: ${note}`],
  );
}

interface StoredSweep {
  readonly name: string;
  readonly runs: readonly StoredRun[];
  readonly plan?: { readonly knee?: KneeBound } | null;
  readonly knee?: KneeBound;
}
