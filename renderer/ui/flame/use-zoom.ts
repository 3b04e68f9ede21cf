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
interface Shown<R extends WeightRange> {
  readonly source: FlameSource;
  readonly node: CallNodeIndex;
  readonly range: R | null;
}

interface ZoomStep<R extends WeightRange> extends Shown<R> {
  readonly again: ReturnType<NonNullable<FlameSource['remember']>> | undefined;
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
  const [held, setHeld] = useState<Shown<R> | null>(null);
  const [base, setBase] = useState({ source, node: rootNode });
  if (base.source !== source || base.node !== rootNode) {
    setBase({ source, node: rootNode });
    if (
      held?.source === base.source &&
      held.node === base.node &&
      base.source !== source &&
      lineageOf(base.source, source) !== undefined
    )
      setHeld(grown(held, source, rootNode));
  }
  const range = held?.source === source && held.node === rootNode ? held.range : null;
  const shown = useRef({ source, node: rootNode, range });
  const goingBack = useRef(false);
  const lastGesture = useRef(-Infinity);

  useEffect(() => {
    const before = shown.current;
    if (before.source !== source) {
      if (lineageOf(before.source, source) === undefined) history.current = [];
    } else if (before.node !== rootNode && !goingBack.current) push(history, before);
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
  const zoomTo = useRef(onZoom);
  useEffect(() => {
    zoomTo.current = onZoom;
  }, [onZoom]);
  const show = useCallback((target: Shown<R>) => {
    setHeld(target);
    if (target.node === shown.current.node) return;
    goingBack.current = true;
    zoomTo.current(target.node);
  }, []);
  const back = useCallback(() => {
    const now = shown.current;
    const outermost = now.node === home && now.range === null;
    const step = history.current.pop() ?? (outermost ? null : { ...now, node: home, range: null });
    if (step === null) return false;
    lastGesture.current = -Infinity;
    if (step.source === now.source) show(step);
    else if ('again' in step) {
      const newest = (): FlameSource => shown.current.source;
      void step.again?.(newest).then((node) => show(grown(step, newest(), node)));
    }
    return true;
  }, [home, show]);
  return useMemo(
    () => ({ node: rootNode, home, range, to, toRange, back }),
    [rootNode, home, range, to, toRange, back],
  );
}

/** Returns the same part of a root in a tree that has grown, in which it is `node`. */
function grown<R extends WeightRange>(
  { range, source: before }: Shown<R>,
  source: FlameSource,
  node: CallNodeIndex,
): Shown<R> {
  const growth = source.totalWeight / before.totalWeight;
  return { source, node, range: range && { ...range, first: range.first * growth, last: range.last * growth } };
}

function push<R extends WeightRange>(history: { current: ZoomStep<R>[] }, step: Shown<R>): void {
  history.current = [...history.current, { ...step, again: step.source.remember?.(step.node) }].slice(-MAX_HISTORY);
}

/** Returns the path from the tree's root to a node; the previous path while the next one is loading. */
export function usePath(source: FlameSource, node: CallNodeIndex): readonly PathEntry[] {
  const [path, setPath] = useState<readonly PathEntry[]>([]);
  useEffect(() => {
    let current = true;
    source.requestPath(node).then(
      (found) => {
        if (current) setPath(found);
      },
      () => {
        if (current) setPath([]);
      },
    );
    return () => {
      current = false;
    };
  }, [source, node]);
  return path;
}
