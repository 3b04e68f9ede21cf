import { useLayoutEffect, useRef, useState, type ReactElement } from 'react';
import type { TimeRange } from '#core/analyze/time/grid.ts';
import { timeTicks } from './time-label.ts';
import { shareOf } from './time-scale.ts';

/** Width of a label including its margin. */
const LABEL_PX = 90;

/** Round times below a track. */
export function TimeAxis({ window, zero }: { window: TimeRange; zero: number }): ReactElement {
  const axis = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(800);
  useLayoutEffect(() => {
    const element = axis.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={axis} className="time-axis" aria-hidden="true">
      {timeTicks(window, zero, Math.floor(width / LABEL_PX)).map(({ at, text }) => (
        <span key={at} style={{ left: `${shareOf(window, at) * 100}%` }}>
          {text}
        </span>
      ))}
    </div>
  );
}
