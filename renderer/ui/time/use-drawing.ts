import { useEffectEvent, useLayoutEffect, useRef, type RefObject } from 'react';

/** Width and height are in CSS pixels. */
type Draw = (context: CanvasRenderingContext2D, width: number, height: number) => void;

/**
 * Returns a canvas in device pixels that is drawn after each render and each change of size; memoise the component
 * around it.
 */
export function useDrawing(draw: Draw): RefObject<HTMLCanvasElement | null> {
  const canvas = useRef<HTMLCanvasElement>(null);
  const repaint = useEffectEvent(() => paint(canvas.current, draw));
  useLayoutEffect(() => repaint());
  useLayoutEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => repaint());
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return canvas;
}

function paint(canvas: HTMLCanvasElement | null, draw: Draw): void {
  const context = canvas?.getContext('2d') ?? null;
  if (canvas === null || context === null) return;
  const { clientWidth, clientHeight } = canvas;
  const scale = globalThis.devicePixelRatio;
  // Setting the size also clears the canvas.
  canvas.width = Math.round(clientWidth * scale);
  canvas.height = Math.round(clientHeight * scale);
  context.scale(scale, scale);
  draw(context, clientWidth, clientHeight);
}
