import { functionRef } from '#core/analyze/function-ref.ts';
import type { PatternRunner } from '#core/analyze/transforms/resolve-transforms.ts';
import type { Comparison } from '#core/compare/comparison.ts';
import type { Side } from '#core/contract/schemas.ts';
import type { Pair } from './change-point.ts';

/**
 * Returns the value of each run in pairs of neighbours: CPU time of the whole run; with a pattern, the self weights of the
 * functions that match, together. Null if a side lacks them.
 */
export async function pairsOf(
  comparison: Comparison,
  pattern: string | null,
  patterns: PatternRunner,
): Promise<Pair[] | null> {
  const functions = pattern === null ? null : await matching(comparison, pattern, patterns);
  const values = (side: Side): number[] =>
    comparison[side].captures.map((_, capture) => {
      if (functions === null) return comparison[side].totals[capture]!;
      const { captures, value } = comparison.metrics.self[side];
      return functions.reduce((sum, func) => sum + value[func * captures.length + capture]!, 0);
    });
  const [good, tested] = [values('before'), values('after')];
  const pairs = good.slice(0, tested.length).map((one, place): Pair => ({ good: one, tested: tested[place]! }));
  return pairs.length > 0 && pairs.every((pair) => pair.good > 0 && pair.tested > 0) ? pairs : null;
}

/** Returns the functions of a comparison whose names match. */
export async function matching(
  { matched: { table } }: Comparison,
  pattern: string,
  patterns: PatternRunner,
): Promise<number[]> {
  const names = Array.from({ length: table.functions.length }, (_, func) => functionRef(table, func).name);
  const matches = await patterns.match(names, { pattern, ignoreCase: false });
  return [...names.keys()].filter((func) => matches[func] === 1);
}
