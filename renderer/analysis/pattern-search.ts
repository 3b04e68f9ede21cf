import type { PatternRunner } from '#core/analyze/transforms/resolve-transforms.ts';
import { createPatternJobs } from './pattern-jobs.ts';
import type { RegexPort } from './pattern-jobs.ts';

/** A search box: 1 per name that the pattern matches. A newer search ends an older one. */
export type PatternSearch = (names: readonly string[], pattern: string) => Promise<Uint8Array>;

/** Makes search boxes; they share the worker that is kept. */
export function createPatternSearches(start: () => RegexPort): () => PatternSearch {
  const startPattern = createPatternJobs(start);
  return () => {
    let abandon = (): void => undefined;
    return async (names, pattern) => {
      abandon();
      const running = startPattern(names, { kind: 'match', pattern, ignoreCase: !hasCapital(pattern) });
      abandon = () => {
        running.abandon();
      };
      return (await running.answer).flags;
    };
  };
}

/** Runs the patterns of transforms in workers of their own, each for at most a second; what fails is a `RequestFailure`. */
export function createPatternRunner(start: () => RegexPort): PatternRunner {
  const startPattern = createPatternJobs(start);
  return {
    match: async (names, { pattern, ignoreCase }) =>
      (await startPattern(names, { kind: 'match', pattern, ignoreCase }).answer).flags,
    rename: async (names, { pattern, ignoreCase }, replacement) =>
      (await startPattern(names, { kind: 'rename', pattern, ignoreCase, replacement }).answer).names,
  };
}

/** Escapes such as `\S` and `\W` are no capitals of the names. */
export function hasCapital(pattern: string): boolean {
  return /\p{Lu}/u.test(pattern.replace(/\\./gs, ''));
}
