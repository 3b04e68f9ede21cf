import { useEffect, useState } from 'react';
import type { ShownSample } from '#core/analyze/time/nearest-sample.ts';
import type { TimeRange } from '#core/analyze/time/time-grid.ts';
import type { ThreadIndex } from '#core/model/brand.ts';
import { useView, useViewState } from '../../state/profile/context.ts';

/** A pause of the pointer: samples that it runs past are not asked for. */
const REST_MS = 30;

interface Found {
  readonly thread: ThreadIndex;
  readonly start: number;
  readonly revision: number;
  readonly sample: ShownSample | null;
}

/** What a thread did at a time, of its samples in a span; null until it is known, where there is none, and without a thread. */
export function useSampleAt(thread: ThreadIndex | null, time: number, { start, end }: TimeRange): ShownSample | null {
  const view = useView();
  const revision = useViewState((state) => state.analysis?.revision ?? null);
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    if (thread === null || revision === null) return undefined;
    let outdated = false;
    const ask = async (): Promise<void> => {
      const sample = await view.client()?.call('time-sample', { revision, thread, time, span: { start, end } });
      if (!outdated && sample !== undefined) setFound({ thread, start, revision, sample });
    };
    // A newer analysis asks again.
    const delay = setTimeout(() => void ask().catch(() => undefined), REST_MS);
    return () => {
      outdated = true;
      clearTimeout(delay);
    };
  }, [view, revision, thread, time, start, end]);
  const isOfSpan = found !== null && found.thread === thread && found.start === start && found.revision === revision;
  return isOfSpan ? found.sample : null;
}
