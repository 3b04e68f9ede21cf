import type { ValueType } from '../model/profile.ts';
import type { CompareWarning } from './compare-warning.ts';
import { FALSE_DISCOVERY_RATE } from './statistics/false-discovery.ts';
import { ALL_RULES } from './match/all-rules.ts';
import type { MatchRules } from './match/match-rules.ts';
import { WITHIN_THIS_RUN } from './describe-change.ts';
import type { ComparisonDesign } from './measure/measures.ts';
import { SIZE_CODE } from './describe-sizes.ts';
import type { Normalised } from './normalise.ts';
import type { RunCounts } from './verdict-words.ts';
import { SIDES } from '../contract/side.ts';

/** The part of a comparison's design that determines the statistical method. */
type MethodDesign = Pick<ComparisonDesign, 'isReplicated' | 'isPaired' | 'sharesHost'>;

/** Names the method in a few words. */
export function methodName({ isReplicated, isPaired, sharesHost }: MethodDesign): string {
  if (!sharesHost) return 'no host on both sides';
  if (isPaired) return 'paired t, host by host';
  return isReplicated ? "Welch's t" : WITHIN_THIS_RUN;
}

/** Describes the method in one line, for exports and next to the numbers. */
export function methodText({ isReplicated, isPaired, sharesHost }: MethodDesign, captures: RunCounts): string {
  const family = `Benjamini & Hochberg at ${100 * FALSE_DISCOVERY_RATE} % in self and in total`;
  const runs = `${captures.before} before, ${captures.after} after`;
  if (isPaired) {
    return `paired t over the differences between hosts (${runs}), their variance floored by sampling variance; ${family}`;
  }
  if (isReplicated) {
    return `Welch's t over captures (${runs}), their variance moderated over functions and floored by sampling variance, exact binomial if one side is zero; ${family}`;
  }
  if (!sharesHost) {
    return `sampling variance of these captures (${runs}), of hosts that may differ anyway; ${family}, a change is called maybe at best`;
  }
  return `sampling variance of these captures (${runs}), ${WITHIN_THIS_RUN}; ${family}, a change is called maybe at best`;
}

/** Describes the rules that differ from the default; null if none does. */
export function rulesText({ off, user, pairs = [], ignoreModules, sameProgram }: MatchRules): string | null {
  const labels = off.map((id) => ALL_RULES.find((rule) => rule.id === id)?.label ?? id);
  const isAllOff = ALL_RULES.every(({ id }) => off.includes(id));
  const parts = [
    ...(isAllOff ? ['all rules off'] : labels.length > 0 ? [`rules off: ${labels.join(', ')}`] : []),
    ...user.map(
      ({ pattern, ignoreCase, replacement }) =>
        `/${pattern}/${ignoreCase ? 'i' : ''} becomes ${JSON.stringify(replacement)}`,
    ),
    ...pairs.map(({ before, after }) => `${before} matched with ${after}`),
    ...(ignoreModules ? ['modules ignored'] : []),
    ...(sameProgram === true ? ['programs matched as builds of one'] : []),
  ];
  return parts.length === 0 ? null : parts.join('; ');
}

/** The parts of a comparison that its notes describe. */
interface NotedComparison extends MethodDesign {
  readonly before: NotedSide;
  readonly after: NotedSide;
  readonly runs: RunCounts;
  readonly valueType: Pick<ValueType, 'type' | 'unit'>;
  readonly normalised: Pick<Normalised, 'kind' | 'formula' | 'unit' | 'divisors'>;
  readonly warnings: readonly CompareWarning[];
}

interface NotedSide {
  readonly captures: readonly { readonly name: string; readonly leftOut: boolean }[];
  /** Normalised. */
  readonly total: number;
}

const LEADING: readonly string[] = ['mostly-unmatched', SIZE_CODE];

/** Separates the warnings without which the numbers would be misread from the others. */
export function byLead(warnings: readonly CompareWarning[]): {
  readonly leading: readonly CompareWarning[];
  readonly others: readonly CompareWarning[];
} {
  const leads = ({ code }: CompareWarning): boolean => LEADING.includes(code);
  return { leading: warnings.filter(leads), others: warnings.filter((warning) => !leads(warning)) };
}

/** Returns the warnings that say why a comparison may find no function, or not all. */
export const limitingWarnings = (warnings: readonly CompareWarning[]): string[] =>
  warnings.flatMap(({ code, message }) =>
    code === 'mostly-unmatched' || code.startsWith('withheld-') ? [message] : [],
  );

/** Describes the numbers of a comparison line by line, for exports: sides, formula, method and caveats. */
export function comparisonNotes(of: NotedComparison, rules: MatchRules): string[] {
  const { valueType, normalised } = of;
  const warnings = byLead(of.warnings);
  const matching = rulesText(rules);
  return [
    ...warnings.leading.map(({ message }) => `warning: ${message}`),
    ...SIDES.map((side) => {
      const names = of[side].captures.map(({ name, leftOut }) => (leftOut ? `${name} (left out)` : name));
      return `${side}: ${names.join(', ')}; total ${of[side].total} ${normalised.unit}`;
    }),
    `value type: ${valueType.type} (${valueType.unit})`,
    `normalised: ${normalised.kind}; ${normalised.formula}; unit: ${normalised.unit}`,
    ...(normalised.divisors.length > 0 ? [`divisors: ${normalised.divisors.join('; ')}`] : []),
    `method: ${methodText(of, of.runs)}`,
    ...warnings.others.map(({ message }) => `warning: ${message}`),
    ...(matching === null ? [] : [`matching: ${matching}`]),
  ];
}
