import { useEffect } from 'react';
import type { PointerEvent, ReactElement, ReactNode } from 'react';
import type { TimeRange } from '#core/analyze/time-grid.ts';
import { useStore } from '../state/store.ts';
import { shareOf, timeAt } from '../time/time-scale.ts';
import { useView } from './profile-context.ts';

/** Tells the strip what moment of the graph within the pointer is on; `shown`: the time that its width shows. */
export function TimePointed({ shown, children }: { shown: TimeRange; children: ReactNode }): ReactElement {
  const { pointedTime } = useView();
  // What goes away under the pointer is not left by it.
  useEffect(
    () => () => {
      if (pointedTime.get().on === 'graph') pointedTime.set({ time: null, on: 'graph' });
    },
    [pointedTime],
  );
  const point = ({ currentTarget, clientX }: PointerEvent): void => {
    const box = currentTarget.querySelector('.flame-content')?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return;
    const share = (clientX - box.left) / box.width;
    pointedTime.set({ time: share >= 0 && share <= 1 ? timeAt(shown, share) : null, on: 'graph' });
  };
  return (
    <div
      className="time-pointed"
      onPointerMove={point}
      onPointerLeave={() => {
        pointedTime.set({ time: null, on: 'graph' });
      }}
    >
      {children}
    </div>
  );
}

/** A line through the graph at the moment that the pointer is on, in it or in the strip. */
export function TimeHair({ shown }: { shown: TimeRange }): ReactElement | null {
  const time = useStore(useView().pointedTime, (pointed) => pointed.time);
  if (time === null || time < shown.start || time >= shown.end) return null;
  return (
    <div className="graph-hair" aria-hidden="true">
      <i style={{ left: `${shareOf(shown, time) * 100}%` }} />
    </div>
  );
}
