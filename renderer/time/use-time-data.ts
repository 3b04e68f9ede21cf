import { useEffect, useRef, useState } from 'react';
import type { TimeRange } from '#core/analyze/time-grid.ts';
import { useView, useViewState } from '../profile/profile-context.ts';
import type { ProfileClient } from '../worker/profile-client.ts';
import type { HeatMap, ThreadRows, TimeForm, TimeStrip } from './time.types.ts';

/** Bars over the width of the window: each 3 to 6 pixels. */
const BUCKETS = 320;
/** Columns of a heat map are at least about 3 pixels wide. */
const MAX_HEAT_COLUMNS = 360;
/** A pause in zooming before what is newly seen is drawn; until then the drawing before is stretched. */
const SETTLE_MS = 80;

export interface TimeData {
  readonly strip: TimeStrip | null;
  readonly threads: ThreadRows | null;
  readonly heatMap: HeatMap | null;
}

const NOTHING: TimeData = { strip: null, threads: null, heatMap: null };

/** What the view shows over time; older answers stay until newer ones are there. */
export function useTimeData(): TimeData {
  const view = useView();
  const revision = useViewState((state) => state.analysis?.revision ?? null);
  const window = useViewState((state) => state.time.window);
  const form = useViewState((state) => state.time.form);
  const [data, setData] = useState(NOTHING);
  const first = useRef(true);
  useEffect(() => {
    const client = view.client();
    if (client === null || revision === null) return undefined;
    let outdated = false;
    const delay = setTimeout(
      () => {
        first.current = false;
        // Of an analysis that is no longer the newest: the newest asks again.
        void ask(client, revision, window, form).then(
          (found) => outdated || setData((old) => ({ ...old, ...found })),
          () => null,
        );
      },
      first.current ? 0 : SETTLE_MS,
    );
    return () => {
      outdated = true;
      clearTimeout(delay);
    };
  }, [view, revision, window, form]);
  return data;
}

async function ask(
  client: ProfileClient,
  revision: number,
  window: TimeRange | null,
  form: TimeForm,
): Promise<Partial<TimeData>> {
  if (form === 'heat-map') {
    const asked = { revision, window, maxColumns: MAX_HEAT_COLUMNS };
    return { heatMap: await client.call('heat-map', asked) };
  }
  const asked = { revision, window, buckets: BUCKETS };
  const [strip, threads] = await Promise.all([
    client.call('time-strip', asked),
    form === 'threads' ? client.call('time-threads', asked) : undefined,
  ]);
  return { strip, ...(threads === undefined ? {} : { threads }) };
}

/** Stretches without any sample; they are the profile's, whatever the view shows. */
export function useTimeGaps(): readonly TimeRange[] {
  const view = useView();
  const [gaps, setGaps] = useState<readonly TimeRange[]>([]);
  useEffect(() => {
    let outdated = false;
    view
      .client()
      ?.call('time-gaps', null)
      .then(
        (found) => outdated || setGaps(found),
        () => null,
      );
    return () => {
      outdated = true;
    };
  }, [view]);
  return gaps;
}
