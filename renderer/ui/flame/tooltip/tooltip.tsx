import { useEffect, useLayoutEffect, useRef, useState, type JSX, type ReactNode } from 'react';
import type { CallNodeIndex } from '#core/model/brand.ts';
import type { FlameSource } from '#core/analyze/graph/flame-slice.ts';
import { DetailLines } from './detail-lines.tsx';
import type { DetailLine, ViewPoint, WeightFormat } from '../graph.types.ts';
import type { FrameDetail } from './frame-detail.ts';
import { detailLines, fullName, isShortened, moduleOf, fileAndLine, titleOf, wholeName } from './frame-text.ts';
import { takeAnswerAfter } from '../../take-answer.ts';

/** Distance from the pointer, and minimum distance from the window's edge, in pixels. */
const OFFSET_PX = 14;
const MARGIN_PX = 8;
/** Time in ms for which the pointer must stay on a frame before details are requested. */
const STAY_MS = 60;

type Describe = (node: CallNodeIndex) => Promise<readonly DetailLine[]>;

/** A frame and the pointer's position on it. */
export interface TooltipFrame {
  readonly detail: FrameDetail;
  readonly point: ViewPoint;
  /** True shows the whole name, however long. */
  readonly whole: boolean;
  /** The tree to which the frame belongs. */
  readonly source: FlameSource;
  /** Describes a node of it. */
  readonly describe: Describe | null;
}

export interface FrameTooltipProps extends TooltipFrame {
  readonly format: WeightFormat;
  /** Replaces the weights and the lines from `describe`. */
  readonly children?: ReactNode;
}

/** The tooltip of a frame. Names are text nodes; the tooltip ignores the pointer. */
export function FrameTooltip(props: FrameTooltipProps): JSX.Element {
  const { detail, point, source, format, describe, whole, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const more = useMore(detail.frame?.node ?? null, describe);
  useLayoutEffect(() => {
    const element = box.current!;
    const { left, top } = placeBeside(point, element.offsetWidth, element.offsetHeight);
    element.style.transform = `translate(${left}px, ${top}px)`;
  });
  const shortened = isShortened(detail.facts);
  const module = moduleOf(detail.facts ?? detail.pointed);
  const place = fileAndLine(detail.facts);
  const lines = [...detailLines(detail, source.totalWeight, format, source.direction), ...more];
  return (
    <div ref={box} className={whole && shortened ? 'flame-tooltip whole' : 'flame-tooltip'} aria-hidden="true">
      <b>{whole && shortened ? wholeName(detail.facts) : titleOf(detail, format)}</b>
      {shortened && !whole ? <p className="hint">Shift shows the whole name</p> : null}
      {detail.pointed === null || detail.fillerNodes === 0 ? null : <p>here: {fullName(detail.pointed)}</p>}
      {module === '' ? null : <p>{module}</p>}
      {place === '' ? null : <p>{place}</p>}
      {detail.frame !== null && detail.facts !== null ? <p className="hint">in this call path</p> : null}
      {children ?? <DetailLines lines={lines} />}
      {detail.frame === null ? <p className="hint">too narrow to draw at this zoom; click to spread them out</p> : null}
    </div>
  );
}

/** Reserves room for the line that arrives later, so that the tooltip does not grow under the pointer. */
const PENDING: readonly DetailLine[] = [{ label: 'samples', text: '…' }];

function useMore(node: CallNodeIndex | null, describe: Describe | null): readonly DetailLine[] {
  const [found, setFound] = useState<{ node: CallNodeIndex; lines: readonly DetailLine[] } | null>(null);
  useEffect(() => {
    if (node === null || describe === null) return undefined;
    return takeAnswerAfter(
      STAY_MS,
      () => describe(node),
      (lines) => setFound({ node, lines }),
      // The lines from the drawing stay; the graph's own requests report the error.
      () => undefined,
    );
  }, [node, describe]);
  if (node === null || describe === null) return [];
  return found?.node === node ? found.lines : PENDING;
}

function placeBeside(point: ViewPoint, width: number, height: number): { left: number; top: number } {
  const right = point.x + OFFSET_PX;
  const below = point.y + OFFSET_PX;
  const left = right + width + MARGIN_PX <= window.innerWidth ? right : point.x - OFFSET_PX - width;
  const top = below + height + MARGIN_PX <= window.innerHeight ? below : point.y - OFFSET_PX - height;
  return { left: Math.max(MARGIN_PX, left), top: Math.max(MARGIN_PX, top) };
}
