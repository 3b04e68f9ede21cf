import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CallNodeIndex } from '#core/model/brand.ts';
import type { FlameSource, PathEntry } from '#core/analyze/graph/flame-slice.ts';
import { lineageOf } from './lineage.ts';
import { sameRange, type WeightRange } from '../../../core/analyze/graph/weight-range.ts';

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

interface HeldRange<R extends WeightRange> extends ZoomStep<R> {
  readonly source: FlameSource;
}

/**
 * Returns a zoom whose node the caller keeps. Its history includes zooms that others made by changing `rootNode`.
 * `home` defaults to the tree's root.
 */
export function useZoom<R extends WeightRange = WeightRange>(
  source: FlameSource,
  rootNode: CallNodeIndex,
  onZoom: (node: CallNodeIndex) => void,
  home: CallNodeIndex = TREE_ROOT,
): Zoom<R> {
  const history = useRef<ZoomStep<R>[]>([]);
  const [held, setHeld] = useState<HeldRange<R> | null>(null);
  const [base, setBase] = useState({ source, node: rootNode });
  if (base.source !== source || base.node !== rootNode) {
    setBase({ source, node: rootNode });
    if (
      held?.source === base.source &&
      held.node === base.node &&
      base.source !== source &&
      lineageOf(base.source, source) !== undefined
    ) {
      const growth = source.totalWeight / base.source.totalWeight;
      setHeld({ source, node: rootNode, range: held.range && scaled(held.range, growth) });
    }
  }
  const range = held?.source === source && held.node === rootNode ? held.range : null;
  const shown = useRef({ source, node: rootNode, range });
  const goingBack = useRef(false);
  const lastGesture = useRef(-Infinity);

  useEffect(() => {
    const before = shown.current;
    if (before.source !== source) history.current = [];
    else if (before.node !== rootNode && !goingBack.current) push(history, before);
    if (before.node !== rootNode) lastGesture.current = -Infinity;
    goingBack.current = false;
    shown.current = { source, node: rootNode, range };
  }, [source, rootNode, range]);

  const toRange = useCallback(
    (next: R | null, byGesture: boolean) => {
      if (sameRange(next, shown.current.range)) return;
      const now = performance.now();
      if (!byGesture || now - lastGesture.current > ONE_GESTURE_MS) push(history, shown.current);
      lastGesture.current = byGesture ? now : -Infinity;
      setHeld({ source, node: rootNode, range: next });
    },
    [source, rootNode],
  );
  const to = useCallback(
    (node: CallNodeIndex) => {
      if (node === rootNode) toRange(null, false);
      else onZoom(node);
    },
    [rootNode, onZoom, toRange],
  );
  const back = useCallback(() => {
    const outermost = rootNode === home && shown.current.range === null;
    const target = history.current.pop() ?? (outermost ? null : { node: home, range: null });
    if (target === null) return false;
    lastGesture.current = -Infinity;
    setHeld({ source, ...target });
    if (target.node !== rootNode) {
      goingBack.current = true;
      onZoom(target.node);
    }
    return true;
  }, [source, rootNode, onZoom, home]);
  return useMemo(
    () => ({ node: rootNode, home, range, to, toRange, back }),
    [rootNode, home, range, to, toRange, back],
  );
}

/** Returns the same part of a root that has grown by a factor. */
function scaled<R extends WeightRange>(range: R, growth: number): R {
  return { ...range, first: range.first * growth, last: range.last * growth };
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
  useEffect(() => {
    let current = true;
    source.requestPath(node).then(
      (path) => {
        if (current) setKnown({ path, totalWeight: source.totalWeight });
      },
      () => {
        if (current) setKnown(NO_PATH);
      },
    );
    return () => {
      current = false;
    };
  }, [source, node]);
  return known;
}
