import { compareText } from '../../analyze/compare-text.ts';
import { COARSE_FREEDOM, FINE_FREEDOM, samplingVariance, type SamplingEvidence } from './sampling-variance.ts';

/**
 * Measurements of each row (a function, a call path) in each capture of one side; captures that are one replicate are
 * one here. Tables are row by row: row × captures + capture.
 */
export interface SideMeasures {
  readonly rows: number;
  readonly captures: readonly CaptureDesign[];
  /** Normalised weight. */
  readonly value: Float64Array;
  /** Sampling variance of `value`; null if it is unknown for one of the captures. */
  readonly sampling: SamplingVariances | null;
  /** Number of observations behind `value`. */
  readonly samples: Float64Array;
}

/** Sampling variances by row and capture, see {@link SamplingEvidence}. */
export interface SamplingVariances {
  readonly count: Float64Array;
  readonly coarse: Float64Array;
  readonly fine: Float64Array;
}

/** The facts about a capture that the statistics need. */
export interface CaptureDesign {
  /** Captures of one host are replicates of each other. Null: unknown. */
  readonly host: string | null;
  /** The amount observed, by which weights were divided. At equal rates, counts are in proportion to it. */
  readonly exposure: number;
  /** Samples have times, so that the sampling variance comes from time blocks; otherwise it comes from counts. */
  readonly isTimed: boolean;
  /** Samples are independent observations of a count (or count × period), so that counts can be tested. */
  readonly isCount: boolean;
}

/** How the captures of one side combine into one number. */
export interface SideDesign {
  /** Groups of captures (by index) that are replicates of each other: one per host that both sides have. */
  readonly groups: readonly (readonly number[])[];
  /** By group: its part in the variance of the side's mean if captures vary alike. Adds up to 1. */
  readonly parts: readonly number[];
  /**
   * Degrees of freedom of the variance between replicates, which adds up that of the groups by `parts` (Satterthwaite
   * 1946): captures − groups if these have equally many captures.
   */
  readonly freedom: number;
  /** Variance of the side's mean as a multiple of that of one capture. */
  readonly meanFactor: number;
  readonly exposure: number;
  readonly isCount: boolean;
}

export interface ComparisonDesign {
  readonly before: SideDesign;
  readonly after: SideDesign;
  /** At least three captures a side, repeated on hosts that both sides have; or at least three such hosts. */
  readonly isReplicated: boolean;
  /** There are too few replicates per host, but enough hosts: their differences are the replicates. */
  readonly isPaired: boolean;
  /**
   * Hosts that only one side has, '' for unknown ones. Their captures are left out if the sides share a host; if they
   * share none, no verdict is certain.
   */
  readonly unpairedHosts: readonly string[];
  readonly sharesHost: boolean;
  /** Minimum number of samples of both sides together for a row to be tested. */
  readonly leastSamples: number;
  /** Relative change that is not attributed to a function, because load or machine may cause it: 0 or more. */
  readonly unevenness: number;
}

/** A sum of samples (bytes, blocked time) counts as one observation, however many it consists of: 0 for those. */
const LEAST_POOLED_SAMPLES = 10;

/** Minimum captures per side for a verdict. */
export const LEAST_REPLICATES = 3;

/**
 * Treats different hosts as blocks: means are taken host by host, over the hosts that both sides have, with equal
 * weight for each host.
 */
export function designComparison(before: readonly CaptureDesign[], after: readonly CaptureDesign[]): ComparisonDesign {
  if (before.length === 0 || after.length === 0) throw new RangeError('a comparison needs a capture on each side');
  const known = new Set([...before, ...after].flatMap(({ host }) => host ?? []));
  // If only one host is known, captures of unknown hosts are not separated from it.
  const toHost = ({ host }: CaptureDesign): string => (known.size < 2 ? '' : (host ?? ''));
  const byHost = (side: readonly CaptureDesign[]) => Map.groupBy(side.keys(), (place) => toHost(side[place]!));
  const [byHostBefore, byHostAfter] = [byHost(before), byHost(after)];
  const hosts = [...new Set([...byHostBefore.keys(), ...byHostAfter.keys()])].sort(compareText);
  const shared = hosts.filter((host) => byHostBefore.has(host) && byHostAfter.has(host));
  const sharesHost = shared.length > 0;
  const sides = [
    designSide(before, sharesHost ? shared.map((host) => byHostBefore.get(host)!) : [[...before.keys()]]),
    designSide(after, sharesHost ? shared.map((host) => byHostAfter.get(host)!) : [[...after.keys()]]),
  ] as const;
  const isRepeated = ({ groups }: SideDesign): boolean =>
    groups.flat().length >= LEAST_REPLICATES && groups.flat().length - groups.length >= LEAST_REPLICATES - 1;
  const isPaired = !sides.every(isRepeated) && shared.length >= LEAST_REPLICATES;
  return {
    before: sides[0],
    after: sides[1],
    isReplicated: isPaired || (sharesHost && sides.every(isRepeated)),
    isPaired,
    unpairedHosts: hosts.filter((host) => !shared.includes(host)),
    sharesHost,
    leastSamples: [...before, ...after].some(({ isCount, isTimed }) => isCount || isTimed) ? LEAST_POOLED_SAMPLES : 0,
    unevenness: 0,
  };
}

