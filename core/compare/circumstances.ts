import { countText, createFormatter } from '../units/format.ts';
import type { CaptureConditions, CaptureFacts } from './measure/capture-facts.ts';
import { FALSE_DISCOVERY_RATE } from './statistics/false-discovery.ts';

/** One recording circumstance of a comparison, as each side has it. */
export interface CircumstanceRow {
  /** Stable id: `kernel`, `cpu-model`, … */
  readonly id: string;
  /** `CPU model` */
  readonly label: string;
  /** `performance`; if a side's captures differ, their values joined by `, `. Null if unknown. */
  readonly before: string | null;
  readonly after: string | null;
  /** `unknown`: at least one side lacks the value, so the sides can't be compared. */
  readonly status: 'same' | 'differs' | 'unknown';
  /** Of a number: the values of each side's runs, means over captures of one run of a load test. */
  readonly values?: readonly [before: readonly number[], after: readonly number[]];
}

/** Numbers closer than this count as equal: clocks round, and the load of an idle machine fluctuates. */
const TOLERANCE = {
  rate: 0.01,
  duration: 0.05,
  steal: 0.01,
  throttled: 0.02,
  load: 0.5,
  loadPerCpu: 0.1,
  threads: 0.1,
  cpusUsed: 0.1,
} as const;

/** Circumstances that a load or a busy machine changes. */
export const OF_LOAD: readonly string[] = ['threads', 'cpus-used', 'load-average', 'steal', 'throttled'];

/** Returns `load average 0.50 → 3.25` for each that differs. */
export const differences = (rows: readonly CircumstanceRow[]): string[] =>
  rows
    .filter(({ status }) => status === 'differs')
    .map(({ label, before, after }) => `${label} ${before!} → ${after!}`);

/** Circumstances that another program on the machine changes, and what happened in a run where one is not 0. */
const OF_MACHINE: Readonly<Record<string, string | null>> = {
  'load-average': null,
  steal: 'CPU time was stolen',
  throttled: 'The CPU was throttled',
};

/**
 * Says by what the machine differed between sides that were recorded in turn: numbers whose ranges do not overlap. If it
 * did not differ, chance names one in at most 5 % of comparisons, all numbers together (Bonferroni). With too few runs
 * for that, it counts the runs with steal or throttling if one side has none. Null: nothing is to be said.
 */
export function machineDifference(rows: readonly CircumstanceRow[]): string | null {
  // A number that is the same in all runs can't be apart, so it is not a test.
  const tested = rows.filter(
    ({ id, status, values }) =>
      id in OF_MACHINE && status !== 'unknown' && values !== undefined && new Set(values.flat()).size > 1,
  );
  const apart = tested.filter(({ status, values }) => status === 'differs' && areApart(values!));
  const isShown = ({ values }: CircumstanceRow): boolean =>
    chanceOfApart(values!) <= FALSE_DISCOVERY_RATE / tested.length;
  const isLimit = ({ id }: CircumstanceRow): boolean => id === 'throttled';
  const [limits, shown] = [apart.filter(isLimit), differences(apart.filter((row) => isShown(row) && !isLimit(row)))];
  const limited = limits.flatMap((row) =>
    isShown(row) ? [`The CPU limit of the cgroup held up one side more: ${differences([row])[0]!}.`] : countedRuns(row),
  );
  const sentences = [
    ...(shown.length === 0 ? [] : [`The machine differed between the sides: ${shown.join(', ')}.`]),
    ...apart.filter((row) => !isShown(row) && !isLimit(row)).flatMap(countedRuns),
    ...limited,
    ...(limited.length === 0 ? [] : ['More CPU time of the server itself causes this, too.']),
  ];
  return sentences.length === 0 ? null : sentences.join(' ');
}

type Values = NonNullable<CircumstanceRow['values']>;

const areApart = ([before, after]: Values): boolean =>
  Math.max(...before) < Math.min(...after) || Math.max(...after) < Math.min(...before);

