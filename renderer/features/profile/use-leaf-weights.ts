import { useMemo } from 'react';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { LeafRows } from '../../analysis/profile/protocol.ts';
import { useView, useViewState } from '../../state/profile/context.ts';
import { useAnswer } from '../../ui/table/use-answer.ts';

/** Where the weight of a function is spent in the view as it is now; null: of all. Null until that is known. */
export function useLeafWeights(func: FunctionIndex | null): LeafRows | null {
  const { ask } = useView();
  const revision = useViewState((state) => state.analysis?.revision) ?? null;
  return useAnswer(
    useMemo(() => (revision === null ? null : () => ask('leaf-weights', { revision, func })), [ask, revision, func]),
  );
}