function designSide(captures: readonly CaptureDesign[], groups: readonly (readonly number[])[]): SideDesign {
  const used = groups.flat();
  const inverse = sumOf(groups, (group) => 1 / group.length);
  const parts = groups.map((group) => 1 / group.length / inverse);
  const repeated = (of: (part: number, freedom: number) => number): number =>
    sumOf(parts, (part, at) => (groups[at]!.length > 1 ? of(part, groups[at]!.length - 1) : 0));
  return {
    groups,
    parts,
    freedom: repeated((part) => part) ** 2 / repeated((part, freedom) => part ** 2 / freedom) || 0,
    meanFactor: inverse / groups.length ** 2,
    exposure: used.reduce((sum, place) => sum + captures[place]!.exposure, 0),
    isCount: used.every((place) => captures[place]!.isCount),
  };
}

const sumOf = <T>(items: readonly T[], of: (item: T, place: number) => number): number =>
  items.reduce((sum, item, place) => sum + of(item, place), 0);

/** Both sides of one row. */
export interface RowEstimate {
  readonly before: SideEstimate;
  readonly after: SideEstimate;
}

/** One side of one row. */
export interface SideEstimate {
  readonly mean: number;
  /** By group. */
  readonly groupMeans: readonly number[];
  /** Variance of one capture between replicates, see {@link SideDesign.parts}; NaN without replicates. */
  readonly between: number;
  /**
   * Variance of one capture from sampling alone: {@link samplingVariance} of the means over its captures, by the same
   * parts; NaN if unknown.
   */
  readonly within: number;
  /** Degrees of freedom of `within`; Infinity if it comes from counts. */
  readonly withinFreedom: number;
  /** The same for a side with too few captures to determine their variation: see {@link withinRunVariance}. */
  readonly withinRun: { readonly variance: number; readonly freedom: number };
  readonly samples: number;
}

export function estimateRow(
  design: ComparisonDesign,
  before: SideMeasures,
  after: SideMeasures,
  row: number,
): RowEstimate {
  return { before: estimateSide(before, design.before, row), after: estimateSide(after, design.after, row) };
}

function estimateSide(measures: SideMeasures, design: SideDesign, row: number): SideEstimate {
  const { groups } = design;
  const first = row * measures.captures.length;
  let mean = 0;
  const groupMeans: number[] = [];
  const groupSquares: number[] = [];
  let samples = 0;
  for (const group of groups) {
    let sum = 0;
    for (const capture of group) sum += measures.value[first + capture]!;
    const groupMean = sum / group.length;
    mean += groupMean / groups.length;
    groupMeans.push(groupMean);
    let squares = 0;
    for (const capture of group) {
      squares += (measures.value[first + capture]! - groupMean) ** 2;
      samples += measures.samples[first + capture]!;
    }
    groupSquares.push(squares);
  }
  return {
    mean,
    groupMeans,
    between: betweenReplicates(design, groupMeans, groupSquares),
    ...samplingOf(measures, design, first),
    samples,
  };
}

/** A group of one capture is taken to vary like the others, relative to its value. */
function betweenReplicates(
  { groups, parts, freedom }: SideDesign,
  means: readonly number[],
  squares: readonly number[],
): number {
  if (freedom === 0) return Number.NaN;
  const known = sumOf(groups, (group, at) => (group.length - 1) * means[at]! ** 2);
  const relative = known > 0 ? sumOf(squares, (square) => square) / known : 0;
  return sumOf(parts, (part, at) => {
    const own = groups[at]!.length - 1;
    return part * (own > 0 ? squares[at]! / own : relative * means[at]! ** 2);
  });
}

function samplingOf(
  { sampling, captures }: SideMeasures,
  { groups, parts }: SideDesign,
  first: number,
): Pick<SideEstimate, 'within' | 'withinFreedom' | 'withinRun'> {
  const used = groups.flat();
  const meanOf = (variances: Float64Array): number =>
    sumOf(groups, (group, at) => (parts[at]! * sumOf(group, (capture) => variances[first + capture]!)) / group.length);
  const evidence: SamplingEvidence =
    sampling === null
      ? { count: Number.NaN, coarse: Number.NaN, fine: Number.NaN }
      : { count: meanOf(sampling.count), coarse: meanOf(sampling.coarse), fine: meanOf(sampling.fine) };
  const within = samplingVariance(evidence);
  const freedomOf = (blocks: number): number =>
    used.reduce((sum, capture) => sum + (captures[capture]!.isTimed ? blocks : Infinity), 0);
  const isCoarse = within < Math.max(evidence.count, evidence.fine);
  const single = withinRunVariance(evidence);
  return {
    within,
    withinFreedom: freedomOf(isCoarse ? COARSE_FREEDOM : FINE_FREEDOM),
    withinRun: { variance: single.variance, freedom: freedomOf(single.isCoarse ? COARSE_FREEDOM : FINE_FREEDOM) },
  };
}

/**
 * Returns the larger of the variances from counts and from fine blocks, regardless of coarse blocks, because slow
 * changes within a run may differ in another run. If both are zero, as for bytes that were allocated in a burst or two,
 * returns the variance from coarse blocks.
 */
function withinRunVariance({ count, coarse, fine }: SamplingEvidence): { variance: number; isCoarse: boolean } {
  const variance = Math.max(count, fine);
  return variance === 0 ? { variance: coarse, isCoarse: true } : { variance, isCoarse: false };
}
