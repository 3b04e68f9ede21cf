import type { LoadResult, RunSeries } from '../../contract/load/result.ts';
import { numbered, withoutPid } from './growth.ts';

/** The readings of one series in one run. */
export interface ReadSeries {
  /** Of the process or the other source, without its PID, and its place among those of one name if there are several. */
  readonly source: string;
  readonly id: string;
  readonly mean: number;
  /** Of the mean, by the successive differences of the readings, which a trend within the run leaves small. */
  readonly variance: number;
  readonly maximum: number;
}

/** What was read beside the load, by run. */
export type SeriesByRun = ReadonlyMap<LoadResult, readonly ReadSeries[]>;

/** Returns the series of runs that have any reading. */
export const seriesByRun = (
  runs: readonly { readonly result: LoadResult; readonly vitals?: readonly RunSeries[] | undefined }[],
): SeriesByRun => new Map(runs.map(({ result, vitals = [] }) => [result, numbered(vitals).flatMap(readingsOf)]));

/** Returns the name of the process at a place among those of one name: `nginx`, `nginx (2)`. */
export const nameAt = (name: string, place: number): string => (place === 0 ? name : `${name} (${place + 1})`);

const readingsOf = ({ name, place, series }: ReturnType<typeof numbered>[number]): ReadSeries[] =>
  series.flatMap(({ id, values }) => {
    const known = values.filter((value) => value !== null);
    if (known.length === 0) return [];
    const source = nameAt(withoutPid(name), place);
    const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
    const squares = known.slice(1).reduce((sum, value, place) => sum + (value - known[place]!) ** 2, 0);
    const variance = squares / (2 * Math.max(1, known.length - 1)) / known.length;
    return [{ source, id, mean, variance, maximum: Math.max(...known) }];
  });
