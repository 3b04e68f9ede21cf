import { createFormatter } from '../units/format.ts';
import type { CaptureConditions, CaptureFacts } from './measure/capture-facts.ts';

/** One circumstance of a comparison, as either side has it. */
export interface CircumstanceRow {
  /** `kernel`, `cpu-model`, … stable. */
  readonly id: string;
  /** `CPU model` */
  readonly label: string;
  /** `performance`; several values of a side's captures joined by `, `. Null: not known. */
  readonly before: string | null;
  readonly after: string | null;
  /** `unknown`: one of the sides doesn't know it, so that nothing can be said. */
  readonly status: 'same' | 'differs' | 'unknown';
}

/** Numbers closer than these are the same: clocks round, and loads of an idle machine move by themselves. */
const TOLERANCE = { rate: 0.01, duration: 0.05, steal: 0.01, load: 0.5, loadPerCpu: 0.1 } as const;

const formatter = createFormatter('en');

/** Holds the sides' circumstances against each other: every one that is known of a capture of either side, in a fixed order. */
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

/** Of words: the sides differ where one has a value that the other lacks. */
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

/** Of numbers: the sides' means differ by more than `tolerance` of them allows. */
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
    return { id, label, before: textBefore, after: textAfter, status };
  };
}

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** `0.4`, or `0.4 to 3.1` of several captures. */
function rangeText(values: readonly number[], text: (value: number) => string): string | null {
  if (values.length === 0) return null;
  const [low, high] = [text(Math.min(...values)), text(Math.max(...values))];
  return low === high ? low : `${low} to ${high}`;
}

const within =
  (tolerance: number) =>
  (before: number, after: number): boolean =>
    Math.abs(after - before) <= tolerance * Math.max(Math.abs(before), Math.abs(after));

/** The recorded program loads the machine, too: only more than what a few CPUs' worth of others do tells sides apart. */
function isSameLoad(before: number, after: number, all: readonly CaptureFacts[]): boolean {
  const cpus = Math.max(0, ...all.map(({ cpuCount }) => cpuCount ?? 0));
  return Math.abs(after - before) <= Math.max(TOLERANCE.load, TOLERANCE.loadPerCpu * cpus);
}

const condition =
  <T>(read: (conditions: CaptureConditions) => T | null) =>
  ({ conditions }: CaptureFacts): T | null =>
    conditions === undefined ? null : read(conditions);

const NO_LIMIT = 'no limit';
/** Characters of a build id that tell it from all others that anyone has at hand. */
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
  // Runs of a command from start to end differ in length by what is compared.
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

/** What could not be compared, in words: `known for one side only: governor, turbo`. Null: nothing. */
export function unknownCircumstances(rows: readonly CircumstanceRow[]): string | null {
  const unknown = rows.filter(({ status }) => status === 'unknown').map(({ label }) => label);
  return unknown.length === 0 ? null : `known for one side only: ${unknown.join(', ')}`;
}
