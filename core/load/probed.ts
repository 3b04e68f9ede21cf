import type { ProbedAnswers, RunSeries } from '../contract/load/result.ts';
import type { LoadSeries } from '../contract/load/series.ts';
import { createFormatter } from '../units/format.ts';
import { describeLatencies } from './answers/describe-latencies.ts';
import { stepTitle } from './load-text.ts';
import { describePopulations } from './describe-answers.ts';
import { answersOverTime } from './answers/over-time.ts';

type ProbeSeries = Extract<LoadSeries, { kind: 'probe' }>;

/** What curl prints of each request, see curl(1): one line to stderr, which it writes at once. */
const FORMAT = '%{stderr}probe %{http_code} %{time_connect} %{time_appconnect} %{time_total}';
const LINE = /^probe (\d{3}) ([\d.]+) ([\d.]+) ([\d.]+)(?: (.*))?$/;

/** Seconds after which curl ends, and is started again. */
const ROUND_SECONDS = 60;
const TIMEOUT_SECONDS = 30;
/** Characters of an instance's name that tell it apart. */
const MAX_INSTANCE = 200;

/**
 * Returns curl's command for a minute of requests at a steady rate on one connection. The numbers of the range are in
 * the URL's fragment, which is not sent.
 */
export function probeSeriesArgv(
  program: string,
  { perSecond, instance }: ProbeSeries,
  { url, headers }: { readonly url: string; readonly headers: readonly string[] },
): string[] {
  const plain = url.replace(/#.*$/, '').replace(/[[\]{}\\]/g, String.raw`\$&`);
  return [
    program,
    '--disable',
    '--silent',
    '--proto',
    '=http,https',
    '--rate',
    `${perSecond}/s`,
    '--max-time',
    String(TIMEOUT_SECONDS),
    ...headers.flatMap((header) => ['--header', header]),
    '--output',
    '/dev/null',
    '--write-out',
    `${FORMAT}${instance === null ? '' : ` %header{${instance}}`}\\n`,
    `${plain}#[1-${perSecond * ROUND_SECONDS}]`,
  ];
}

/** One request of curl. */
export interface ProbedAnswer {
  /** Unix epoch milliseconds. */
  readonly at: number;
  /** From the open connection to the last byte; null: no answer. */
  readonly seconds: number | null;
  /** Its status is 4xx or 5xx. */
  readonly isError: boolean;
  /** Whether no earlier answer named this instance. */
  readonly isCold: boolean;
}

/** Reads curl's lines as they come; `null` for other lines. */
export function createProbeReader(): (line: string, at: number) => ProbedAnswer | null {
  const instances = new Set<string>();
  return (line, at) => {
    const found = LINE.exec(line.trim());
    if (found === null) return null;
    const [status, connect, secure, total] = found.slice(1, 5).map(Number) as [number, number, number, number];
    const instance = (found[5] ?? '').slice(0, MAX_INSTANCE);
    const isCold = instance !== '' && !instances.has(instance);
    if (isCold) instances.add(instance);
    return {
      at,
      seconds: status === 0 ? null : Math.max(0, total - Math.max(connect, secure)),
      isError: status >= 400,
      isCold,
    };
  };
}

/** Returns the probes of a run as series with what their latencies show; null without an answer. */
export function probedSeries(
  name: string,
  answers: readonly ProbedAnswer[],
  { from, to, most }: { readonly from: number; readonly to: number; readonly most: number },
  { instance, hop }: Pick<ProbeSeries, 'instance' | 'hop'>,
): RunSeries | null {
  const own = answers.filter(({ at }) => at >= from && at <= to);
  const answered = own.filter((one): one is ProbedAnswer & { seconds: number } => one.seconds !== null);
  if (answered.length === 0) return null;
  const seconds = (to - from) / 1000;
  const timesOf = (of: readonly ProbedAnswer[]): number[] => of.map(({ at }) => (at - from) / 1000);
  const latencies = answered.map((one) => one.seconds);
  const { at, series } = answersOverTime(timesOf(answered), latencies, seconds, most);
  const cold = answered.filter(({ isCold }) => isCold);
  const { populations, percentiles } = describeLatencies(latencies);
  const percentile = (percent: number): number => percentiles.find((one) => one.percent === percent)!.seconds;
  const count = answersOverTime(
    timesOf(cold),
    cold.map((one) => one.seconds),
    seconds,
    most,
  ).series[0]!.values;
  return {
    name,
    pid: null,
    at,
    series: [...series, ...(instance === null ? [] : [{ id: 'cold', values: count }])],
    answers: {
      count: answered.length,
      lost: own.length - answered.length,
      failed: own.filter(({ isError }) => isError).length,
      ...(populations === undefined ? {} : { populations }),
      ...(hop === undefined ? {} : { hop: { name: hop.name, latency: { p90: percentile(90), p99: percentile(99) } } }),
      ...(instance === null
        ? {}
        : {
            cold: coldOf(
              instance,
              cold,
              answered.filter(({ isCold }) => !isCold),
            ),
          }),
    },
  };
}

const coldOf = (
  instance: string,
  cold: readonly { readonly seconds: number }[],
  warm: readonly { readonly seconds: number }[],
): NonNullable<ProbedAnswers['cold']> => ({
  instance,
  count: cold.length,
  median: medianOf(cold.map(({ seconds }) => seconds)),
  warmMedian: medianOf(warm.map(({ seconds }) => seconds)),
});

/** By nearest rank; null without values. */
const medianOf = (values: readonly number[]): number | null =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length / 2) - 1] ?? null;

