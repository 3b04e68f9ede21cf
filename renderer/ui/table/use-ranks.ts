import { useEffect, useMemo, useState } from 'react';
import type { SortOrder } from './table.types.ts';

/** Fewer texts are sorted at once, as they are. */
const RANKS_FROM = 5000;

/**
 * Places of functions in the order of their texts, asked for where a long table is sorted by text; until they are there, the order before
 * stays. `texts`: what each column's text is called.
 */
export function useRanks<By extends string>(
  wanted: SortOrder,
  rowCount: number,
  ask: (by: By) => Promise<Int32Array>,
  texts: Readonly<Record<string, By>>,
): { readonly ranks: ReadonlyMap<string, Int32Array>; readonly sort: SortOrder } {
  const [known, setKnown] = useState<{ readonly ask: unknown; readonly ranks: ReadonlyMap<string, Int32Array> } | null>(
    null,
  );
  const [usable, setUsable] = useState(wanted);
  const ranks = useMemo(
    () => (known !== null && known.ask === ask ? known.ranks : new Map<string, Int32Array>()),
    [known, ask],
  );
  const { column } = wanted;
  const text = Object.hasOwn(texts, column) ? texts[column] : undefined;
  const isReady = text === undefined || rowCount < RANKS_FROM || ranks.has(column);
  useEffect(() => {
    if (isReady) return undefined;
    let current = true;
    ask(text).then(
      (places) => {
        if (current) setKnown({ ask, ranks: new Map([...ranks, [column, places]]) });
      },
      () => null,
    );
    return () => {
      current = false;
    };
  }, [isReady, text, column, ranks, ask]);
  if (isReady && usable !== wanted) setUsable(wanted);
  return { ranks, sort: isReady ? wanted : usable };
}
