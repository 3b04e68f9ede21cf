import { useEffect, useMemo, useRef, useState } from 'react';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import { useProfileTab, useView, useViewState } from '../../state/profile/context.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import type { ProfileView } from '../../state/profile/view.ts';
import { durationLabel } from '../../ui/time/time-label.ts';
import { rangeBetween } from '../../ui/time/time-scale.ts';
import type { HeatMap, ThreadRows, TimeBars, TimeStrip } from '#core/analyze/time/strip.ts';
import type { TimeForm } from '../../state/time/time-display.ts';
import { takeAnswer, takeAnswerAfter } from '../../ui/take-answer.ts';

/** Number of bars over the width of the window, each 3 to 6 pixels wide. */
const BUCKETS = 320;
/** Maximum number of columns in a heat map, each at least about 3 pixels wide. */
const MAX_HEAT_COLUMNS = 360;
/** Pause in zooming before the newly visible part is requested, in ms; until then the previous drawing is stretched. */
const SETTLE_MS = 80;
/** Delay in ms, so that the graph of a newly opened file asks the worker first. */
const FIRST_MS = 30;

interface TimeData {
  readonly strip: TimeStrip | null;
  readonly threads: ThreadRows | null;
  readonly heatMap: HeatMap | null;
}

const NOTHING: TimeData = { strip: null, threads: null, heatMap: null };

/** Returns the visible part of time within the innermost committed range, or of all; null shows all of the time. */
export function useTimeWindow(): TimeRange | null {
  const look = useViewState((state) => state.time.window);
  const inner = useViewState((state) => state.committed.at(-1) ?? null);
  return useMemo(() => {
    if (look === null || inner === null) return look ?? inner;
    return rangeBetween(look.start, look.end, inner) ?? inner;
  }, [look, inner]);
}

/** Returns the view's data over time; earlier answers stay until new ones arrive. */
export function useTimeData(): TimeData {
  const view = useView();
  const { report } = useWorkbench();
  const revision = useViewState((state) => state.analysis?.revision ?? null);
  const window = useTimeWindow();
  const form = useViewState((state) => state.time.form);
  const [data, setData] = useState(NOTHING);
  const first = useRef(true);
  useEffect(() => {
    if (revision === null) return undefined;
    return takeAnswerAfter(
      first.current ? FIRST_MS : SETTLE_MS,
      () => {
        first.current = false;
        return ask(view, revision, window, form);
      },
      (found) => setData((old) => ({ ...old, ...found })),
      report,
    );
  }, [view, revision, window, form, report]);
  return data;
}

async function ask(
  view: ProfileView,
  revision: number,
  window: TimeRange | null,
  form: TimeForm,
): Promise<Partial<TimeData>> {
  if (form === 'heat-map') {
    const asked = { revision, window, maxColumns: MAX_HEAT_COLUMNS };
    return { heatMap: await view.ask('heat-map', asked) };
  }
  const asked = { revision, window, buckets: BUCKETS };
  const [strip, threads] = await Promise.all([
    view.ask('time-strip', asked),
    form === 'threads' ? view.ask('time-threads', asked) : undefined,
  ]);
  return { strip, ...(threads === undefined ? {} : { threads }) };
}

/**
 * Returns the bars of the selected function in the view's latest analysis; null if none is selected, and until they are
 * known.
 */
export function usePickedBars(): TimeBars | null {
  const view = useView();
  const revision = useViewState((state) => state.analysis?.revision ?? null);
  const window = useTimeWindow();
  const func = useViewState((state) => state.picked?.func ?? null);
  const [known, setKnown] = useState<{ readonly func: FunctionIndex; readonly bars: TimeBars | null } | null>(null);
  useEffect(() => {
    if (revision === null || func === null) return undefined;
    return takeAnswerAfter(
      SETTLE_MS,
      () => view.ask('time-function', { revision, window, buckets: BUCKETS, func }),
      (bars) => setKnown({ func, bars }),
      // The strip sends the same request and reports the error.
      () => undefined,
    );
  }, [view, revision, window, func]);
  return known !== null && known.func === func ? known.bars : null;
}

/** A range without samples; see `LiveStatus.gaps`. */
export interface TimeGap extends TimeRange {
  readonly stillSeconds?: number;
}

/** Returns how long a gap is, also if the source's clock stood still in it. */
export const gapLength = ({ start, end, stillSeconds }: TimeGap): string =>
  durationLabel(stillSeconds === undefined ? { start, end } : { start: 0, end: stillSeconds * 1e9 });

/**
 * Returns the ranges of the profile without any sample, whatever the view shows. Empty until `ready`, because they can
 * wait.
 */
export function useTimeGaps(ready: boolean): readonly TimeGap[] {
  const view = useView();
  const { report } = useWorkbench();
  const { live } = useProfileTab();
  /** Only a growing profile gets new gaps. */
  const revision = useViewState(({ analysis }) => (live === null ? 0 : (analysis?.revision ?? null)));
  const [gaps, setGaps] = useState<readonly TimeGap[]>([]);
  useEffect(() => {
    if (!ready || revision === null) return undefined;
    const take = (found: readonly TimeGap[]): void => setGaps(joinGaps(found, live?.store.get().status?.gaps ?? []));
    return takeAnswer(view.ask('time-gaps', null), take, report);
  }, [view, ready, revision, live, report]);
  return gaps;
}

/** Joins gaps found in the samples with those that are known, which may be too short to be found. */
function joinGaps(found: readonly TimeGap[], known: readonly TimeGap[]): readonly TimeGap[] {
  const others = found.filter((gap) => !known.some(({ start, end }) => start < gap.end && end > gap.start));
  return [...known, ...others].sort((a, b) => a.start - b.start);
}
