import { useEffect, useState } from 'react';
import type { FlameSource, SelfWeights } from '#core/analyze/graph/flame-slice.ts';
import type { ColourScheme } from '#core/colour/frame-colour.ts';
import type { CallNodeIndex } from '#core/model/brand.ts';
import { takeAnswer } from '../take-answer.ts';

/** What the zoomed root's weight is made of, and the root that it was read for. */
export interface ShownSelf extends SelfWeights {
  readonly source: FlameSource;
  readonly root: CallNodeIndex;
}

/**
 * Returns what the zoomed root's weight is made of; while that is being read, the previous answer, and null before the
 * first. A failure is reported by the slice that fails with it.
 */
export function useSelfWeights(source: FlameSource, root: CallNodeIndex, scheme: ColourScheme): ShownSelf | null {
  const [shown, setShown] = useState<ShownSelf | null>(null);
  useEffect(() => {
    if (source.requestSelf === undefined) return undefined;
    return takeAnswer(
      source.requestSelf({ root, scheme }),
      (self) => setShown({ ...self, source, root }),
      () => undefined,
    );
  }, [source, root, scheme]);
  return source.requestSelf === undefined ? null : shown;
}
