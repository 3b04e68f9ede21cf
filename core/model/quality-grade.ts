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
  /** The rule that most of `unrooted` breaks; absent if `unrooted` is small, and in captures of older versions. */
  readonly unrootedBy?: UnrootedRule;
}

/** What a stack without callers lacks, see docs/profile-model.md. */
export const UNROOTED_RULES = ['no-stack', 'outside-code', 'called-elsewhere', 'short'] as const;
export type UnrootedRule = (typeof UNROOTED_RULES)[number];

const RULE_WORDS: Readonly<Record<UnrootedRule, string>> = {
  'no-stack': 'no stack',
  'outside-code': 'the outermost address is not in code',
  'called-elsewhere': 'the outermost function is called elsewhere',
  short: 'only one or two frames outside the kernel',
};

/** Returns ` (no stack)`; empty if the rule is unknown. */
export const unrootedReason = ({ unrootedBy }: QualityShares): string =>
  unrootedBy === undefined ? '' : ` (${RULE_WORDS[unrootedBy]})`;

type Share = Exclude<keyof QualityShares, 'unrootedBy'>;

export interface CaptureQuality extends QualityShares {
  readonly grade: Grade;
}

/**
 * Shares above which a capture is limited or poor. Well-built programs stay below them: leaf functions and prologues
 * leave a few percent of stacks without a caller, hand-written assembly leaves a few without a name.
 */
const LIMITS: Readonly<Record<Share, { readonly limited: number; readonly poor: number }>> = {
  unresolved: { limited: 0.05, poor: 0.3 },
  unrooted: { limited: 0.1, poor: 0.5 },
  truncated: { limited: 0.01, poor: 0.3 },
  lost: { limited: 0.01, poor: 0.1 },
  impossible: { limited: 0, poor: 0.1 },
};

const SHARES = Object.keys(LIMITS) as Share[];

export const shareOf = (quality: QualityShares, share: Share): number => quality[share] ?? 0;

/** Grades by the shares; `best` is the best grade that the capture can get for reasons other than its shares. */
export function gradeShares(
  { unresolved, unrooted, truncated, lost, impossible = 0, unrootedBy }: QualityShares,
  best: 'good' | 'limited' = 'good',
): CaptureQuality {
  const shares = { unresolved, unrooted, truncated, lost, ...(impossible > 0 ? { impossible } : {}) };
  const isAbove = (grade: 'limited' | 'poor'): boolean =>
    SHARES.some((share) => shareOf(shares, share) > LIMITS[share][grade]);
  const isStated = unrootedBy !== undefined && unrooted > LIMITS.unrooted.limited;
  return {
    ...shares,
    ...(isStated ? { unrootedBy } : {}),
    grade: isAbove('poor') ? 'poor' : isAbove('limited') ? 'limited' : best,
  };
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
  if (lost === 0 || quality === null) return quality;
  const best = isNewerFormat(quality) ? 'limited' : 'good';
  return gradeShares({ ...quality, lost: Math.max(quality.lost, lost / (samples + lost)) }, best);
}

/** Returns whether the share alone makes a capture limited. */
export const isBeyond = (quality: QualityShares, share: Share): boolean =>
  shareOf(quality, share) > LIMITS[share].limited;

/** Returns whether the grade is lower than its shares, because the file's format is newer than Flamebench knows. */
export const isNewerFormat = (quality: CaptureQuality): boolean => quality.grade !== gradeShares(quality).grade;

/** Returns whether so many samples are missing that the others say little about the whole. */
export const isSparse = ({ lost }: QualityShares): boolean => lost > LIMITS.lost.poor;

/** Returns whether callers are missing from so many stacks that totals say little. */
export const isCut = (quality: QualityShares): boolean =>
  isBeyond(quality, 'unrooted') || isBeyond(quality, 'truncated');

const WORDS: Readonly<Record<Share, string>> = {
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
    .map(
      (share) =>
        `${formatShare(shareOf(quality, share), 1)} ${WORDS[share]}${share === 'unrooted' ? unrootedReason(quality) : ''}`,
    );
  if (isNewerFormat(quality)) reasons.push('newer format version');
  return reasons.length === 0 ? quality.grade : `${quality.grade}: ${reasons.join(', ')}`;
}

/** Returns all shares, one per line; that of impossible numbers only if there are any. */
export const qualityLines = (quality: CaptureQuality): string[] =>
  SHARES.filter((share) => share !== 'impossible' || isBeyond(quality, share)).map(
    (share) => `${formatShare(shareOf(quality, share), 1)} ${WORDS[share]}`,
  );
