import type { ValueType } from '../model/profile.ts';
import type { CompareWarning } from './compare-refusal.ts';
import { FALSE_DISCOVERY_RATE } from './false-discovery.ts';
import { MATCH_RULES, type MatchRule, type MatchRules } from './match-rules.ts';
import { MODULE_UNKNOWN } from './match-functions.ts';
import { WITHIN_THIS_RUN } from './describe-change.ts';
import type { ComparisonDesign } from './measures.ts';
import type { Normalised } from './normalise.ts';

/** It looks at all functions at once, so it is not among {@link MATCH_RULES}. */
const MODULE_UNKNOWN_RULE: Pick<MatchRule, 'id' | 'label' | 'example'> = {
  id: MODULE_UNKNOWN,
  label: 'Unknown modules',
  example: 'main of no module → main of app, where only app has one',
};

/** Every rule that can be switched off, in the order in which they apply. */
export const ALL_RULES: readonly Pick<MatchRule, 'id' | 'label' | 'example'>[] = [...MATCH_RULES, MODULE_UNKNOWN_RULE];

/** What of a comparison's design tells how verdicts were found. */
export type MethodDesign = Pick<ComparisonDesign, 'isReplicated' | 'isPaired' | 'sharesHost'>;

/** The method in a word or two. */
export function methodName({ isReplicated, isPaired, sharesHost }: MethodDesign): string {
  if (!sharesHost) return 'no host on both sides';
  if (isPaired) return 'paired t, host by host';
  return isReplicated ? "Welch's t" : WITHIN_THIS_RUN;
}

/** How verdicts were found, in one line: for exports, and beside the numbers. */
export function methodText(
  { isReplicated, isPaired, sharesHost }: MethodDesign,
  captures: { readonly before: number; readonly after: number },
): string {
  const family = `Benjamini & Hochberg at ${100 * FALSE_DISCOVERY_RATE} % in self and in total`;
  const runs = `${captures.before} before, ${captures.after} after`;
  if (isPaired) {
    return `paired t over the differences of hosts (${runs}), their variance floored by sampling variance; ${family}`;
  }
  if (isReplicated) {
    return `Welch's t over captures (${runs}), their variance moderated over functions and floored by sampling variance, the exact binomial where one side has nothing; ${family}`;
  }
  if (!sharesHost) {
    return `sampling variance of these captures (${runs}), of hosts that may differ by themselves; ${family}, at most called maybe`;
  }
  return `sampling variance of these captures (${runs}), ${WITHIN_THIS_RUN}; ${family}, at most called maybe`;
}

/** What matches otherwise than usual; null: nothing does. */
export function rulesText({ off, user, ignoreModules }: MatchRules): string | null {
  const labels = off.map((id) => ALL_RULES.find((rule) => rule.id === id)?.label ?? id);
  const isAllOff = ALL_RULES.every(({ id }) => off.includes(id));
  const parts = [
    ...(isAllOff ? ['all rules off'] : labels.length > 0 ? [`rules off: ${labels.join(', ')}`] : []),
    ...user.map(
      ({ pattern, ignoreCase, replacement }) =>
        `/${pattern}/${ignoreCase ? 'i' : ''} becomes ${JSON.stringify(replacement)}`,
    ),
    ...(ignoreModules ? ['modules ignored'] : []),
  ];
  return parts.length === 0 ? null : parts.join('; ');
}

/** What the notes of a comparison are about. */
export interface NotedComparison extends MethodDesign {
  readonly before: NotedSide;
  readonly after: NotedSide;
  readonly valueType: Pick<ValueType, 'type' | 'unit'>;
  readonly normalised: Pick<Normalised, 'kind' | 'formula' | 'unit' | 'divisors'>;
  readonly warnings: readonly CompareWarning[];
}

interface NotedSide {
  readonly captures: readonly { readonly name: string; readonly leftOut: boolean }[];
  /** Normalised. */
  readonly total: number;
}

/** What the numbers of a comparison are of, in lines: sides, formula, method, and what to beware of. For exports. */
export function comparisonNotes(of: NotedComparison, rules: MatchRules): string[] {
  const { valueType, normalised, warnings } = of;
  const captures = { before: of.before.captures.length, after: of.after.captures.length };
  const matching = rulesText(rules);
  return [
    ...(['before', 'after'] as const).map((side) => {
      const names = of[side].captures.map(({ name, leftOut }) => (leftOut ? `${name} (left out)` : name));
      return `${side}: ${names.join(', ')}; total ${of[side].total} ${normalised.unit}`;
    }),
    `value type: ${valueType.type} (${valueType.unit})`,
    `normalised: ${normalised.kind}; ${normalised.formula}; unit: ${normalised.unit}`,
    ...(normalised.divisors.length > 0 ? [`divisors: ${normalised.divisors.join('; ')}`] : []),
    `method: ${methodText(of, captures)}`,
    ...warnings.map(({ message }) => `warning: ${message}`),
    ...(matching === null ? [] : [`matching: ${matching}`]),
  ];
}
