import type { SampleQuery } from '#core/analyze/time/nearest-sample.ts';
import type { TimeRange } from '#core/analyze/time/time-grid.ts';
import type { ProfileView } from '../../state/profile/view.ts';
import { isOutdated, toProblem } from '../../state/problem.ts';
import type { TimeBars } from '#core/analyze/time/time-strip.ts';

/** Bars to either side: samples may be further apart than bars are wide. */
const NEAR_BARS = 4;

/** Where the sample of a moment is looked for: around a bar. */
export function nearBars({ start, end, columns }: Pick<TimeBars, 'start' | 'end' | 'columns'>, time: number) {
  const near = (NEAR_BARS * (end - start)) / columns;
  return { start: time - near, end: time + near };
}

/** Picks the stack nearest to the middle of a range, of the threads that are chosen. */
export function pickStackIn(view: ProfileView, span: TimeRange): Promise<void> {
  const { threads } = view.store.get().selection;
  return pickStack(view, { threads, time: (span.start + span.end) / 2, span });
}

/** Picks the stack of the sample nearest to a moment, once what was chosen with it is analysed. Where there is none, nothing changes. */
export async function pickStack(view: ProfileView, moment: SampleQuery): Promise<void> {
  await view.analyse();
  const revision = view.store.get().analysis?.revision;
  if (revision === undefined) return;
  try {
    const place = await view.client()?.call('time-place', { revision, ...moment });
    if (place !== null && place !== undefined) view.pick(place);
  } catch (error) {
    const problem = toProblem(error);
    // Something newer is shown: the click was on what is no longer there.
    if (!isOutdated(problem)) view.store.set({ problem });
  }
}