/** A run of a load test, as far as its probes go. */
interface ProbedRun {
  readonly result: { readonly concurrency: number | null };
  readonly vitals?: readonly RunSeries[] | undefined;
}

const format = createFormatter('en');
const number = (value: number): string => format.number(value);

/** Says what the probes beside each step show: requests without an answer, populations, and cold answers. */
export function probedNotes(runs: readonly ProbedRun[]): string[] {
  const steps = [...new Set(runs.map(({ result }) => result.concurrency))];
  return steps.flatMap((concurrency) => {
    const all = runs
      .filter(({ result }) => result.concurrency === concurrency)
      .flatMap(({ vitals = [] }) => vitals.flatMap(({ answers }) => answers ?? []));
    return [...new Set(all.map(({ hop }) => hop?.name))].flatMap((name) => {
      const probed = all.filter(({ hop }) => hop?.name === name);
      const of = name === undefined ? '' : ` of ${name}`;
      return [...failures(probed), ...describePopulations(probed), ...coldAnswers(probed)].map(
        (said) => `Probes${of} at ${stepTitle({ concurrency })}: ${said}.`,
      );
    });
  });
}

const sumOf = (probed: readonly ProbedAnswers[], read: (one: ProbedAnswers) => number): number =>
  probed.reduce((sum, one) => sum + read(one), 0);

function failures(probed: readonly ProbedAnswers[]): string[] {
  const [count, lost, failed] = [
    sumOf(probed, (one) => one.count),
    sumOf(probed, (one) => one.lost),
    sumOf(probed, (one) => one.failed),
  ];
  const of = `of ${number(count + lost)}`;
  return [
    ...(lost > 0 ? [`${number(lost)} ${of} had no answer`] : []),
    ...(failed > 0 ? [`${number(failed)} ${of} were answered with an error status`] : []),
  ];
}

function coldAnswers(probed: readonly ProbedAnswers[]): string[] {
  const known = probed.flatMap(({ cold, count }) => (cold === undefined ? [] : [{ ...cold, of: count }]));
  const [first] = known;
  if (first === undefined) return [];
  const [count, of] = [known.reduce((sum, one) => sum + one.count, 0), known.reduce((sum, one) => sum + one.of, 0)];
  const median = (values: readonly (number | null)[]): string | null => {
    const own = medianOf(values.flatMap((value) => value ?? []));
    return own === null ? null : format.value(own, 'seconds');
  };
  const [cold, warm] = [median(known.map((one) => one.median)), median(known.map(({ warmMedian }) => warmMedian))];
  const times = cold === null ? '' : `, median ${cold}${warm === null ? '' : `; the others ${warm}`}`;
  return [
    `${number(count)} of ${number(of)} answers (${format.share(count, of)}) were cold, the first of an instance by ${first.instance}${times}`,
  ];
}
