import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CallNodeIndex } from '#core/model/brand.ts';
import type { FlameSource, PathEntry } from '#core/analyze/graph/flame-slice.ts';
import { lineageOf } from './lineage.ts';
import { sameRange, type WeightRange } from '../../../core/analyze/graph/weight-range.ts';
import { takeAnswer } from '../take-answer.ts';

const TREE_ROOT = 0 as CallNodeIndex;
/** Number of steps kept in the history. */
const MAX_HISTORY = 200;
/** Gestures within this time in ms form one step of the history. */
const ONE_GESTURE_MS = 800;

/** The part of the tree that fills the width; a null range means the whole node. */
interface ZoomStep<R extends WeightRange> {
  readonly node: CallNodeIndex;
  readonly range: R | null;
}

/** The zoom of a graph, with its history. It is the only owner of the zoom; graphs only draw it. */
export interface Zoom<R extends WeightRange = WeightRange> {
  readonly node: CallNodeIndex;
  /** The node that Home zooms to. */
  readonly home: CallNodeIndex;
  /** The visible part of the zoomed root; null shows all of it. */
  readonly range: R | null;
  readonly to: (node: CallNodeIndex) => void;
  /** Zooms to a part of the zoomed root. Gestures in quick succession form one step. */
  readonly toRange: (range: R | null, byGesture: boolean) => void;
  /** Returns false if the history is empty. */
  readonly back: () => boolean;
}

/** A range, with the tree that it is from. */
export interface HeldRange<R extends WeightRange = WeightRange> extends ZoomStep<R> {
  readonly source: FlameSource;
}

/**
 * How a change of the range relates to the one before: a step of its own, the same gesture, or part of a zoom to
 * another node that follows.
 */
export type RangeChange = 'step' | 'gesture' | 'zoom';

/** A range that outlives the graph, and that others may replace. */
export interface RangeKeeper<R extends WeightRange = WeightRange> {
  readonly kept: HeldRange<R> | null;
  readonly keep: (held: HeldRange<R>, change: RangeChange) => void;
}

interface ZoomOptions<R extends WeightRange> {
  /** The tree's root by default. */
  readonly home?: CallNodeIndex;
  /** If absent, the range lasts as long as the graph. */
  readonly keeper?: RangeKeeper<R>;
}

/**
 * Returns a zoom whose node the caller keeps. Its history includes zooms that others made by changing `rootNode` or the
 * kept range.
 */
