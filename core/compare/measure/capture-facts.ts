import type { Circumstances } from '../../contract/capture-facts.ts';
import type { CaptureQuality } from '../../model/quality-grade.ts';
import type { ValueType } from '../../model/profile.ts';

/** Facts about a capture other than its samples. Null: unknown. */
export interface CaptureFacts {
  /** Name used in messages. */
  readonly name: string;
  readonly host: string | null;
  readonly kernel: string | null;
  readonly cpuCount: number | null;
  readonly durationSeconds: number | null;
  /** The duration is the time from the first sample to the last: too short for a target that idled at either end. */
  readonly durationIsSpan?: true;
  /** The capture is a command from start to end, so that its whole weight is comparable. */
  readonly isWholeRun?: true;
  /** Path or file name of the recorded program. */
  readonly program?: string;
  /** Id of the profile's format: `perf-data` */
  readonly format?: string;
  /** Everything on the machine was recorded. */
  readonly isSystemWide?: true;
  readonly rateHz: number | null;
  /** User and system time of the target (or its cgroup) during the capture. */
  readonly cpuSeconds: number | null;
  /** Quality of the whole capture; absent without samples. */
  readonly quality?: CaptureQuality;
  /** Number of requests served during the capture. */
  readonly requests: number | null;
  /** The run of a load test during which it was recorded; absent: none. */
  readonly loadRun?: string;
  /** Absent if unknown. */
  readonly conditions?: CaptureConditions;
}

/** How a capture was recorded, beyond the facts that enter its numbers. Null: unknown. */
export interface CaptureConditions extends Pick<Circumstances, 'cpuModel' | 'governor' | 'turbo' | 'steal' | 'cgroup'> {
  /** `perf 6.1.0` */
  readonly tool: string | null;
  /** `fp`, `dwarf`, `lbr`, `none` */
  readonly callGraph: string | null;
  /** Build id of the recorded process's executable, hexadecimal. */
  readonly buildId: string | null;
  /** `nginx:1.27 (0123456789ab)`: the image of the recorded container, with the start of its digest. */
  readonly containerImage: string | null;
  /** Version of the recorded program's Go runtime: `go1.26.8`. */
  readonly goVersion: string | null;
  /** GOMAXPROCS of the recorded program's environment. */
  readonly goMaxProcs: number | null;
  /** Share of its periods in which the control group had to wait for CPU time, 0 to 1. */
  readonly throttled: number | null;
  /** Mean of the values at the start and at the end. */
  readonly loadAverage: number | null;
  /** Number of threads that have samples. */
  readonly threads: number | null;
}

/**
 * Returns the facts of a part of a capture's time (nanoseconds, as in selections). Its duration is that of the range
 * within the capture; its requests and CPU seconds are unknown. The span of the samples does not limit a range: the
 * capture may have idled at either end.
 */
export function factsWithin(
  facts: CaptureFacts,
  range: { readonly start: number; readonly end: number } | null,
): CaptureFacts {
  if (range === null) return facts;
  const { durationIsSpan, isWholeRun: _whole, ...known } = facts;
  const recorded = durationIsSpan === true ? null : facts.durationSeconds;
  const start = Math.max(0, range.start);
  const end = recorded === null ? range.end : Math.min(range.end, recorded * 1e9);
  const seconds = (end - start) / 1e9;
  return {
    ...known,
    durationSeconds: Number.isFinite(seconds) && seconds > 0 ? seconds : null,
    requests: null,
    cpuSeconds: null,
  };
}

/**
 * Returns the captures (by index) of each replicate, in the order of their first ones. Those of one run of a load test
 * on one host, such as a server's workers, are one: what their run has in common would pass for agreement.
 */
export function replicatesOf(facts: readonly Pick<CaptureFacts, 'host' | 'loadRun'>[]): number[][] {
  const replicates = Map.groupBy(facts.keys(), (place) => {
    const { host, loadRun } = facts[place]!;
    return loadRun === undefined ? place : `${host ?? ''}\0${loadRun}`;
  });
  return [...replicates.values()];
}

/** A capture as normalisation sees it. */
export interface WeighedCapture {
  readonly facts: CaptureFacts;
  readonly valueType: ValueType;
  /** Total selected weight. */
  readonly total: number;
  /** Number of selected samples with weight. */
  readonly samples: number;
}

/** value = weight × scale ÷ exposure; 0 if the exposure is 0. */
export interface CaptureFactor {
  /** Converts the capture's unit to that of the comparison. */
  readonly scale: number;
  /** The divisor. */
  readonly exposure: number;
}
