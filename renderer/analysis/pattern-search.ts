import { hasCapital } from '#core/analyze/search.ts';
import type { PatternRunner } from '#core/analyze/transforms/resolve-transforms.ts';
import { createPatternJobs, type RegexPort } from './pattern-jobs.ts';

/** Searches names and returns 1 for each that matches. A newer search cancels the previous one. */
export type PatternSearch = (names: readonly string[], pattern: string) => Promise<Uint8Array>;

/** Creates searches that share the idle worker. */
export function createPatternSearches(start: () => RegexPort): () => PatternSearch {
  const startPattern = createPatternJobs(start);
  return () => {
    let abandon = (): void => undefined;
    return async (names, pattern) => {
      abandon();
      const running = startPattern(names, { kind: 'match', pattern, ignoreCase: !hasCapital(pattern) });
      abandon = () => running.abandon();
      return (await running.answer).flags;
    };
  };
}

/** Runs the patterns of transforms in separate workers, each for at most a second; throws `RequestFailure`. */
export function createPatternRunner(start: () => RegexPort): PatternRunner {
  const startPattern = createPatternJobs(start);
  return {
    match: async (names, { pattern, ignoreCase }) =>
      (await startPattern(names, { kind: 'match', pattern, ignoreCase }).answer).flags,
    rename: async (names, { pattern, ignoreCase }, replacement) =>
      (await startPattern(names, { kind: 'rename', pattern, ignoreCase, replacement }).answer).names,
  };
}
