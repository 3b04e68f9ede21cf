import { patternsHere } from '#core/analyze/resolve-transforms.ts';
import { matchFunctions } from '#core/analyze/search.ts';
import { hasCapital } from '../../../renderer/worker/pattern-search.ts';
import type { SessionPatterns } from '../../../renderer/worker/profile-session.ts';

/** Patterns of tests end: no worker is needed. */
export const patternsInPlace: SessionPatterns = {
  ofTransforms: patternsHere,
  newSearch: () => (names, pattern) =>
    Promise.resolve().then(() => matchFunctions(names, pattern, { ignoreCase: !hasCapital(pattern) })),
};
