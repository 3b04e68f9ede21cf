import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactElement } from 'react';

interface SplitterProps {
  /** Names what the splitter resizes, for screen readers. */
  readonly label: string;
  /** A horizontal splitter is a line across, dragged up and down. */
  readonly orientation: 'horizontal' | 'vertical';
  readonly value: number;
  readonly min: number;
  readonly max: number;
  /** Returns the change of the value per pixel to the right or down. */
  readonly perPixel: () => number;
  readonly onChange: (value: number) => void;
}

/** Distance that an arrow key moves, in CSS pixels. */
const KEY_STEP_PX = 16;

/** The border between two panes, moved by dragging or with the arrow keys. */
export function Splitter({ label, orientation, value, min, max, perPixel, onChange }: SplitterProps): ReactElement {
  const start = useRef({ at: 0, value: 0 });
  const [dragging, setDragging] = useState(false);
  const position = (event: PointerEvent): number => (orientation === 'horizontal' ? event.clientY : event.clientX);
  const change = (next: number): void => onChange(Math.max(min, Math.min(max, next)));

  const onKeyDown = (event: KeyboardEvent): void => {
    const back = orientation === 'horizontal' ? 'ArrowUp' : 'ArrowLeft';
    const forward = orientation === 'horizontal' ? 'ArrowDown' : 'ArrowRight';
    if (event.key !== back && event.key !== forward) return;
    event.preventDefault();
    change(value + (event.key === back ? -KEY_STEP_PX : KEY_STEP_PX) * perPixel());
  };

  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={orientation}
      aria-valuenow={Math.round(((value - min) / (max - min)) * 100)}
      aria-valuemin={0}
      aria-valuemax={100}
      className={`splitter ${orientation}${dragging ? ' dragging' : ''}`}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { at: position(event), value };
        setDragging(true);
      }}
      onPointerMove={(event) => {
        if (dragging) change(start.current.value + (position(event) - start.current.at) * perPixel());
      }}
      onPointerUp={() => setDragging(false)}
      onPointerCancel={() => setDragging(false)}
    />
  );
}
