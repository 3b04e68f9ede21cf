/**
 * Returns where a menu opens: at the pointer, or below the control if it was opened by keyboard. In CSS pixels of the
 * window.
 */
export function menuPoint(anchor: HTMLElement, event: { clientX: number; clientY: number }): { x: number; y: number } {
  const box = anchor.getBoundingClientRect();
  const byKeyboard = event.clientX === 0 && event.clientY === 0;
  return byKeyboard ? { x: box.left + 8, y: box.bottom } : { x: event.clientX, y: event.clientY };
}

/** Returns the point `gapPx` below the left end of a control. In CSS pixels of the window. */
export function below(anchor: HTMLElement, gapPx = 0): { x: number; y: number } {
  const { left, bottom } = anchor.getBoundingClientRect();
  return { x: left, y: bottom + gapPx };
}
