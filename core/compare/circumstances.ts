import { createFormatter } from '../units/format.ts';
import type { CaptureConditions, CaptureFacts } from './measure/capture-facts.ts';

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
  /** The ranges of numbers of two or more captures a side overlap. */
  readonly overlaps?: true;
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

/** Circumstances that another program on the machine changes. */
const OF_MACHINE: readonly string[] = ['load-average', 'steal', 'throttled'];

/**
 * Says by what the machine differed between sides that were recorded in turn: numbers whose ranges overlap vary by
 * themselves. Null: by nothing that is known.
 */
export function machineDifference(rows: readonly CircumstanceRow[]): string | null {
  const differing = rows
    .filter(({ status, id, overlaps }) => status === 'differs' && overlaps !== true && OF_MACHINE.includes(id))
    .map(({ label, before, after }) => `${label} ${before ?? '?'} → ${after ?? '?'}`);
  return differing.length === 0 ? null : `The machine differed between the sides: ${differing.join(', ')}.`;
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

type Circumstance = (before: readonly CaptureFacts[], after: readonly CaptureFacts[]) => CircumstanceRow | null;

/** Compares text values; the sides differ if one has a value that the other lacks. */
function words(id: string, label: string, read: (facts: CaptureFacts) => string | null): Circumstance {
  return (before, after) => {
    const sides = [before, after].map((side) => [...new Set(side.flatMap((facts) => read(facts) ?? []))].sort());
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
  read: (facts: CaptureFacts) => number | null,
  text: (value: number) => string,
  isSame: (before: number, after: number, all: readonly CaptureFacts[]) => boolean,
): Circumstance {
  return (before, after) => {
    const sides = [before, after].map((side) => side.flatMap((facts) => read(facts) ?? []));
    const [one, other] = sides.map(meanOf) as [number | null, number | null];
    const [textBefore, textAfter] = sides.map((values) => rangeText(values, text)) as [string | null, string | null];
    const status =
      one === null || other === null ? 'unknown' : isSame(one, other, [...before, ...after]) ? 'same' : 'differs';
    return { id, label, before: textBefore, after: textAfter, status, ...(overlap(sides) ? { overlaps: true } : {}) };
  };
}

const overlap = (sides: readonly (readonly number[])[]): boolean =>
  sides.every(({ length }) => length > 1) &&
  Math.max(...sides.map((side) => Math.min(...side))) <= Math.min(...sides.map((side) => Math.max(...side)));

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

const condition =
  <T>(read: (conditions: CaptureConditions) => T | null) =>
  ({ conditions }: CaptureFacts): T | null =>
    conditions === undefined ? null : read(conditions);

const NO_LIMIT = 'no limit';
/** Characters of a build id that are unique among the builds that anyone has at hand. */
const BUILD_ID_LENGTH = 12;

const CIRCUMSTANCES: readonly Circumstance[] = [
  words('host', 'host', ({ host }) => host),
  words('kernel', 'kernel', ({ kernel }) => kernel),
  words(
    'cpu-model',
    'CPU model',
    condition(({ cpuModel }) => cpuModel),
  ),
  words('cpu-count', 'CPUs', ({ cpuCount }) => (cpuCount === null ? null : String(cpuCount))),
  words(
    'governor',
    'governor',
    condition(({ governor }) => governor),
  ),
  words(
    'turbo',
    'turbo',
    condition(({ turbo }) => (turbo === null ? null : turbo ? 'on' : 'off')),
  ),
  numbers(
    'load-average',
    'load average',
    condition(({ loadAverage }) => loadAverage),
    (value) => value.toFixed(2),
    isSameLoad,
  ),
  numbers(
    'threads',
    'threads',
    condition(({ threads }) => threads),
    String,
    within(TOLERANCE.threads),
  ),
  numbers(
    'cpus-used',
    'CPUs used',
    ({ cpuSeconds, durationSeconds }) =>
      cpuSeconds === null || durationSeconds === null ? null : cpuSeconds / durationSeconds,
    (value) => value.toFixed(2),
    within(TOLERANCE.cpusUsed),
  ),
  numbers(
    'steal',
    'steal',
    condition(({ steal }) => steal),
    (value) => formatter.share(value, 1),
    (before, after) => Math.abs(after - before) <= TOLERANCE.steal,
  ),
  words(
    'cgroup-cpus',
    'cgroup CPU limit',
    condition(({ cgroup }) =>
      cgroup === null ? null : cgroup.cpus === null ? NO_LIMIT : `${Number(cgroup.cpus.toPrecision(4))} CPUs`,
    ),
  ),
  numbers(
    'throttled',
    'throttled',
    condition(({ throttled }) => throttled),
    (value) => formatter.share(value, 1),
    (before, after) => Math.abs(after - before) <= TOLERANCE.throttled,
  ),
  words(
    'cgroup-memory',
    'cgroup memory limit',
    condition(({ cgroup }) =>
      cgroup === null ? null : cgroup.memoryBytes === null ? NO_LIMIT : formatter.value(cgroup.memoryBytes, 'bytes'),
    ),
  ),
  words(
    'build-id',
    'build id',
    condition(({ buildId }) => buildId?.slice(0, BUILD_ID_LENGTH) ?? null),
  ),
  words(
    'container-image',
    'container image',
    condition(({ containerImage }) => containerImage),
  ),
  words(
    'go-version',
    'Go',
    condition(({ goVersion }) => goVersion),
  ),
  words(
    'go-max-procs',
    'GOMAXPROCS',
    condition(({ goMaxProcs }) => (goMaxProcs === null ? null : String(goMaxProcs))),
  ),
  words(
    'tool',
    'tool',
    condition(({ tool }) => tool),
  ),
  numbers(
    'rate',
    'rate',
    ({ rateHz }) => rateHz,
    (value) => formatter.value(value, 'hertz'),
    within(TOLERANCE.rate),
  ),
  words(
    'call-graph',
    'call graph',
    condition(({ callGraph }) => callGraph),
  ),
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
