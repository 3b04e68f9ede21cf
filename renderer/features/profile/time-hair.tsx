import { useEffect, useRef, useState, type PointerEvent, type ReactElement, type ReactNode } from 'react';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import { useStore } from '../../state/store.ts';
import { shareOf, timeAt } from '../../ui/time/time-scale.ts';
import { useView } from '../../state/profile/context.ts';
import { takeAnswer } from '../../ui/take-answer.ts';

interface TimePointedProps {
  /** The visible range, in the unit of the graph's widths. */
  readonly shown: TimeRange;
  /** Returns the moment at a position, or null if there is none; if absent, positions are moments. */
  readonly momentAt?: (place: number) => Promise<number | null>;
  readonly children: ReactNode;
}

/** Reports the moment under the pointer to the strip. */
export function TimePointed({ shown, momentAt, children }: TimePointedProps): ReactElement {
  const { pointedTime } = useView();
  /** Used to ignore answers for earlier positions. */
  const newest = useRef<number | null>(null);
  // An element that is removed under the pointer gets no leave event.
  useEffect(
    () => () => {
      newest.current = null;
      if (pointedTime.get().on === 'graph') pointedTime.set({ time: null, on: 'graph' });
    },
    [pointedTime],
  );

  async function tell(place: number | null): Promise<void> {
    newest.current = place;
    const time = place === null || momentAt === undefined ? place : await momentAt(place);
    if (newest.current === place) pointedTime.set({ time, on: 'graph' });
  }

  const point = ({ currentTarget, clientX }: PointerEvent): void => {
    const box = currentTarget.querySelector('.flame-content')?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return;
    const share = (clientX - box.left) / box.width;
    void tell(share >= 0 && share <= 1 ? timeAt(shown, share) : null);
  };
  return (
    <div className="time-pointed" onPointerMove={point} onPointerLeave={() => void tell(null)}>
      {children}
    </div>
  );
}

/** A line through the graph at the moment under the pointer, in the graph or in the strip. */
export function TimeHair({ shown }: { shown: TimeRange }): ReactElement | null {
  return <Hair shown={shown} place={useStore(useView().pointedTime, ({ time }) => time)} />;
}

interface SampleHairProps {
  readonly shown: TimeRange;
  /** Returns where the sample at a time begins; null if there is none. */
  readonly placeOf: (time: number) => Promise<number | null>;
}

/** The same for a graph whose positions are not moments: a line where the sample of that moment begins. */
export function SampleHair({ shown, placeOf }: SampleHairProps): ReactElement | null {
  const time = useStore(useView().pointedTime, (pointed) => pointed.time);
  const [place, setPlace] = useState<number | null>(null);
  useEffect(() => takeAnswer(time === null ? Promise.resolve(null) : placeOf(time), setPlace), [time, placeOf]);
  return <Hair shown={shown} place={time === null ? null : place} />;
}

function Hair({ shown, place }: { shown: TimeRange; place: number | null }): ReactElement | null {
  if (place === null || place < shown.start || place >= shown.end) return null;
  return (
    <div className="graph-hair" aria-hidden="true">
      <i style={{ left: `${shareOf(shown, place) * 100}%` }} />
    </div>
  );
}
