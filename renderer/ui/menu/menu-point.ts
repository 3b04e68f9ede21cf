/** Where a menu opens: at the pointer, or below the control where the keyboard asked. CSS pixels in the window. */
export function menuPoint(anchor: HTMLElement, event: { clientX: number; clientY: number }): { x: number; y: number } {
  const box = anchor.getBoundingClientRect();
  const byKeyboard = event.clientX === 0 && event.clientY === 0;
  return byKeyboard ? { x: box.left + 8, y: box.bottom } : { x: event.clientX, y: event.clientY };
}