/** Returns the chance that the ranges of runs of one machine are apart: 2 of all ways to divide them into the sides. */
const chanceOfApart = ([before, after]: Values): number =>
  before.reduce((chance, _, place) => (chance * (place + 1)) / (after.length + place + 1), 2);

/** Returns `The CPU was throttled in 0 of 3 runs before and 3 of 3 after (0.0 % → 31.0 %).` if a side has none. */
function countedRuns({ id, before, after, values }: CircumstanceRow): string[] {
  const fact = OF_MACHINE[id]!;
  const [one, other] = values!.map((side) => side.filter((value) => value > 0).length) as [number, number];
  if (fact === null || Math.min(one, other) > 0) return [];
  const runs = countText(values![0].length, 'run');
  return [`${fact} in ${one} of ${runs} before and ${other} of ${values![1].length} after (${before!} → ${after!}).`];
}

const formatter = createFormatter('en');

/** Compares the sides' circumstances: every one that is known for a capture of either side, in a fixed order. */
export function compareCircumstances(
  before: readonly CaptureFacts[],
  after: readonly CaptureFacts[],
): CircumstanceRow[] {
  return CIRCUMSTANCES.flatMap((circumstance) => {
    const row = circumstance(before, after);
    return row === null || (row.before === null && row.after === null) ? [] : [row];
  });
}

/** Facts and conditions of a capture in one; conditions that are not known may be absent. */
type Recorded = CaptureFacts & Partial<CaptureConditions>;

/** Returns what is known of each capture. */
const knownOf = <T>(side: readonly CaptureFacts[], read: (recorded: Recorded) => T | null | undefined): T[] =>
  side.flatMap((facts) => read({ ...facts, ...facts.conditions }) ?? []);

type Circumstance = (before: readonly CaptureFacts[], after: readonly CaptureFacts[]) => CircumstanceRow | null;

/** Compares text values; the sides differ if one has a value that the other lacks. */
function words(id: string, label: string, read: (recorded: Recorded) => string | null | undefined): Circumstance {
  return (before, after) => {
    const sides = [before, after].map((side) => [...new Set(knownOf(side, read))].sort());
    const [one, other] = sides.map((values) => (values.length === 0 ? null : values.join(', '))) as [
      string | null,
      string | null,
    ];
    const status = one === null || other === null ? 'unknown' : one === other ? 'same' : 'differs';
    return { id, label, before: one, after: other, status };
  };
}

/** Compares numbers; the sides differ if their means differ by more than `tolerance`. */
function numbers(
  id: string,
  label: string,
  read: (recorded: Recorded) => number | null | undefined,
  text: (value: number) => string,
  isSame: (before: number, after: number, all: readonly CaptureFacts[]) => boolean,
): Circumstance {
  return (before, after) => {
    const sides = [knownOf(before, read), knownOf(after, read)] as const;
    const [one, other] = [meanOf(sides[0]), meanOf(sides[1])];
    const status =
      one === null || other === null ? 'unknown' : isSame(one, other, [...before, ...after]) ? 'same' : 'differs';
    const [textBefore, textAfter] = [rangeText(sides[0], text), rangeText(sides[1], text)];
    return {
      id,
      label,
      before: textBefore,
      after: textAfter,
      status,
      values: [byRun(before, read), byRun(after, read)],
    };
  };
}

/** Compares shares of time. */
const share = (id: 'steal' | 'throttled'): Circumstance =>
  numbers(
    id,
    id,
    (recorded) => recorded[id],
    (value) => formatter.share(value, 1),
    (before, after) => Math.abs(after - before) <= TOLERANCE[id],
  );

/** Captures of one run share the state of the machine, so they are no replicates of each other. */
const byRun = (side: readonly CaptureFacts[], read: (recorded: Recorded) => number | null | undefined): number[] =>
  [...Map.groupBy(side, ({ loadRun }, place) => loadRun ?? place).values()].flatMap(
    (own) => meanOf(knownOf(own, read)) ?? [],
  );

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns `0.4`, or `0.4 to 3.1` for several captures. */
function rangeText(values: readonly number[], text: (value: number) => string): string | null {
  if (values.length === 0) return null;
  const [low, high] = [text(Math.min(...values)), text(Math.max(...values))];
  return low === high ? low : `${low} to ${high}`;
}

