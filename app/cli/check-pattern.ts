import { compilePattern, PatternError } from '#core/analyze/search.ts';
import { usageError } from './errors.ts';

/** Throws a usage error if the pattern is not a regular expression; it is run elsewhere, where it can be stopped. */
export function checkPattern(pattern: string, where: string, remedy: string | null = null): void {
  try {
    compilePattern(pattern);
  } catch (error) {
    if (error instanceof PatternError) throw usageError(`${where}: ${error.message}`, remedy);
    throw error;
  }
}

/** The same for a pattern of function names, which must not be empty: it would match all. */
export function checkNames(pattern: string, where: string): void {
  if (pattern === '') throw usageError(`${where}: the pattern is empty`, 'name functions; .* matches all of them');
  checkPattern(pattern, where, 'correct the regular expression');
}
