import type { ProbePhases, ProbeSample } from '../contract/load/probe-sample.ts';
import type { Formatter } from '../units/format.ts';

export type { ProbePhases, ProbeSample };

export const PROBE_PHASES = ['blocked', 'dns', 'tcp', 'tls', 'preflight', 'firstByte', 'download', 'total'] as const;
export type ProbePhase = (typeof PROBE_PHASES)[number];

export const PHASE_LABELS: Readonly<Record<ProbePhase, string>> = {
  blocked: 'blocked',
  dns: 'DNS',
  tcp: 'TCP',
  tls: 'TLS',
  preflight: 'preflight',
  firstByte: 'first byte',
  download: 'download',
  total: 'total',
};

/** What curl prints for each transfer, see curl(1): one line of words. */
export const probeFormat = (kind: 'probe' | 'preflight'): string => `${kind} ${TRANSFER_FORMAT}`;
const TRANSFER_FORMAT =
  '%{time_namelookup} %{time_connect} %{time_appconnect} %{time_pretransfer} %{time_starttransfer} %{time_total} %{num_connects} %{http_code}\\n';

const LINE = /^(probe|preflight) ([\d.,]+) ([\d.,]+) ([\d.,]+) ([\d.,]+) ([\d.,]+) ([\d.,]+) (\d+) (\d{3})$/;

/** One request of a probe, or its preflight. */
interface Transfer {
  readonly isPreflight: boolean;
  readonly status: number;
  readonly isNew: boolean;
  readonly phases: ProbePhases;
}

function transfersOf(text: string): Transfer[] {
  return text.split('\n').flatMap((line) => {
    const [, kind, ...parts] = LINE.exec(line.trim()) ?? [];
    if (kind === undefined) return [];
    // curl writes the decimal point of its locale.
    const [dns, connect, secure, , first, total] = parts.slice(0, 6).map((word) => Number(word.replace(',', '.')));
    const opened = Math.max(connect!, secure!);
    const isNew = parts[6] !== '0';
    const opening = {
      dns: dns!,
      tcp: Math.max(0, connect! - dns!),
      tls: secure! > 0 ? Math.max(0, secure! - connect!) : null,
    };
    const phases = {
      ...(isNew ? opening : { dns: 0, tcp: 0, tls: null }),
      // From the opened connection, so that the phases add up; curl marks a request as sent only after its answer may
      // have arrived.
      firstByte: Math.max(0, first! - opened),
      download: Math.max(0, total! - first!),
      total: total!,
    };
    return { isPreflight: kind === 'preflight', status: Number(parts[7]), isNew, phases };
  });
}

/** Adds the preflight before a request: the connection that it opens is the request's. */
function withPreflight(request: Transfer, { isNew, phases: sent }: Transfer): Transfer {
  const { phases } = request;
  const tls = sent.tls === null && phases.tls === null ? null : (sent.tls ?? 0) + (phases.tls ?? 0);
  return {
    ...request,
    isNew: isNew || request.isNew,
    phases: {
      ...phases,
      dns: sent.dns + phases.dns,
      tcp: sent.tcp + phases.tcp,
      tls,
      preflight: sent.firstByte + sent.download,
      total: sent.total + phases.total,
    },
  };
}

/** Reads what curl printed for two requests of one URL, each after its preflight if it has one; null if the first failed. */
export function readProbe(text: string): ProbeSample | null {
  const transfers = transfersOf(text);
  const [cold, second] = transfers.flatMap((one, place) => {
    const before = transfers[place - 1];
    return one.isPreflight ? [] : [before?.isPreflight === true ? withPreflight(one, before) : one];
  });
  if (cold === undefined || cold.status === 0) return null;
  const kept = second === undefined || second.status === 0 || second.isNew ? null : second.phases;
  return { cold: cold.phases, kept, status: cold.status };
}

/** Returns the status with which a preflight was refused, so that a browser would not send the request; null: none was. */
export const preflightRefusal = (text: string): number | null =>
  transfersOf(text).find(({ isPreflight, status }) => isPreflight && status > 0 && (status < 200 || status > 299))
    ?.status ?? null;

/** Median of a phase, with an interval that contains it in at least 95 % of cases; null with fewer than 6 values. */
export interface PhaseMedian {
  readonly median: number;
  readonly interval: readonly [number, number] | null;
  readonly values: number;
}

/** Returns the phases of series of requests: those of a browser only if one of them has them. */
export const phasesIn = (requests: readonly ProbePhases[]): ProbePhase[] =>
  PROBE_PHASES.filter(
    (phase) => (phase !== 'blocked' && phase !== 'preflight') || requests.some((one) => one[phase] !== undefined),
  );

/** Returns the known values of a phase. */
export const phaseValues = (phases: readonly ProbePhases[], phase: ProbePhase): number[] =>
  phases.flatMap((one) => one[phase] ?? []);

/**
 * Returns the median with an interval from order statistics, for any distribution (sign test): Conover, Practical
 * Nonparametric Statistics, 3.2.
 */
export function medianOf(values: readonly number[]): PhaseMedian | null {
  const sorted = values.toSorted((a, b) => a - b);
  const { length } = sorted;
  if (length === 0) return null;
  const median = (sorted[Math.floor((length - 1) / 2)]! + sorted[Math.ceil((length - 1) / 2)]!) / 2;
  const cut = signCut(length);
  return { median, interval: cut < 0 ? null : [sorted[cut]!, sorted[length - 1 - cut]!], values: length };
}

/** Returns the number of values at each end outside the interval; −1 if there are too few values. */
function signCut(length: number): number {
  let chance = 0.5 ** length;
  let below = 0;
  let cut = -1;
  for (let k = 0; k < length / 2; k++) {
    below += chance;
    if (2 * below > 0.05) break;
    cut = k;
    chance *= (length - k) / (k + 1);
  }
  return cut;
}

/** Difference of a phase between two series of probes. */
export interface PhaseShift {
  /** Median of all differences after − before (Hodges and Lehmann). */
  readonly shift: number;
  /** 95 % interval; null with fewer than 4 values a side. */
  readonly interval: readonly [number, number] | null;
}

/**
 * Returns Hodges and Lehmann's estimate with the interval of the rank-sum test: Hollander and Wolfe, Nonparametric
 * Statistical Methods, 4.3.
 */
export function shiftOf(before: readonly number[], after: readonly number[]): PhaseShift | null {
  const [n, m] = [before.length, after.length];
  if (n === 0 || m === 0) return null;
  const differences = Float64Array.from(after.flatMap((one) => before.map((other) => one - other))).sort();
  const last = differences.length - 1;
  const shift = (differences[Math.floor(last / 2)]! + differences[Math.ceil(last / 2)]!) / 2;
  const cut = Math.floor((n * m) / 2 - 1.96 * Math.sqrt((n * m * (n + m + 1)) / 12));
  const isKnown = n >= 4 && m >= 4 && cut >= 1;
  return { shift, interval: isKnown ? [differences[cut - 1]!, differences[last - (cut - 1)]!] : null };
}

/** Returns `1.2 ms (1.1 ms to 1.4 ms)`. */
export function medianText(found: PhaseMedian | null, format: Formatter): string {
  if (found === null) return '–';
  const value = format.value(found.median, 'seconds');
  if (found.interval === null) return value;
  const [low, high] = found.interval.map((end) => format.value(end, 'seconds'));
  return `${value} (${low} to ${high})`;
}
