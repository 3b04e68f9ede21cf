import type { CaptureFacts } from '../compare/measure/capture-facts.ts';
import { isOfOneMoment } from '../compare/measure/value-types.ts';

/** What a fleet knows of a capture, besides its samples. Null: unknown. */
export interface FleetCapture {
  /** Hash of the file's content, hexadecimal: equal for the same file wherever it is. */
  readonly id: string;
  readonly name: string;
  /** When the recording started, or when the capture was pushed if that is unknown; Unix milliseconds. */
  readonly time: number;
  readonly host: string | null;
  /** Empty if not given, like `release` and `commit`. */
  readonly service: string;
  readonly release: string;
  readonly commit: string;
  readonly labels: ReadonlyMap<string, string>;
  /** The capture's default value type. */
  readonly event: string;
  readonly unit: string;
  readonly format: string;
  readonly program: string | null;
  readonly buildId: string | null;
  readonly kernel: string | null;
  readonly cpus: number | null;
  readonly rateHz: number | null;
  readonly seconds: number | null;
  /** `seconds` is only the time from the first sample to the last. */
  readonly isSpan: boolean;
  readonly cpuSeconds: number | null;
  readonly requests: number | null;
  /** Grade of the capture's quality; empty without samples. */
  readonly quality: string;
}

/** A capture's sum in the value type that is compared. */
export interface WeighedFleetCapture extends FleetCapture {
  readonly weight: number;
  readonly samples: number;
  readonly period: number | null;
}

export interface MergedCaptures {
  readonly facts: CaptureFacts;
  readonly period: number | null;
  /** What the sums are divided by: the number of captures for what exists at one moment, else 1. */
  readonly divisor: number;
}

interface Merging {
  readonly type: string;
  readonly unit: string;
  readonly isUnpaired: boolean;
  /** Unix milliseconds of the minute in which all of them started, which names the replicate; null: the host does. */
  readonly minute?: number | null;
}

/**
 * Returns the facts of captures that are merged to one replicate. Weights, durations, requests and CPU seconds add up;
 * what exists at one moment (memory in use, goroutines) is averaged. `isUnpaired` leaves out the host, so that hosts of
 * both sides are a sample of one fleet.
 */
export function mergeCaptures(
  captures: readonly WeighedFleetCapture[],
  { type, unit, isUnpaired, minute = null }: Merging,
): MergedCaptures {
  const [first] = captures;
  if (first === undefined) throw new RangeError('a replicate needs a capture');
  const sum = (of: (capture: FleetCapture) => number | null): number | null =>
    captures.reduce<number | null>((whole, one) => addKnown(whole, of(one)), 0);
  const common = <T>(of: (capture: FleetCapture) => T | null): T | null =>
    captures.every((one) => of(one) === of(first)) ? of(first) : null;
  const divisor = isOfOneMoment({ type, unit, event: -1, column: 0 }) ? captures.length : 1;
  const program = common((one) => one.program);
  return {
    divisor,
    period: periodOf(captures),
    facts: {
      name: nameOf(captures, first, minute),
      host: isUnpaired ? null : common((one) => one.host),
      kernel: common((one) => one.kernel),
      cpuCount: common((one) => one.cpus),
      durationSeconds: sum((one) => one.seconds),
      ...(captures.some((one) => one.isSpan) ? { durationIsSpan: true as const } : {}),
      ...(program === null ? {} : { program }),
      format: first.format,
      rateHz: common((one) => one.rateHz),
      cpuSeconds: sum((one) => one.cpuSeconds),
      requests: sum((one) => one.requests),
    },
  };
}

/** Names a replicate by its minute or host, with the number of its captures if it has several. */
function nameOf({ length }: readonly FleetCapture[], { host, name }: FleetCapture, minute: number | null): string {
  const own = minute === null ? (host ?? name) : `${new Date(minute).toISOString().slice(0, 16)}Z`;
  return length === 1 ? own : `${own} (${length} captures)`;
}

const addKnown = (whole: number | null, one: number | null): number | null =>
  whole === null || one === null ? null : whole + one;

/** Returns Σ weight × period ÷ Σ weight: with it, the variance of the sum is the sum of the variances. */
function periodOf(captures: readonly WeighedFleetCapture[]): number | null {
  let [squares, whole] = [0, 0];
  for (const { weight, period } of captures) {
    if (period === null) return null;
    squares += Math.abs(weight) * period;
    whole += Math.abs(weight);
  }
  return whole > 0 ? squares / whole : null;
}

/** Hosts that both sides need for a comparison host by host. */
const LEAST_PAIRS = 3;

/**
 * Returns whether hosts of both sides are compared as two samples instead of host by host, because too few of them are
 * on both sides.
 */
export function areUnpaired(before: readonly FleetCapture[], after: readonly FleetCapture[]): boolean {
  const hosts = (side: readonly FleetCapture[]): Set<string> => new Set(side.flatMap(({ host }) => host ?? []));
  const [one, other] = [hosts(before), hosts(after)];
  const shared = [...one].filter((host) => other.has(host)).length;
  return shared < LEAST_PAIRS && (one.size > 1 || other.size > 1);
}
