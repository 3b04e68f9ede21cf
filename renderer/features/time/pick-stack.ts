import type { SampleQuery } from '#core/analyze/time/nearest-sample.ts';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import type { ProfileView } from '../../state/profile/view.ts';
import { toProblem } from '../../state/problem.ts';
import type { TimeBars } from '#core/analyze/time/strip.ts';

/** Number of bars searched on either side, because samples may be further apart than a bar is wide. */
const NEAR_BARS = 4;

/** Returns the range around a bar in which a moment's sample is searched. */
export function nearBars({ start, end, columns }: Pick<TimeBars, 'start' | 'end' | 'columns'>, time: number) {
  const near = (NEAR_BARS * (end - start)) / columns;
  return { start: time - near, end: time + near };
}

/** Selects the stack nearest to the middle of a range, in the selected threads. */
export function pickStackIn(view: ProfileView, span: TimeRange): Promise<void> {
  const { threads } = view.store.get().selection;
  return pickStack(view, { threads, time: (span.start + span.end) / 2, span });
}

/**
 * Selects the stack of the sample nearest to a moment, after the current analysis has finished. If there is none,
 * nothing changes.
 */
export async function pickStack(view: ProfileView, moment: SampleQuery): Promise<void> {
  await view.analyse();
  const revision = view.store.get().analysis?.revision;
  if (revision === undefined) return;
  try {
    // If a newer analysis is shown, which is never answered, the click was on content that is gone.
    const place = await view.ask('time-place', { revision, ...moment });
    if (place !== null) view.pick(place);
  } catch (error) {
    view.store.set({ problem: toProblem(error) });
  }
}
