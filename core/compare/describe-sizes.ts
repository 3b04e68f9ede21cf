import type { CompareWarning } from './compare-warning.ts';
import { differences, OF_LOAD, type CircumstanceRow } from './circumstances.ts';
import type { Comparison } from './comparison.ts';
import { describeChange, levelText } from './describe-change.ts';
import { isRelative, LEVEL, type Sizes } from './statistics/judge-by-size.ts';
import { isChange, type Judgement } from './statistics/judge.ts';
import type { NoFactors } from './statistics/size-factors.ts';
import type { ValueText } from './value-text.ts';

const REASONS: Readonly<Record<NoFactors, string>> = {
  'too few functions': 'too few functions (8 with 10 samples a run are needed)',
  'no common reference': 'over a third of the functions changed',
};

/** What decides absolute changes of values that have no unit of work. */
export const COUNT_WORK = 'record requests (or complete runs of a command) on both sides to decide';

/** Code of the warning that leads if verdicts are relative, or not decided. */
export const SIZE_CODE = 'load-or-machine';

/** Returns `×0.54`: what all values as measured changed by; null if the whole is missing on a side. */
export const totalFactor = ({ whole }: Sizes): string | null =>
  whole.before > 0 && whole.after > 0 ? `×${(whole.after / whole.before).toFixed(2)}` : null;

/** Returns `×0.54 in all`; null if the whole is missing on a side. */
export function totalFactorText(sizes: Sizes): string | null {
  const all = totalFactor(sizes);
  return all === null ? null : `${all} in all`;
}

/** Returns `×0.51 ± 0.04`: the size factor of the sides as one number; null without one. */
export function sizeText({ ratio, interval }: Sizes): string | null {
  if (ratio === null) return null;
  const reach = interval === null ? '' : ` ± ${((interval[1] - interval[0]) / 2).toFixed(2)}`;
  return `×${ratio.toFixed(2)}${reach}`;
}

/** Says that load or machine may have changed the values, and what verdicts mean then. It precedes all verdicts. */
export function sizeWarnings(sizes: Sizes | null, circumstances: readonly CircumstanceRow[]): CompareWarning[] {
  if (sizes === null || sizes.status === 'same') return [];
  const seen = differences(circumstances.filter(({ id }) => OF_LOAD.includes(id)));
  const why = `load or machine${seen.length === 0 ? '' : ` (${seen.join(', ')})`}`;
  const all = totalFactorText(sizes);
  const start = all === null ? 'Not decided' : `${all}, not decided`;
  const message = isRelative(sizes)
    ? `${start}: ${why}. Changes are relative to the typical function, ${sizeText(sizes)!}${sizes.interval === null ? '' : ` (${levelText(LEVEL)} interval)`}.`
    : sizes.asMeasured === true
      ? `${start}: ${why}. Values are as measured; ${COUNT_WORK}.`
      : `${start}: ${why}, and no typical function to compare with: ${REASONS[sizes.reason!]}; ${COUNT_WORK}.`;
  return [{ code: SIZE_CODE, message }];
}

/** Says why no function is a mover; `warnings` are those of the comparison, `whole` is what its total shows. */
export function nothingMoved(
  warnings: readonly CompareWarning[],
  whole: Judgement | null,
  isRelative: boolean,
  isReplicated: boolean,
): string {
  if (!isRelative && warnings.some(({ code }) => code === SIZE_CODE)) return `No change is decided: ${COUNT_WORK}.`;
  const change = whole !== null && isChange(whole.verdict) ? 'No function’s change' : 'No change';
  return isReplicated
    ? `${change} exceeds run-to-run noise.`
    : `${change} exceeds the noise within these runs. More captures a side would reveal smaller changes.`;
}

/** Describes the change of the whole in one sentence; if it is not decided, what leads. Shares say nothing about it. */
export function wholeSentence(
  { whole, warnings, normalised }: Pick<Comparison, 'whole' | 'warnings' | 'normalised'>,
  text: ValueText,
  reason: string | null,
): string {
  const leading = warnings.find(({ code }) => code === SIZE_CODE);
  if (leading !== undefined) return leading.message;
  if (normalised.kind === 'share') return 'Values are shares of each capture, so a change of the total does not show.';
  const { headline, detail } = describeChange(whole, 'total', text, reason);
  return `The total ${headline}: ${detail.replace(/^total /, '')}.`;
}
