/** Returns the point `gapPx` below the left end of a control. In CSS pixels of the window. */
export function below(anchor: HTMLElement, gapPx = 0): { x: number; y: number } {
  const { left, bottom } = anchor.getBoundingClientRect();
  return { x: left, y: bottom + gapPx };
}
