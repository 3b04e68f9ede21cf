import { useLayoutEffect, useRef, type ReactElement, type ReactNode } from 'react';

export interface TipLine {
  readonly label: string;
  readonly value: string;
}

interface TimeTipProps {
  readonly x: number;
  readonly y: number;
  readonly title: string;
  readonly lines: readonly TipLine[];
  /** Shown below the lines. */
  readonly children?: ReactNode;
}

/** Distance from the pointer, and from the edges of the window. */
const AWAY_PX = 14;

/** The tooltip of the time under the pointer. It is not announced: keyboard navigation gives the same information. */
export function TimeTip({ x, y, title, lines, children }: TimeTipProps): ReactElement {
  const tip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = tip.current;
    if (element === null) return;
    const { width, height } = element.getBoundingClientRect();
    const fitsRight = x + AWAY_PX + width < globalThis.innerWidth - AWAY_PX;
    const fitsBelow = y + AWAY_PX + height < globalThis.innerHeight - AWAY_PX;
    element.style.setProperty('left', `${fitsRight ? x + AWAY_PX : Math.max(0, x - AWAY_PX - width)}px`);
    element.style.setProperty('top', `${fitsBelow ? y + AWAY_PX : Math.max(0, y - AWAY_PX - height)}px`);
  });
  return (
    <div ref={tip} className="time-tip" aria-hidden="true">
      <div className="mono">{title}</div>
      <dl>
        {lines.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="mono">{value}</dd>
          </div>
        ))}
      </dl>
      {children}
    </div>
  );
}
