import type { Comparison } from '#core/compare/comparison.ts';
import type { Judgement } from '#core/compare/statistics/judge.ts';

/** Of shares: functions from `least` on are asked for, and agree where they differ by less than `margin`. */
export const EQUIVALENCE = { least: 0.05, margin: 0.03 } as const;

/** agrees: the interval of the difference lies within the margin; differs: beyond it; undecided: reaches across, so more samples are needed. */
export type Agreement = 'agrees' | 'differs' | 'undecided';

export interface FunctionAgreement {
  /** → the comparison's functions */
  readonly func: number;
  readonly column: 'self' | 'total';
  readonly judgement: Judgement;
  readonly agreement: Agreement;
}

/**
 * Whether two tools that looked at one program saw the same: an equivalence test, since a difference that is not significant is no
 * agreement. Two one-sided tests (Schuirmann 1987) by the interval, which with its 95 % is on the safe side of the 90 % that they need.
 * Throws a RangeError for a comparison of anything but shares.
 */
export function testEquivalence(
  { normalised, self, total }: Comparison,
  { least, margin }: { readonly least: number; readonly margin: number } = EQUIVALENCE,
): FunctionAgreement[] {
  if (normalised.kind !== 'share') throw new RangeError(`equivalence is of shares, not of ${normalised.kind}`);
  const agreements: FunctionAgreement[] = [];
  for (const [column, judgements] of [
    ['self', self],
    ['total', total],
  ] as const) {
    judgements.forEach((judgement, func) => {
      if (Math.max(judgement.before, judgement.after) < least) return;
      agreements.push({ func, column, judgement, agreement: agreementOf(judgement, margin) });
    });
  }
  return agreements;
}

function agreementOf({ interval }: Judgement, margin: number): Agreement {
  if (interval === null) return 'undecided';
  const [low, high] = interval;
  if (low > -margin && high < margin) return 'agrees';
  return low >= margin || high <= -margin ? 'differs' : 'undecided';
}
