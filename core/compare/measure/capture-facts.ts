import type { Circumstances } from '../../contract/schemas.ts';
import type { CaptureQuality } from '../../model/quality-grade.ts';
import type { ValueType } from '../../model/profile.ts';

export const NORMALISATIONS = ['raw', 'share', 'per-second', 'per-cpu-second', 'per-request'] as const;
export type Normalisation = (typeof NORMALISATIONS)[number];

/** What is known of a capture beside its samples. Null: not known. */
export interface CaptureFacts {
  /** Said in messages. */
  readonly name: string;
  readonly host: string | null;
  readonly kernel: string | null;
  readonly cpuCount: number | null;
  readonly durationSeconds: number | null;
  /** It is the time from the first sample to the last one: too short for a target that idled at either end. */
  readonly durationIsSpan?: true;
  /** It is a command from its start to its end: what it took in all is what compares. */
  readonly isWholeRun?: true;
  /** Path or name of the file of the program that was recorded. */
  readonly program?: string;
  /** Everything on the machine was recorded. */
  readonly isSystemWide?: true;
  readonly rateHz: number | null;
  /** Of the target (or its cgroup) during the capture: user and system time. */
  readonly cpuSeconds: number | null;
  /** Of the whole capture; absent without samples. */
  readonly quality?: CaptureQuality;
  /** Served during the capture. */
  readonly requests: number | null;
  /** Absent: nothing of them is known. */
  readonly conditions?: CaptureConditions;
}

/** How a capture was recorded, beyond what its numbers are computed with. Null: not known. */
export interface CaptureConditions extends Pick<Circumstances, 'cpuModel' | 'governor' | 'turbo' | 'steal' | 'cgroup'> {
  /** `perf 6.1.0` */
  readonly tool: string | null;
  /** `fp`, `dwarf`, `lbr`, `none` */
  readonly callGraph: string | null;
  /** Of the recorded process's executable, hexadecimal. */
  readonly buildId: string | null;
  /** Mean of the start's and the end's. */
  readonly loadAverage: number | null;
}

/**
 * Of a part of a capture's time (nanoseconds, as selections have it): it is as long as it is, and how many requests and CPU seconds fell into
 * it nobody knows.
 */
export function factsWithin(
  facts: CaptureFacts,
  range: { readonly start: number; readonly end: number } | null,
): CaptureFacts {
  if (range === null) return facts;
  const { durationIsSpan: _span, isWholeRun: _whole, ...known } = facts;
  const start = Math.max(0, range.start);
  const end = facts.durationSeconds === null ? range.end : Math.min(range.end, facts.durationSeconds * 1e9);
  const seconds = (end - start) / 1e9;
  return {
    ...known,
    durationSeconds: Number.isFinite(seconds) && seconds > 0 ? seconds : null,
    requests: null,
    cpuSeconds: null,
  };
}

/** A capture as the normalisation sees it. */
export interface WeighedCapture {
  readonly facts: CaptureFacts;
  readonly valueType: ValueType;
  /** All selected weight. */
  readonly total: number;
}

/** value = weight × scale ÷ exposure; 0 where the exposure is 0. */
export interface CaptureFactor {
  /** From the capture's unit to that of the comparison. */
  readonly scale: number;
  /** The divisor. */
  readonly exposure: number;
}
