import { useEffect, useState } from 'react';
import type { CallNodeIndex } from '#core/model/brand.ts';
import type { PathDetail } from '../../analysis/comparison/protocol.ts';
import type { ComparePicked, CompareTab } from '../../state/compare/compare.types.ts';

/** The pointer passes over many frames on its way: only where it stays is more asked for. */
const STAY_MS = 60;

interface Found {
  readonly revision: number;
  readonly root: CallNodeIndex;
  readonly detail: PathDetail;
}

/**
 * What is known of the path that is pointed at, else of the picked one; of a function of the table its heaviest path. Until it is known,
 * that of the place before it: pointing elsewhere renders nothing.
 */
export function usePathDetail(tab: CompareTab, revision: number, root: CallNodeIndex): PathDetail | null {
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    let asked: ComparePicked | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (place: ComparePicked): Promise<void> => {
      const node = place.node ?? (await tab.ask('heaviest', { revision, func: place.func }));
      const detail = node === null ? null : await tab.ask('describe-path', { revision, node, root });
      if (asked === place) setFound(detail === null ? null : { revision, root, detail });
    };
    const look = (): void => {
      const { hovered, picked } = tab.store.get();
      const place = hovered ?? picked;
      if (place === asked) return;
      asked = place;
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (place === null) setFound(null);
        // What the drawing tells stays where this fails; the graphs' own requests say what is wrong.
        else ask(place).catch(() => undefined);
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
