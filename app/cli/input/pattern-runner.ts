import { runInNewContext } from 'node:vm';
import type { Pattern } from '#core/analyze/search.ts';
import { patternsHere, type PatternRunner } from '#core/analyze/transforms/resolve-transforms.ts';
import { PatternError } from '#core/analyze/search.ts';
import { usageError } from '../errors.ts';

/** Time limit of a pattern in ms; some patterns backtrack exponentially. */
const PATTERN_LIMIT_MS = 1000;
const TIMEOUT_CODE = 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/**
 * Creates a runner for users' patterns with a limit of one second. It throws a usage error if a pattern is invalid or
 * exceeds the limit. `nameOf` returns the option in which a pattern was given.
 */
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

/** Checks the code, because an error from another context fails `instanceof`. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === TIMEOUT_CODE;
}
