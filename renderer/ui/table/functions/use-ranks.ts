import { useEffect, useMemo, useState } from 'react';
import type { SortOrder } from '../table.types.ts';
import { takeAnswer } from '../../take-answer.ts';

/** With fewer rows, texts are sorted directly. */
const RANKS_FROM = 5000;

/**
 * Returns the functions' ranks by text, requested when a long table is sorted by text; until they arrive, the previous
 * order stays. `texts` maps columns to the names of their texts.
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
    return takeAnswer(
      ask(text),
      (places) => setKnown({ ask, ranks: new Map([...ranks, [column, places]]) }),
      () => undefined,
    );
  }, [isReady, text, column, ranks, ask]);
  if (isReady && usable !== wanted) setUsable(wanted);
  return { ranks, sort: isReady ? wanted : usable };
}
