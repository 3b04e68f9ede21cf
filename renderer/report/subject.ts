import { useCallback, useEffect, useMemo, useState } from 'react';
import { functionNames, hasCapital } from '#core/analyze/search.ts';
import type { NamedFunctions } from '#core/analyze/function-ref.ts';
import type { CallNodeIndex, FunctionIndex } from '#core/model/brand.ts';
import { messageOf } from '#core/model/failure.ts';
import type { FrameRef } from '../ui/flame/graph.types.ts';
import type { Searches } from '../../core/report/prepare.ts';
import { matchInSlices } from './patterns-here.ts';
import type { LivePins } from './pins.ts';

/** The selection, zoom and search that all sections about one capture, or about the comparison, share. */
export interface Subject {
  readonly table: NamedFunctions;
  /** Names of the functions, by index. */
  readonly names: readonly string[];
  /** Pins on the tree that the subject's graphs show. */
  readonly pins: LivePins;
  readonly selected: { readonly func: FunctionIndex; readonly node: CallNodeIndex | null } | null;
  readonly select: (selected: Subject['selected']) => void;
  readonly search: string;
  readonly setSearch: (text: string) => void;
  /** 1 for each function that matches; null without a search, or if it was refused. */
  readonly matches: Uint8Array | null;
  /** Why the search was refused. */
  readonly refused: string | null;
}

interface FoundFrame {
  readonly search: string;
  readonly matches: Uint8Array | null;
  readonly refused: string | null;
}

const NOTHING: FoundFrame = { search: '', matches: null, refused: null };

/**
 * Returns the state of a subject. `asked` is the note whose place to select; `searches` are those whose result is known.
 */
export function useSubject(
  table: NamedFunctions,
  pins: LivePins,
  asked: { readonly number: number } | null,
  initialSearch: string,
  searches: Searches,
): Subject {
  const [selected, select] = useState<Subject['selected']>(null);
  const [search, setSearch] = useState(initialSearch);
  const [found, setFound] = useState(NOTHING);
  const names = useMemo(() => functionNames(table), [table]);
  const known = searches.get(search);
  useEffect(() => {
    let current = true;
    if (search === '' || known !== undefined) return undefined;
    matchInSlices(names, search, !hasCapital(search), () => current).then(
      (matches) => {
        if (current) setFound({ search, matches, refused: null });
      },
      (error: unknown) => {
        if (current) setFound({ search, matches: null, refused: messageOf(error) });
      },
    );
    return () => {
      current = false;
    };
  }, [names, search, known]);
  const [shown, setShown] = useState<typeof asked>(null);
  if (shown !== asked) {
    setShown(asked);
    const place = asked === null ? undefined : pins.places.get(asked.number);
    if (place !== undefined) select({ func: place.func as FunctionIndex, node: place.node as CallNodeIndex });
  }
  const { matches, refused } = search === '' ? NOTHING : (known ?? found);
  const choose = useCallback((next: Subject['selected']) => select(next), []);
  return useMemo(
    () => ({ table, names, pins, selected, select: choose, search, setSearch, matches, refused }),
    [table, names, pins, selected, choose, search, matches, refused],
  );
}

/**
 * Returns the selection for a frame of a graph; the root selects nothing. `isMain` means that the frame is in the tree
 * that all graphs of the subject show.
 */
export function placeOf(
  frame: FrameRef | null,
  isMain = true,
): { func: FunctionIndex; node: CallNodeIndex | null } | null {
  if (frame === null || frame.func === null) return null;
  return { func: frame.func, node: isMain ? frame.node : null };
}
