import type { LoadResult, RunSeries } from '../../contract/load/result.ts';
import type { Side } from '../../contract/side.ts';
import { growthOf } from '../../import/v8/event-loop.ts';
import { countText, formatValue } from '../../units/format.ts';
import { reachOfMean } from '../variance-of-mean.ts';
import { vitalsSeries } from '../vitals.ts';

/** A series that grew throughout runs of a load test. */
export interface SeriesGrowth {
  /** Same for the same series of another side: the source without its PID, its place among those of one name, and the ID. */
  readonly key: string;
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

/** Follow from the load that was asked for. */
const NOT_JUDGED: ReadonlySet<string> = new Set(['answers', 'clients', 'cold']);

/**
 * Returns the series that grew throughout at least one run (see `growthOf`) and at least doubled there, those of most
 * runs first. Processes of one name in different runs are one: a server may have been started again. A name may end in
 * the PID.
 */
export function seriesGrowth(runs: readonly ObservedRun[]): SeriesGrowth[] {
  const found = new Map<string, { sources: Set<string>; place: number; id: string; runs: number; slopes: number[] }>();
  const observed = observedOf(runs);
  for (const { place, name: source, at, series } of observed) {
    // Latency rises with the number of clients, and how many answer or start is what was asked for.
    const isRamp = series.some(({ id, values }) => id === 'clients' && new Set(values).size > 2);
    for (const { id, values } of series) {
      if (NOT_JUDGED.has(id) || (isRamp && vitalsSeries(id).unit === 'seconds')) continue;
      const key = [withoutPid(source), place, id].join('\0');
      const one = found.get(key) ?? { sources: new Set<string>(), place, id, runs: 0, slopes: [] };
      one.sources.add(source);
      found.set(key, one);
      one.runs += 1;
      const points = values.flatMap((count, place) => (count === null ? [] : [{ at: at[place]!, count }]));
      const growth = growthOf(points, vitalsSeries(id).unit === 'seconds' ? 0 : undefined);
      if (growth !== null && growth.last >= LEAST_FACTOR * growth.first) one.slopes.push(growth.slope);
    }
  }
  const isOneOfMany = (source: string): boolean =>
    observed.some(({ name, place }) => place > 0 && withoutPid(name) === withoutPid(source));
  return [...found]
    .filter(([, { slopes }]) => slopes.length > 0)
    .map(([key, { sources, place, id, runs: all, slopes }]) => {
      const { label, unit } = vitalsSeries(id);
      const [source = '', ...others] = sources;
      const several = `${withoutPid(source)}${isOneOfMany(source) ? ` (${place + 1})` : ''}`;
      return {
        key,
        source: others.length === 0 ? source : several,
        label,
        unit,
        grew: slopes.length,
        runs: all,
        slope: slopes.reduce((sum, one) => sum + one, 0) / slopes.length,
        reach: reachOfMean(slopes),
      };
    })
    .sort((a, b) => b.grew / b.runs - a.grew / a.runs || b.slope - a.slope);
}

interface ObservedRun {
  readonly result?: Pick<LoadResult, 'overTime'>;
  readonly vitals?: readonly RunSeries[] | undefined;
}

const observedOf = (runs: readonly ObservedRun[]): ReturnType<typeof numbered> =>
  runs.flatMap(({ result, vitals = [] }) => numbered([...(result?.overTime ? [result.overTime] : []), ...vitals]));

/** Returns the sources whose series were read in the runs, without PIDs. */
export const readSources = (runs: readonly ObservedRun[]): ReadonlySet<string> =>
  new Set(observedOf(runs).map(({ name }) => withoutPid(name)));

export const withoutPid = (source: string): string => source.replace(/ \d+$/, '');

/** Adds each source's number among those of one name in a run. */
export function numbered(observed: readonly RunSeries[]): (RunSeries & { readonly place: number })[] {
  const seen = new Map<string, number>();
  return observed.map((one) => {
    const place = seen.get(withoutPid(one.name)) ?? 0;
    seen.set(withoutPid(one.name), place + 1);
    return { ...one, place };
  });
}

/** Returns `GetAddrInfoReqWrap of Node 4711 grew throughout 3 of 3 runs, by 280 ± 12 per second`. */
export const growthText = (of: SeriesGrowth): string =>
  `${of.label} of ${of.source} grew throughout ${of.grew} of ${countText(of.runs, 'run')}, by ${slopeText(of)}`;

function slopeText({ slope, reach, unit }: SeriesGrowth): string {
  const value = (amount: number): string => formatValue(Number(amount.toPrecision(3)), unit === '' ? 'count' : unit);
  return `${value(slope)}${reach === null ? '' : ` ± ${value(reach)}`} per second`;
}

/**
 * Says which series grew without bound on one side, or how often on both, a sentence each. `isRead`: whether the source
 * was read on a side; a series may be absent there because its value was always 0.
 */
export function compareGrowth(
  before: readonly SeriesGrowth[],
  after: readonly SeriesGrowth[],
  isRead: (side: Side, source: string) => boolean = () => true,
): string[] {
  const sides = [new Map(before.map((one) => [one.key, one])), new Map(after.map((one) => [one.key, one]))] as const;
  return [...new Set([...sides[0].keys(), ...sides[1].keys()])].map((key) => {
    const [one, other] = [sides[0].get(key), sides[1].get(key)];
    const side = (of: SeriesGrowth | undefined, name: string): string =>
      of === undefined
        ? `none of the runs ${name}`
        : `${of.grew} of ${countText(of.runs, 'run')} ${name} (by ${slopeText(of)})`;
    const source = key.slice(0, key.indexOf('\0'));
    const told =
      one === undefined && !isRead('before', source)
        ? `${side(other, 'after')}, and was not read before`
        : other === undefined && !isRead('after', source)
          ? `${side(one, 'before')}, and was not read after`
          : `${side(one, 'before')} and ${side(other, 'after')}`;
    return `${(one ?? other)!.label} of ${(one ?? other)!.source} grew throughout ${told}.`;
  });
}
