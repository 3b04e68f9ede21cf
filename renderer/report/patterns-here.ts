import { compilePattern, renameFunctions } from '#core/analyze/search.ts';
import type { PatternRunner } from '#core/analyze/transforms/resolve-transforms.ts';
import { yieldToPage } from './yield-to-page.ts';

/** Time slice in ms; a longer one would make the page stutter. */
const SLICE_MS = 25;

/**
 * Returns 1 for each name that matches, computed in slices. A report has no worker, so a pattern that takes exponential
 * time on one name blocks the page.
 */
export async function matchInSlices(
  names: readonly string[],
  pattern: string,
  ignoreCase: boolean,
  isWanted: () => boolean = () => true,
): Promise<Uint8Array> {
  const expression = compilePattern(pattern, { ignoreCase });
  const matched = new Uint8Array(names.length);
  let began = performance.now();
  for (let index = 0; index < names.length && isWanted(); index++) {
    if (expression.test(names[index]!)) matched[index] = 1;
    if (performance.now() - began < SLICE_MS) continue;
    await yieldToPage();
    began = performance.now();
  }
  return matched;
}

/** Runs the report's own patterns, the rules of its comparison. */
export const patternsInSlices: PatternRunner = {
  match: (names, { pattern, ignoreCase }) => matchInSlices(names, pattern, ignoreCase),
  rename: (names, { pattern, ignoreCase }, replacement) => renameFunctions(names, pattern, replacement, { ignoreCase }),
};
