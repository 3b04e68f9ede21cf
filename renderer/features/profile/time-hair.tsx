import { useEffect, useRef, useState } from 'react';
import type { PointerEvent, ReactElement, ReactNode } from 'react';
import type { TimeRange } from '#core/analyze/time/time-grid.ts';
import { useStore } from '../../state/store.ts';
import { shareOf, timeAt } from '../../ui/time/time-scale.ts';
import { useView } from '../../state/profile/context.ts';

interface TimePointedProps {
  /** What the graph's width shows, in the unit of its widths. */
  readonly shown: TimeRange;
  /** The moment at a place, or null where there is none; left out: places are moments. */
  readonly momentAt?: (place: number) => Promise<number | null>;
  readonly children: ReactNode;
}

/** Tells the strip what moment of the graph within the pointer is on. */
export function TimePointed({ shown, momentAt, children }: TimePointedProps): ReactElement {
  const { pointedTime } = useView();
  /** Moments of older places come too late. */
  const newest = useRef<number | null>(null);
  // What goes away under the pointer is not left by it.
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

/** A line through the graph at the moment that the pointer is on, in it or in the strip. */
export function TimeHair({ shown }: { shown: TimeRange }): ReactElement | null {
  return <Hair shown={shown} place={useStore(useView().pointedTime, ({ time }) => time)} />;
}

interface SampleHairProps {
  readonly shown: TimeRange;
  /** Where what was sampled at a time begins; null: nothing was. */
  readonly placeOf: (time: number) => Promise<number | null>;
}

/** The same in a graph whose places are no moments: a line where the sample of that moment begins. */
export function SampleHair({ shown, placeOf }: SampleHairProps): ReactElement | null {
  const time = useStore(useView().pointedTime, (pointed) => pointed.time);
  const [place, setPlace] = useState<number | null>(null);
  useEffect(() => {
    let current = true;
    const find = async (): Promise<void> => {
      const found = time === null ? null : await placeOf(time);
      if (current) setPlace(found);
    };
    void find();
    return () => {
      current = false;
    };
  }, [time, placeOf]);
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
