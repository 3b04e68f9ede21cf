import { useCallback, useEffect, useMemo, useState } from 'react';
import { functionNames } from '#core/analyze/search.ts';
import type { NamedFunctions } from '#core/analyze/function-ref.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import type { FrameRef } from '../ui/flame/graph.types.ts';
import { matchInSlices } from './patterns-here.ts';
import type { LivePins } from './pins.ts';

/** What is selected, zoomed into and searched for in all sections about one capture, or about the comparison. */
export interface Subject {
  readonly table: NamedFunctions;
  /** Of its functions, by index. */
  readonly names: readonly string[];
  /** Of the tree that its graphs show. */
  readonly pins: LivePins;
  readonly selected: { readonly func: FunctionIndex; readonly node: CallNodeIndex | null } | null;
  readonly select: (selected: Subject['selected']) => void;
  readonly search: string;
  readonly setSearch: (text: string) => void;
  /** 1 per function that matches; null: no search, or one that is refused. */
  readonly matches: Uint8Array | null;
  /** Why the search is refused. */
  readonly refused: string | null;
}

interface Found {
  readonly search: string;
  readonly matches: Uint8Array | null;
  readonly refused: string | null;
}

const NOTHING: Found = { search: '', matches: null, refused: null };

/** `asked`: the note whose place is to be selected. */
export function useSubject(
  table: NamedFunctions,
  pins: LivePins,
  asked: { readonly number: number } | null,
  initialSearch: string,
): Subject {
  const [selected, select] = useState<Subject['selected']>(null);
  const [search, setSearch] = useState(initialSearch);
  const [found, setFound] = useState(NOTHING);
  const names = useMemo(() => functionNames(table), [table]);
  useEffect(() => {
    let current = true;
    if (search === '') return undefined;
    matchInSlices(names, search, !/\p{Lu}/u.test(search.replace(/\\./gs, '')), () => current).then(
      (matches) => {
        if (current) setFound({ search, matches, refused: null });
      },
      (error: unknown) => {
        if (current)
          setFound({ search, matches: null, refused: error instanceof Error ? error.message : String(error) });
      },
    );
    return () => {
      current = false;
    };
  }, [names, search]);
  const [shown, setShown] = useState<typeof asked>(null);
  if (shown !== asked) {
    setShown(asked);
    const place = asked === null ? undefined : pins.places.get(asked.number);
    if (place !== undefined) select({ func: place.func as FunctionIndex, node: place.node as CallNodeIndex });
  }
  const { matches, refused } = search === '' ? NOTHING : found;
  const choose = useCallback((next: Subject['selected']) => select(next), []);
  return useMemo(
    () => ({ table, names, pins, selected, select: choose, search, setSearch, matches, refused }),
    [table, names, pins, selected, choose, search, matches, refused],
  );
}

/** A frame of a graph as what is selected; the root selects nothing. `isMain`: it is of the tree that all graphs of the subject show. */
export function placeOf(
  frame: FrameRef | null,
  isMain = true,
): { func: FunctionIndex; node: CallNodeIndex | null } | null {
  if (frame === null || frame.func === null) return null;
  return { func: frame.func, node: isMain ? frame.node : null };
}
