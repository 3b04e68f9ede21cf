import { useEffect, useState } from 'react';
import type { CallNodeIndex } from '#core/model/brand.ts';
import type { PathDetail } from '../worker/compare-protocol.ts';
import type { CompareTab } from './compare.types.ts';

/** The pointer passes over many frames on its way: only where it stays is more asked for. */
const STAY_MS = 60;

/** What is known of the path that is pointed at, else of the picked one; null while it is on its way, and of neither. */
export function usePathDetail(
  tab: CompareTab,
  revision: number,
  root: CallNodeIndex,
  node: CallNodeIndex | null,
): PathDetail | null {
  const [found, setFound] = useState<{ readonly revision: number; readonly detail: PathDetail } | null>(null);
  useEffect(() => {
    if (node === null) return undefined;
    let current = true;
    const timer = setTimeout(() => {
      tab.ask('describe-path', { revision, node, root }).then(
        (detail) => {
          if (current) setFound({ revision, detail });
        },
        // What the drawing tells stays; the graphs' own requests say what is wrong.
        () => undefined,
      );
    }, STAY_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [tab, revision, root, node]);
  return found?.revision === revision && found.detail.node === node ? found.detail : null;
}
