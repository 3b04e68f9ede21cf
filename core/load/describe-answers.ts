import type { Latency, LatencyPopulation, LoadResult, RunSeries } from '../contract/load/result.ts';
import { countText, createFormatter } from '../units/format.ts';
import { stepNumber, stepTitle, type LoadText, type LoadTable } from './load-text.ts';
import type { LoadStep, LoadSweep } from './sweep.ts';
import { vitalsSeries } from './vitals.ts';

const format = createFormatter('en');
const seconds = (value: number): string => format.value(value, 'seconds');

/** Names the populations of each step's latencies, a sentence each. */
export const populationNotes = ({ steps }: Pick<LoadSweep, 'steps'>): string[] =>
  steps.flatMap((step) => populationsIn(step).map((found) => `Latencies at ${stepTitle(step)}: ${found}.`));

/** Says at which steps the sides differ in their populations, a sentence each. */
export function comparePopulations(before: Pick<LoadSweep, 'steps'>, after: Pick<LoadSweep, 'steps'>): string[] {
  return before.steps.flatMap((step) => {
    const other = after.steps.find(({ concurrency }) => concurrency === step.concurrency);
    if (other === undefined || !step.runs.some(hasDistribution) || !other.runs.some(hasDistribution)) return [];
    const [one, two] = [populationsIn(step), populationsIn(other)];
    if (one.length + two.length === 0) return [];
    const said = (found: readonly string[]): string => found.join('; ') || 'no gap';
    return [`Latencies at ${stepTitle(step)}: before: ${said(one)}; after: ${said(two)}.`];
  });
}

/** Whether a gap could have been found. */
const hasDistribution = ({ latency }: LoadResult): boolean => latency.buckets.length > 1;

const populationsIn = ({ runs }: Pick<LoadStep, 'runs'>): string[] =>
  describePopulations(runs.map(({ latency }) => latency));

/** Returns `two populations in 3 of 3 runs: 92 % at 33 ms, 8 % at 1.3 s` for each number of populations. */
export function describePopulations(runs: readonly Pick<Latency, 'populations'>[]): string[] {
  const found = runs.flatMap(({ populations }) => (populations === undefined ? [] : [populations]));
  return [...new Set(found.map(({ length }) => length))].map((length) => {
    const own = found.filter((one) => one.length === length);
    const where = `${own.length} of ${countText(runs.length, 'run')}`;
    return `${NUMBERS[length] ?? length} populations in ${where}: ${populationsText(own)}`;
  });
}

const NUMBERS: Readonly<Record<number, string>> = { 2: 'two', 3: 'three', 4: 'four' };

/** Returns `92 % at 33 ms, 8 % at 1.3 s`, means over runs of as many; ranges where only a histogram is known. */
export function populationsText(found: readonly (readonly LatencyPopulation[])[]): string {
  return found[0]!
    .map((_, place) => {
      const own = found.map((one) => one[place]!);
      return `${format.share(meanOf(own.map(({ share }) => share)), 1)} ${placeText(own)}`;
    })
    .join(', ');
}

function placeText(own: readonly LatencyPopulation[]): string {
  const medians = own.flatMap(({ median }) => median ?? []);
  if (medians.length === own.length) return `at ${seconds(meanOf(medians))}`;
  const [from, to] = [Math.min(...own.map((one) => one.from)), Math.max(...own.map((one) => one.to))];
  return `from ${seconds(from)} to ${seconds(to)}`;
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

/** A run of a load test, as far as its series go. */
interface TimedRun {
  readonly result: Pick<LoadResult, 'concurrency' | 'overTime'>;
  readonly vitals?: readonly RunSeries[] | undefined;
}

/** Series of answers that the table shows; rates and clients are in the charts. */
const SHOWN = ['mean', 'p50', 'p99'] as const;

/** Returns what was observed during a run: the tool's own answers first. */
export const observedSeries = ({ result: { overTime }, vitals = [] }: TimedRun): readonly RunSeries[] =>
  overTime === undefined ? vitals : [overTime, ...vitals];

/** Returns latencies over time within each run as texts: course, least, most and when; null if no run has times. */
export function overTimeTable(runs: readonly TimedRun[], text: LoadText): LoadTable | null {
  const rows = runs.flatMap((run, place) =>
    observedSeries(run).flatMap(({ name, at, series }) =>
      SHOWN.flatMap((id) => {
        const values = series.find((one) => one.id === id)?.values ?? [];
        const known = values.filter((value) => value !== null);
        if (known.length === 0) return [];
        const most = Math.max(...known);
        const value = (one: number): string => text.value({ unit: 'seconds' }, one);
        return [
          [
            stepNumber(run.result),
            String(place + 1),
            name,
            vitalsSeries(id).label.replace(' over time', ''),
            courseText(values),
            value(Math.min(...known)),
            value(most),
            `${Math.round(at[values.indexOf(most)]!)} s`,
          ],
        ];
      }),
    ),
  );
  if (rows.length === 0) return null;
  return { names: 5, header: ['Connections', 'Run', 'Of', 'Latency', 'Over time', 'Least', 'Most', 'Most at'], rows };
}

const COLUMNS = 30;
const LEVELS = '▁▂▃▄▅▆▇█';

/** Draws values from 0 to their maximum as text, at most 30 columns, each the maximum of its values; null is a blank. */
export function courseText(values: readonly (number | null)[]): string {
  const width = Math.ceil(values.length / COLUMNS);
  const columns = Array.from({ length: Math.ceil(values.length / width) }, (_, place) => {
    const own = values.slice(place * width, (place + 1) * width).filter((value) => value !== null);
    return own.length === 0 ? null : Math.max(...own);
  });
  const most = Math.max(...columns.map((value) => value ?? 0)) || 1;
  return columns
    .map((value) =>
      value === null ? ' ' : LEVELS[Math.min(LEVELS.length - 1, Math.floor((value / most) * LEVELS.length))]!,
    )
    .join('');
}
