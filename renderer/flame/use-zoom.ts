import { useCallback, useEffect, useRef, useState } from 'react';
import type { CallNodeIndex } from '#core/model/brand.ts';
import type { FlameSource, PathEntry } from './flame-graph.types.ts';

const TREE_ROOT = 0 as CallNodeIndex;
/** Steps back that are kept: more than anybody goes. */
const MAX_HISTORY = 200;

export interface Zoom {
  readonly to: (node: CallNodeIndex) => void;
  /** False where there is nowhere to go back to. */
  readonly back: () => boolean;
}

/** The way back from zooms, also from those that others made by changing `rootNode`. */
export function useZoom(source: FlameSource, rootNode: CallNodeIndex, onZoom: (node: CallNodeIndex) => void): Zoom {
  const history = useRef<CallNodeIndex[]>([]);
  const shown = useRef({ source, rootNode });
  const goingBack = useRef(false);

  useEffect(() => {
    if (shown.current.source !== source) history.current = [];
    else if (shown.current.rootNode !== rootNode && !goingBack.current) {
      history.current = [...history.current, shown.current.rootNode].slice(-MAX_HISTORY);
    }
    goingBack.current = false;
    shown.current = { source, rootNode };
  }, [source, rootNode]);

  const to = useCallback(
    (node: CallNodeIndex) => {
      if (node !== rootNode) onZoom(node);
    },
    [rootNode, onZoom],
  );
  const back = useCallback(() => {
    const target = history.current.pop() ?? (rootNode === TREE_ROOT ? null : TREE_ROOT);
    if (target === null) return false;
    goingBack.current = true;
    onZoom(target);
    return true;
  }, [rootNode, onZoom]);
  return { to, back };
}

/** Path from the tree's root to a node; the last known one while the next is on its way. */
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
