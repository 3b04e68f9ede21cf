import { useEffect, useState } from 'react';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { LeafRows } from '../../analysis/protocol.ts';
import { useView, useViewState } from '../../state/profile-context.ts';

/** Where the weight of a function is spent in the view as it is now; null: of all. Null until that is known. */
export function useLeafWeights(func: FunctionIndex | null): LeafRows | null {
  const { client } = useView();
  const revision = useViewState((state) => state.analysis?.revision) ?? null;
  const [answer, setAnswer] = useState<{ key: string; rows: LeafRows } | null>(null);
  const key = `${revision ?? ''} ${func ?? ''}`;

  useEffect(() => {
    const own = client();
    if (own === null || revision === null) return;
    let current = true;
    own.call('leaf-weights', { revision, func }).then(
      (rows) => {
        if (current) setAnswer({ key, rows });
      },
      // Outdated: a newer analysis asks again.
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [client, revision, func, key]);

  return answer?.key === key ? answer.rows : null;
}
