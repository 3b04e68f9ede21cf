import { patternsHere } from '#core/analyze/transforms/resolve-transforms.ts';
import { hasCapital, matchNames } from '#core/analyze/search.ts';
import type { SessionPatterns } from '../../../renderer/analysis/profile/analyses.ts';

/** The patterns of tests terminate, so no worker is needed. */
export const patternsInPlace: SessionPatterns = {
  ofTransforms: patternsHere,
  ofPreviews: patternsHere,
  newSearch: () => (names, pattern) =>
    Promise.resolve().then(() => matchNames(names, pattern, { ignoreCase: !hasCapital(pattern) })),
};
