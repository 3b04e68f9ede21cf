import type { Comparison } from '#core/compare/comparison.ts';
import type { Judgement } from '#core/compare/statistics/judge.ts';

/** Limits in shares: the test covers functions from `least` on, which agree if they differ by less than `margin`. */
export const EQUIVALENCE = { least: 0.05, margin: 0.03 } as const;

/**
 * `agrees`: the interval of the difference lies within the margin. `differs`: it lies beyond the margin. `undecided`:
 * it reaches across the margin, so more samples are needed.
 */
export type Agreement = 'agrees' | 'differs' | 'undecided';

export interface FunctionAgreement {
  /** Index of the function in the comparison. */
  readonly func: number;
  readonly column: 'self' | 'total';
  readonly judgement: Judgement;
  readonly agreement: Agreement;
}

/**
 * Tests whether two tools that looked at one program saw the same. This is an equivalence test, because a difference
 * that is not significant does not show agreement. It does two one-sided tests (Schuirmann 1987) by the interval; they
 * need 90 %, so its 95 % are on the safe side. Throws a RangeError if the comparison is not of shares.
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
