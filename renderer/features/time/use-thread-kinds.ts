import { useEffect, useMemo, useState } from 'react';
import { CODE_KINDS, type CodeKind } from '#core/model/code-kind.ts';
import type { ThreadKinds } from '#core/analyze/time/kind-histograms.ts';
import type { ThreadIndex } from '#core/model/brand.ts';
import { kindColour } from '#core/colour/frame-colour.ts';
import type { Theme } from '../../ui/flame/graph.types.ts';
import { useView, useViewState } from '../../state/profile/context.ts';
import type { GroupBars } from './use-group-bars.ts';
import type { ThreadRows } from '#core/analyze/time/strip.ts';
import { takeAnswerAfter } from '../../ui/take-answer.ts';

type KindsByThread = ReadonlyMap<ThreadIndex, ThreadKinds['kinds']>;

interface Known {
  /** The rows of which these are parts. */
  readonly rows: ThreadRows;
  readonly byThread: KindsByThread;
}

const KINDS = Object.keys(CODE_KINDS) as CodeKind[];
const NONE: ReadonlyMap<ThreadIndex, readonly GroupBars[]> = new Map();
/** Delay in ms, because rows become visible one after another while scrolling. */
const SETTLE_MS = 40;

/**
 * Returns the parts of the rows by kind of code, for threads that are or were visible. The previous rows' parts stay
 * until new ones arrive, if they have the same buckets.
 */
export function useThreadKinds(
  rows: ThreadRows,
  inView: readonly ThreadIndex[],
  theme: Theme,
): ReadonlyMap<ThreadIndex, readonly GroupBars[]> {
  const view = useView();
  const revision = useViewState((state) => state.analysis?.revision ?? null);
  const [known, setKnown] = useState<Known | null>(null);
  useEffect(() => {
    const own = known?.rows === rows ? known.byThread : null;
    const threads = inView.filter((thread) => own?.has(thread) !== true);
    if (revision === null || threads.length === 0) return undefined;
    const window = { start: rows.start, end: rows.end };
    return takeAnswerAfter(
      SETTLE_MS,
      () => view.ask('time-kinds', { revision, window, buckets: rows.columns, threads }),
      (found) => {
        const parts = found?.threads.map(({ thread, kinds }) => [thread, kinds] as const);
        if (parts !== undefined) setKnown({ rows, byThread: new Map([...(own ?? []), ...parts]) });
      },
      // The rows send the same request and report the error.
      () => undefined,
    );
  }, [view, revision, rows, inView, known]);

  return useMemo(() => {
    if (known === null || !sameBuckets(known.rows, rows)) return NONE;
    const colours = new Map(KINDS.map((kind) => [kind, kindColour(kind, theme)]));
    const toBars = (kinds: ThreadKinds['kinds']): readonly GroupBars[] =>
      kinds.map(({ kind, weight }) => ({ label: CODE_KINDS[kind], colour: colours.get(kind)!, weight }));
    return new Map([...known.byThread].map(([thread, kinds]) => [thread, toBars(kinds)]));
  }, [known, rows, theme]);
}

const sameBuckets = (a: ThreadRows, b: ThreadRows): boolean =>
  a.valueType === b.valueType && a.start === b.start && a.end === b.end && a.columns === b.columns;
