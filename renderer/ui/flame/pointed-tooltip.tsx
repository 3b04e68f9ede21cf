import { useImperativeHandle, useState, type ReactElement, type ReactNode, type RefObject } from 'react';
import type { FrameDetail } from './frame-detail.ts';
import { FrameTooltip, type FrameTooltipProps, type TooltipFrame } from './frame-tooltip.tsx';

export type PointTooltip = (pointed: TooltipFrame | null) => void;

interface PointedTooltipProps extends Omit<FrameTooltipProps, keyof TooltipFrame | 'children'> {
  /** Takes what the pointer is on. */
  readonly handle: RefObject<PointTooltip | null>;
  readonly inside: ((detail: FrameDetail) => ReactNode) | undefined;
}

/** The tooltip of what the pointer is on: it follows the pointer without the graph around it. */
export function PointedTooltip({ handle, inside, ...look }: PointedTooltipProps): ReactElement | null {
  const [pointed, setPointed] = useState<TooltipFrame | null>(null);
  useImperativeHandle(handle, () => setPointed, []);
  if (pointed === null) return null;
  return (
    <FrameTooltip {...look} {...pointed}>
      {inside?.(pointed.detail)}
    </FrameTooltip>
  );
}
