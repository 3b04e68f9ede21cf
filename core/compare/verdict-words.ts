import { countText } from '../units/format.ts';
import { isChange, type Judgement, type Verdict, type Withheld } from './statistics/judge.ts';
import { LEAST_REPLICATES, type ComparisonDesign } from './measure/measures.ts';

/** A verdict as shown; a withheld verdict is shown as its reason. */
export type ShownVerdict = Verdict | Withheld | LiveVerdict;

/** Verdicts of a live view with a baseline, besides grew and shrank. */
type LiveVerdict = 'same' | 'needs-samples';

/** What counts as the same in a live view: a difference of at most this share of the baseline, with certainty. */
export const SAME_WITHIN = 0.03;

/** Words for the verdicts in the window and on the command line. JSON keeps their ids. */
export const VERDICT_WORDS: Readonly<Record<ShownVerdict, string>> = {
  grew: 'grew',
  shrank: 'shrank',
  suggestive: 'maybe',
  noise: 'no clear change',
  unknown: 'unknown',
  'no symbol': 'unknown (no symbol)',
  'truncated stacks': 'unknown (truncated stacks)',
  'as measured only': 'unknown (as measured only)',
  'relative only': 'unknown (relative only)',
  'not-decided': 'not decided: load or machine',
  'missing samples': 'unknown (missing samples)',
  'not-tested': 'not tested',
  same: `same within ± ${SAME_WITHIN * 100} pp`,
  'needs-samples': 'not enough samples yet',
};

/** Number of captures of each side that count. */
export interface RunCounts {
  readonly before: number;
  readonly after: number;
}

/** Counts a comparison's captures, except the ones that are left out because of their host. */
export const runCounts = ({ before, after }: Pick<ComparisonDesign, 'before' | 'after'>): RunCounts => ({
  before: before.groups.flat().length,
  after: after.groups.flat().length,
});

/**
 * Explains why a comparison's verdicts are at most *maybe*: `1 run a side`, `hosts differ`. Null if they can be
 * certain.
 */
export function maybeReason(
  { isReplicated, sharesHost }: Pick<ComparisonDesign, 'isReplicated' | 'sharesHost'>,
  { before, after }: RunCounts,
): string | null {
  if (!sharesHost) return 'hosts differ';
  if (isReplicated) return null;
  if (Math.min(before, after) >= LEAST_REPLICATES) return 'too few runs per host';
  const runs = countText(before, 'run');
  return before === after ? `${runs} a side` : `${runs} before, ${after} after`;
}

/**
 * Formats the verdict with the direction of its delta: `▲ grew`, `▼ maybe (1 run a side)`, `no clear change`. `reason`:
 * see {@link maybeReason}.
 */
export function verdictText(
  { verdict, delta }: { readonly verdict: ShownVerdict; readonly delta: Judgement['delta'] },
  reason: string | null,
): string {
  const word = VERDICT_WORDS[verdict];
  const hasDirection = isChange(verdict) || verdict === 'suggestive';
  if (!hasDirection || delta === 0) return word;
  const because = verdict === 'suggestive' && reason !== null ? ` (${reason})` : '';
  return `${delta > 0 ? '▲' : '▼'} ${word}${because}`;
}

/** Like {@link verdictText}; a withheld verdict states its reason. */
export const judgementText = (
  { verdict, withheld, delta }: Pick<Judgement, 'verdict' | 'withheld' | 'delta'>,
  reason: string | null,
): string => verdictText({ verdict: withheld ?? verdict, delta }, reason);