export function useZoom<R extends WeightRange = WeightRange>(
  source: FlameSource,
  rootNode: CallNodeIndex,
  onZoom: (node: CallNodeIndex) => void,
  { home = TREE_ROOT, keeper }: ZoomOptions<R> = {},
): Zoom<R> {
  const history = useRef<ZoomStep<R>[]>([]);
  const [ownKept, setOwnKept] = useState<HeldRange<R> | null>(null);
  const { kept, keep } = keeper ?? { kept: ownKept, keep: setOwnKept };
  const [held, setHeld] = useState(() => heldIn(source, kept, home));
  const [base, setBase] = useState({ source, node: rootNode, kept });
  if (base.source !== source || base.node !== rootNode || base.kept !== kept) {
    setBase({ source, node: rootNode, kept });
    if (base.kept !== kept) setHeld(heldIn(source, kept, home));
    else if (
      held?.source === base.source &&
      held.node === base.node &&
      base.source !== source &&
      lineageOf(base.source, source) !== undefined
    ) {
      setHeld(grown(held, source, rootNode));
    }
  }
  const range = held?.source === source && held.node === rootNode ? held.range : null;
  const shown = useRef({ source, node: rootNode, range });
  /** What this zoom asked for and does not show yet; its step may be in the history already. */
  const asked = useRef<'new' | 'in history' | null>(null);
  const lastGesture = useRef(-Infinity);

  useEffect(() => {
    const before = shown.current;
    if (before.source !== source) history.current = [];
    else if (asked.current !== 'in history' && !sameStep(before, { node: rootNode, range })) {
      const last = history.current.at(-1);
      // Others may have gone back themselves.
      const isBack = asked.current === null && last !== undefined && sameStep(last, { node: rootNode, range });
      if (isBack) history.current = history.current.slice(0, -1);
      else push(history, before);
      lastGesture.current = -Infinity;
    }
    asked.current = null;
    shown.current = { source, node: rootNode, range };
  }, [source, rootNode, range]);

  const toRange = useCallback(
    (next: R | null, byGesture: boolean) => {
      if (sameRange(next, shown.current.range)) return;
      const now = performance.now();
      const goesOn = byGesture && now - lastGesture.current <= ONE_GESTURE_MS;
      if (!goesOn) push(history, shown.current);
      lastGesture.current = byGesture ? now : -Infinity;
      asked.current = 'in history';
      keep({ source, node: rootNode, range: next }, goesOn ? 'gesture' : 'step');
    },
    [source, rootNode, keep],
  );
  const to = useCallback(
    (node: CallNodeIndex) => {
      if (node === rootNode) toRange(null, false);
      else {
        asked.current = 'new';
        onZoom(node);
      }
    },
    [rootNode, onZoom, toRange],
  );
  const back = useCallback(() => {
    const now = { node: rootNode, range: shown.current.range };
    const at = history.current.findLastIndex((step) => !sameStep(step, now));
    const target = history.current[at] ?? { node: now.range === null ? home : rootNode, range: null };
    history.current = history.current.slice(0, Math.max(at, 0));
    if (sameStep(target, now)) return false;
    lastGesture.current = -Infinity;
    asked.current = 'in history';
    keep({ source, ...target }, target.node === rootNode ? 'step' : 'zoom');
    if (target.node !== rootNode) onZoom(target.node);
    return true;
  }, [source, rootNode, onZoom, home, keep]);
  return useMemo(
    () => ({ node: rootNode, home, range, to, toRange, back }),
    [rootNode, home, range, to, toRange, back],
  );
}

/**
 * Returns a kept range in a source's tree. In a tree that has grown since, only that of the whole graph is found again,
 * because other nodes have other numbers.
 */
function heldIn<R extends WeightRange>(
  source: FlameSource,
  kept: HeldRange<R> | null,
  home: CallNodeIndex,
): HeldRange<R> | null {
  if (kept === null || kept.source === source) return kept;
  const { lineage, revision } = kept.source;
  if (revision !== undefined && revision === source.revision && lineage === source.lineage) return { ...kept, source };
  return lineageOf(kept.source, source) !== undefined && kept.node === home ? grown(kept, source, home) : null;
}

/** Returns the same part of a root that has grown, and whose node may have changed. */
function grown<R extends WeightRange>(
  { source: before, range }: HeldRange<R>,
  source: FlameSource,
  node: CallNodeIndex,
): HeldRange<R> {
  const growth = source.totalWeight / before.totalWeight;
  return { source, node, range: range && { ...range, first: range.first * growth, last: range.last * growth } };
}

function sameStep(a: ZoomStep<WeightRange>, b: ZoomStep<WeightRange>): boolean {
  return a.node === b.node && sameRange(a.range, b.range);
}

function push<R extends WeightRange>(history: { current: ZoomStep<R>[] }, { node, range }: ZoomStep<R>): void {
  history.current = [...history.current, { node, range }].slice(-MAX_HISTORY);
}

/** A path, and the total weight of the tree that it is from. */
interface KnownPath {
  readonly path: readonly PathEntry[];
  readonly totalWeight: number;
}

const NO_PATH: KnownPath = { path: [], totalWeight: 0 };

/** Returns the path from the tree's root to a node; the previous path while the next one is loading. */
export function usePath(source: FlameSource, node: CallNodeIndex): KnownPath {
  const [known, setKnown] = useState(NO_PATH);
  useEffect(
    () =>
      takeAnswer(
        source.requestPath(node),
        (path) => setKnown({ path, totalWeight: source.totalWeight }),
        () => setKnown(NO_PATH),
      ),
    [source, node],
  );
  return known;
}
