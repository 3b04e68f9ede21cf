/** In a task of its own, when what was changed is on screen. */
export function afterPaint(act: () => void): void {
  requestAnimationFrame(() => {
    setTimeout(act);
  });
}
