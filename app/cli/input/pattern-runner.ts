import { runInNewContext } from 'node:vm';
import type { Pattern } from '#core/analyze/transforms/named-transform.ts';
import { patternsHere, type PatternRunner } from '#core/analyze/transforms/resolve-transforms.ts';
import { PatternError } from '#core/analyze/search.ts';
import { usageError } from '../errors.ts';

/** A pattern that backtracks without end is stopped after this. */
const PATTERN_LIMIT_MS = 1000;
const TIMEOUT_CODE = 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/** Runs users' patterns for a second at most; a usage error where one is no pattern or takes longer. `nameOf`: where it was given. */
export function createLimitedPatternRunner(nameOf: (pattern: Pattern) => string): PatternRunner {
  return {
    match: (names, pattern) => runLimited(() => patternsHere.match(names, pattern), pattern, nameOf(pattern)),
    rename: (names, pattern, replacement) =>
      runLimited(() => patternsHere.rename(names, pattern, replacement), pattern, nameOf(pattern)),
  };
}

function runLimited<T>(run: () => T, { pattern }: Pattern, name: string): T {
  try {
    return runInNewContext('run()', { run }, { timeout: PATTERN_LIMIT_MS }) as T;
  } catch (error) {
    if (error instanceof PatternError) throw usageError(`${name}: ${error.message}`);
    if (isTimeout(error)) {
      throw usageError(`${name} ${pattern} took longer than a second`, 'use a pattern without nested repetition');
    }
    throw error;
  }
}

/** The error is of the other context, so no `instanceof`. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === TIMEOUT_CODE;
}
