import { useEffect, useState } from 'react';
import type { CallNodeIndex } from '#core/model/brand.ts';
import type { PathDetail } from '../worker/compare-protocol.ts';
import type { CompareTab } from './compare.types.ts';

/** The pointer passes over many frames on its way: only where it stays is more asked for. */
const STAY_MS = 60;

interface Found {
  readonly revision: number;
  readonly root: CallNodeIndex;
  readonly detail: PathDetail;
}

/**
 * What is known of the path that is pointed at, else of the picked one: of the newest that was asked for, which may be of an earlier place.
 * Pointing elsewhere renders nothing.
 */
export function usePathDetail(tab: CompareTab, revision: number, root: CallNodeIndex): PathDetail | null {
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    let asked: CallNodeIndex | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      const { hovered, picked } = tab.store.get();
      const node = hovered?.node ?? picked?.node ?? null;
      if (node === asked) return;
      asked = node;
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (node === null) {
          setFound(null);
          return;
        }
        tab.ask('describe-path', { revision, node, root }).then(
          (detail) => {
            if (asked === node) setFound({ revision, root, detail });
          },
          // What the drawing tells stays; the graphs' own requests say what is wrong.
          () => undefined,
        );
      }, STAY_MS);
    };
    look();
    const leave = tab.store.subscribe(look);
    return () => {
      asked = null;
      clearTimeout(timer);
      leave();
    };
  }, [tab, revision, root]);
  return found?.revision === revision && found.root === root ? found.detail : null;
}
