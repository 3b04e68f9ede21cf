import { useLayoutEffect, useRef, type JSX } from 'react';
import type { ViewPoint, WeightFormat } from './flame-graph.types.ts';
import type { FrameDetail } from './frame-detail.ts';
import { detailLines, isShortened, moduleOf, placeOf, titleOf, wholeName } from './frame-text.ts';

/** Pixels from the pointer, and at least from the window's edge. */
const OFFSET_PX = 14;
const MARGIN_PX = 8;

interface FrameTooltipProps {
  readonly detail: FrameDetail;
  readonly point: ViewPoint;
  readonly totalWeight: number;
  readonly format: WeightFormat;
  /** The whole name, however long. */
  readonly whole: boolean;
}

/** Names are text nodes; the pointer goes through. */
export function FrameTooltip({ detail, point, totalWeight, format, whole }: FrameTooltipProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current!;
    const { left, top } = placeBeside(point, element.offsetWidth, element.offsetHeight);
    element.style.transform = `translate(${left}px, ${top}px)`;
  });
  const shortened = isShortened(detail.facts);
  const module = moduleOf(detail.facts);
  const place = placeOf(detail.facts);
  return (
    <div ref={box} className={whole && shortened ? 'flame-tooltip whole' : 'flame-tooltip'} aria-hidden="true">
      <b>{whole && shortened ? wholeName(detail.facts) : titleOf(detail, format)}</b>
      {shortened && !whole ? <p className="hint">Shift shows the whole name</p> : null}
      {module === '' ? null : <p>{module}</p>}
      {place === '' ? null : <p>{place}</p>}
      <dl>
        {detailLines(detail, totalWeight, format).map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {detail.frame === null ? <p className="hint">too narrow to draw at this zoom: a click spreads them out</p> : null}
    </div>
  );
}

function placeBeside(point: ViewPoint, width: number, height: number): { left: number; top: number } {
  const right = point.x + OFFSET_PX;
  const below = point.y + OFFSET_PX;
  const left = right + width + MARGIN_PX <= window.innerWidth ? right : point.x - OFFSET_PX - width;
  const top = below + height + MARGIN_PX <= window.innerHeight ? below : point.y - OFFSET_PX - height;
  return { left: Math.max(MARGIN_PX, left), top: Math.max(MARGIN_PX, top) };
}
