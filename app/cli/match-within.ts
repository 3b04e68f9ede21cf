import { runInNewContext } from 'node:vm';
import { matchFunctions, PatternError } from '#core/analyze/search.ts';
import { usageError } from './errors.ts';

/** A pattern that backtracks without end is stopped after this. */
const MATCH_LIMIT_MS = 1000;
const TIMEOUT_CODE = 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/** 1 per name that a user's pattern matches; a usage error where it is no pattern, takes too long or matches nothing. */
export function matchWithin(names: readonly string[], pattern: string, option: string): Uint8Array {
  const matched = runLimited(() => matchFunctions(names, pattern), pattern, option);
  if (!matched.includes(1)) throw usageError(`${option} ${pattern} matches no function`, 'check its spelling and case');
  return matched;
}

function runLimited(match: () => Uint8Array, pattern: string, option: string): Uint8Array {
  try {
    return runInNewContext('match()', { match }, { timeout: MATCH_LIMIT_MS }) as Uint8Array;
  } catch (error) {
    if (error instanceof PatternError) throw usageError(`${option}: ${error.message}`);
    if (isTimeout(error)) {
      throw usageError(`${option} ${pattern} took longer than a second`, 'use a pattern without nested repetition');
    }
    throw error;
  }
}

/** The error is of the other context, so no `instanceof`. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === TIMEOUT_CODE;
}