const within =
  (tolerance: number) =>
  (before: number, after: number): boolean =>
    Math.abs(after - before) <= tolerance * Math.max(Math.abs(before), Math.abs(after));

/**
 * The recorded program loads the machine, too, so the sides differ only if the load changed by more than a tenth of the
 * CPUs.
 */
function isSameLoad(before: number, after: number, all: readonly CaptureFacts[]): boolean {
  const cpus = Math.max(0, ...all.map(({ cpuCount }) => cpuCount ?? 0));
  return Math.abs(after - before) <= Math.max(TOLERANCE.load, TOLERANCE.loadPerCpu * cpus);
}

const NO_LIMIT = 'no limit';
/** Characters of a build id that are unique among the builds that anyone has at hand. */
const BUILD_ID_LENGTH = 12;

const CIRCUMSTANCES: readonly Circumstance[] = [
  words('host', 'host', ({ host }) => host),
  words('kernel', 'kernel', ({ kernel }) => kernel),
  words('cpu-model', 'CPU model', ({ cpuModel }) => cpuModel),
  words('cpu-count', 'CPUs', ({ cpuCount }) => cpuCount?.toString()),
  words('governor', 'governor', ({ governor }) => governor),
  words('turbo', 'turbo', ({ turbo }) => (turbo === true ? 'on' : turbo === false ? 'off' : null)),
  numbers(
    'load-average',
    'load average',
    ({ loadAverage }) => loadAverage,
    (value) => value.toFixed(2),
    isSameLoad,
  ),
  numbers('threads', 'threads', ({ threads }) => threads, String, within(TOLERANCE.threads)),
  numbers(
    'cpus-used',
    'CPUs used',
    ({ cpuSeconds, durationSeconds }) =>
      cpuSeconds === null || durationSeconds === null ? null : cpuSeconds / durationSeconds,
    (value) => value.toFixed(2),
    within(TOLERANCE.cpusUsed),
  ),
  share('steal'),
  words('cgroup-cpus', 'cgroup CPU limit', ({ cgroup = null }) =>
    cgroup === null ? null : cgroup.cpus === null ? NO_LIMIT : `${Number(cgroup.cpus.toPrecision(4))} CPUs`,
  ),
  share('throttled'),
  words('cgroup-memory', 'cgroup memory limit', ({ cgroup = null }) =>
    cgroup === null ? null : cgroup.memoryBytes === null ? NO_LIMIT : formatter.value(cgroup.memoryBytes, 'bytes'),
  ),
  words('build-id', 'build id', ({ buildId }) => buildId?.slice(0, BUILD_ID_LENGTH)),
  words('container-image', 'container image', ({ containerImage }) => containerImage),
  words('go-version', 'Go', ({ goVersion }) => goVersion),
  words('go-max-procs', 'GOMAXPROCS', ({ goMaxProcs }) => goMaxProcs?.toString()),
  words('tool', 'tool', ({ tool }) => tool),
  numbers(
    'rate',
    'rate',
    ({ rateHz }) => rateHz,
    (value) => formatter.value(value, 'hertz'),
    within(TOLERANCE.rate),
  ),
  words('call-graph', 'call graph', ({ callGraph }) => callGraph),
  // The duration of complete command runs depends on the code being compared, so it is not a circumstance.
  (before, after) =>
    [...before, ...after].every(({ isWholeRun }) => isWholeRun === true) ? null : duration(before, after),
];

const duration = numbers(
  'duration',
  'duration',
  ({ durationSeconds }) => durationSeconds,
  (value) => formatter.value(value, 'seconds'),
  within(TOLERANCE.duration),
);

/** Describes what could not be compared: `known for one side only: governor, turbo`. Null if there is nothing. */
export function unknownCircumstances(rows: readonly CircumstanceRow[]): string | null {
  const unknown = rows.filter(({ status }) => status === 'unknown').map(({ label }) => label);
  return unknown.length === 0 ? null : `known for one side only: ${unknown.join(', ')}`;
}
