import { functionRef } from '#core/analyze/function-ref.ts';
import type { PatternRunner } from '#core/analyze/transforms/resolve-transforms.ts';
import type { Comparison } from '#core/compare/comparison.ts';

/** Returns the functions of a comparison whose names match; upper and lower case differ. */
export async function matchingFunctions(
  { matched: { table } }: Comparison,
  pattern: string,
  patterns: PatternRunner,
): Promise<number[]> {
  const names = Array.from({ length: table.functions.length }, (_, func) => functionRef(table, func).name);
  const matches = await patterns.match(names, { pattern, ignoreCase: false });
  return [...names.keys()].filter((func) => matches[func] === 1);
}
