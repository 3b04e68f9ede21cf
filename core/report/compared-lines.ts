import { methodText, rulesText } from '../compare/describe-comparison.ts';
import { ALL_RULES } from '../compare/match/all-rules.ts';
import { runCounts } from '../compare/verdict-words.ts';
import { visibleText } from '../analyze/function-label.ts';
import type { PreparedReport } from './prepare.ts';

/** Describes how the sides were compared, one line each: weights, method, matching of functions. Empty: they were not. */
export function comparedLines({ report, comparison: prepared }: PreparedReport): string[] {
  if (prepared === null || report.comparison === null) return [];
  const { comparison } = prepared;
  const { normalised, design, before, matched } = comparison;
  const { type, unit } = before.captures[0]!.valueType;
  const divisors = normalised.divisors.length === 0 ? '' : `; divisors: ${normalised.divisors.join('; ')}`;
  const both = matched.table.functions.length - matched.onlyBefore.length - matched.onlyAfter.length;
  const changed = rulesText(report.comparison.rules);
  const merged = matched.merges.map(
    ({ rule, merges }) => `${ALL_RULES.find(({ id }) => id === rule)?.label ?? rule} (${merges.length})`,
  );
  return [
    `Weights: ${type}${unit === '' ? '' : ` (${unit})`}, ${normalised.formula}${divisors}`,
    `Method: ${methodText(design, runCounts(design))}`,
    `Functions: ${both} on both sides, ${matched.onlyBefore.length} only before, ${matched.onlyAfter.length} only after`,
    `Matching: by name and module, after the rules that remove differences between builds${changed === null ? '' : `, changed as follows: ${changed}`}; ${merged.length === 0 ? 'none merged functions' : `they merged functions: ${merged.join(', ')}`}`,
  ].map(visibleText);
}
