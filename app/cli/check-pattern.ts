import { compilePattern, PatternError } from '#core/analyze/search.ts';
import { usageError } from './errors.ts';

/** Throws a usage error if the pattern is no regular expression; it is run elsewhere, where it can be stopped. */
export function checkPattern(pattern: string, where: string): void {
  try {
    compilePattern(pattern);
  } catch (error) {
    if (error instanceof PatternError) throw usageError(`${where}: ${error.message}`, 'correct the regular expression');
    throw error;
  }
}
