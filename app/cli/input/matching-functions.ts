import { functionRef } from '#core/analyze/function-ref.ts';
import type { PatternRunner } from '#core/analyze/transforms/resolve-transforms.ts';
import type { Comparison } from '#core/compare/comparison.ts';
import { usageError } from '../errors.ts';
import { createLimitedPatternRunner } from './pattern-runner.ts';

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

/** Returns the rows whose names match the command's pattern; throws a usage error if none does. */
export async function matchRows<Row>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  pattern: string,
): Promise<Row[]> {
  const matches = await createLimitedPatternRunner(() => 'the pattern').match(rows.map(nameOf), {
    pattern,
    ignoreCase: false,
  });
  const found = rows.filter((_, row) => matches[row] === 1);
  if (found.length === 0) throw usageError(`no function matches ${pattern}`, 'flamebench top lists them');
  return found;
}
