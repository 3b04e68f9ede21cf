import type { ServerVitals } from '../../contract/load-test.ts';
import { growthOf } from '../../import/v8/event-loop.ts';
import { studentQuantile } from '../../compare/statistics/student.ts';
import { formatValue } from '../../units/format.ts';
import { varianceOfMean } from '../variance-of-mean.ts';
import { vitalsSeries } from '../vitals.ts';

/** A series that grew throughout runs of a load test. */
export interface SeriesGrowth {
  /** Of the process or the other source. */
  readonly source: string;
  readonly label: string;
  readonly unit: string;
  /** Runs in which it grew, and runs that read it. */
  readonly grew: number;
  readonly runs: number;
  /** Per second: mean over the runs in which it grew. */
  readonly slope: number;
  /** Half of the slope's 95 % interval by Student's t; null with fewer than three runs. */
  readonly reach: number | null;
}

/** A service that warms up grows too; one that grows without bound doubles soon. */
const LEAST_FACTOR = 2;

/**
 * Returns the series that grew throughout at least one run (see `growthOf`) and at least doubled there, those of most
 * runs first. Processes of one name in different runs are one: a server may have been started again.
 */
export function seriesGrowth(
  runs: readonly { readonly vitals?: readonly ServerVitals[] | undefined }[],
): SeriesGrowth[] {
  const found = new Map<string, { source: string; id: string; runs: number; slopes: number[] }>();
  for (const { name: source, at, series } of runs.flatMap(({ vitals = [] }) => vitals)) {
    for (const { id, values } of series) {
      const key = `${source} ${id}`;
      const one = found.get(key) ?? { source, id, runs: 0, slopes: [] };
      found.set(key, one);
      one.runs += 1;
      const points = values.flatMap((count, place) => (count === null ? [] : [{ at: at[place]!, count }]));
      const growth = growthOf(points);
      if (growth !== null && growth.last >= LEAST_FACTOR * growth.first) one.slopes.push(growth.slope);
    }
  }
  return [...found.values()]
    .filter(({ slopes }) => slopes.length > 0)
    .map(({ source, id, runs: all, slopes }) => {
      const { label, unit } = vitalsSeries(id);
      return { source, label, unit, grew: slopes.length, runs: all, ...meanOf(slopes) };
    })
    .sort((a, b) => b.grew / b.runs - a.grew / a.runs || b.slope - a.slope);
}

function meanOf(slopes: readonly number[]): Pick<SeriesGrowth, 'slope' | 'reach'> {
  const slope = slopes.reduce((sum, one) => sum + one, 0) / slopes.length;
  const variance = varianceOfMean(slopes);
  if (variance === null) return { slope, reach: null };
  return { slope, reach: studentQuantile(0.05, variance.freedom) * Math.sqrt(variance.ofMean) };
}

/** Returns `GetAddrInfoReqWrap of Node 4711 grew throughout 3 of 3 runs, by 280 ± 12 per second`. */
export const growthText = (of: SeriesGrowth): string =>
  `${of.label} of ${of.source} grew throughout ${of.grew} of ${of.runs} ${of.runs === 1 ? 'run' : 'runs'}, by ${slopeText(of)}`;

function slopeText({ slope, reach, unit }: SeriesGrowth): string {
  const value = (amount: number): string => formatValue(Number(amount.toPrecision(3)), unit === '' ? 'count' : unit);
  return `${value(slope)}${reach === null ? '' : ` ± ${value(reach)}`} per second`;
}

/** Says which series grew without bound on one side, or how often on both, a sentence each. */
export function compareGrowth(before: readonly SeriesGrowth[], after: readonly SeriesGrowth[]): string[] {
  const keyOf = ({ source, label }: SeriesGrowth): string => `${source.replace(/ \d+$/, '')} ${label}`;
  const sides = [
    new Map(before.map((one) => [keyOf(one), one])),
    new Map(after.map((one) => [keyOf(one), one])),
  ] as const;
  return [...new Set([...sides[0].keys(), ...sides[1].keys()])].map((key) => {
    const [one, other] = [sides[0].get(key), sides[1].get(key)];
    const side = (of: SeriesGrowth | undefined, name: string): string =>
      of === undefined ? `in none ${name}` : `in ${of.grew} of ${of.runs} runs ${name} (by ${slopeText(of)})`;
    return `${(one ?? other)!.label} of ${(one ?? other)!.source} grew throughout ${[side(one, 'before'), side(other, 'after')].join(', ')}.`;
  });
}
