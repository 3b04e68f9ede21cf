import { formatShare } from '../units/format.ts';

export const GRADES = ['good', 'limited', 'poor'] as const;
type Grade = (typeof GRADES)[number];

/** Shares of a capture's weight, 0 to 1. */
export interface QualityShares {
  /** Samples whose innermost function has no symbol. */
  readonly unresolved: number;
  /** Samples whose stack does not reach a function in which threads start, or that have no stack. */
  readonly unrooted: number;
  /** Samples whose stack was truncated at the maximum number of frames that the tool records. */
  readonly truncated: number;
  /** Samples that the tool lost or should have taken, as a share of all samples including these. */
  readonly lost: number;
  /** Samples with numbers that can't be, such as negative weights, as a share of all; absent: none. */
  readonly impossible?: number;
}

export interface CaptureQuality extends QualityShares {
  readonly grade: Grade;
}

/**
 * Shares above which a capture is limited or poor. Well-built programs stay below them: leaf functions and prologues
 * leave a few percent of stacks without a caller, hand-written assembly leaves a few without a name.
 */
const LIMITS: Readonly<Record<keyof QualityShares, { readonly limited: number; readonly poor: number }>> = {
  unresolved: { limited: 0.05, poor: 0.3 },
  unrooted: { limited: 0.1, poor: 0.5 },
  truncated: { limited: 0.01, poor: 0.3 },
  lost: { limited: 0.01, poor: 0.1 },
  impossible: { limited: 0, poor: 0.1 },
};

const SHARES = Object.keys(LIMITS) as (keyof QualityShares)[];

export const shareOf = (quality: QualityShares, share: keyof QualityShares): number => quality[share] ?? 0;

export function gradeShares({ unresolved, unrooted, truncated, lost, impossible = 0 }: QualityShares): CaptureQuality {
  const shares = { unresolved, unrooted, truncated, lost, ...(impossible > 0 ? { impossible } : {}) };
  const isAbove = (grade: 'limited' | 'poor'): boolean =>
    SHARES.some((share) => shareOf(shares, share) > LIMITS[share][grade]);
  return { ...shares, grade: isAbove('poor') ? 'poor' : isAbove('limited') ? 'limited' : 'good' };
}

/**
 * Returns the quality with `lost` samples that another source reports missing, in addition to the `samples` present.
 * The larger share counts. A capture without samples has a quality only if they are all lost.
 */
export function withLost<Quality extends CaptureQuality | null>(
  quality: Quality,
  samples: number,
  lost: number,
): CaptureQuality | Quality {
  if (quality === null && lost > 0 && samples === 0) {
    return gradeShares({ unresolved: 0, unrooted: 0, truncated: 0, lost: 1 });
  }
  return lost === 0 || quality === null
    ? quality
    : gradeShares({ ...quality, lost: Math.max(quality.lost, lost / (samples + lost)) });
}

/** Returns whether the share alone makes a capture limited. */
export const isBeyond = (quality: QualityShares, share: keyof QualityShares): boolean =>
  shareOf(quality, share) > LIMITS[share].limited;

/** Returns whether so many samples are missing that the others say little about the whole. */
export const isSparse = ({ lost }: QualityShares): boolean => lost > LIMITS.lost.poor;

/** Returns whether callers are missing from so many stacks that totals say little. */
export const isCut = (quality: QualityShares): boolean =>
  isBeyond(quality, 'unrooted') || isBeyond(quality, 'truncated');

const WORDS: Readonly<Record<keyof QualityShares, string>> = {
  unresolved: 'unresolved',
  unrooted: 'without callers',
  truncated: 'truncated',
  lost: 'lost',
  impossible: 'with impossible numbers',
};

/**
 * Describes the grade and the shares that caused it: `poor: 62.0 % without callers, 7.1 % unresolved`, or only `good`.
 */
export function describeQuality(quality: CaptureQuality): string {
  const reasons = SHARES.filter((share) => isBeyond(quality, share))
    .sort((a, b) => shareOf(quality, b) - shareOf(quality, a))
    .map((share) => `${formatShare(shareOf(quality, share), 1)} ${WORDS[share]}`);
  return reasons.length === 0 ? quality.grade : `${quality.grade}: ${reasons.join(', ')}`;
}

/** Returns all shares, one per line; that of impossible numbers only if there are any. */
export const qualityLines = (quality: CaptureQuality): string[] =>
  SHARES.filter((share) => share !== 'impossible' || isBeyond(quality, share)).map(
    (share) => `${formatShare(shareOf(quality, share), 1)} ${WORDS[share]}`,
  );
