/** In a task of its own, when what was changed is on screen. */
export function afterPaint(act: () => void): void {
  requestAnimationFrame(() => {
    setTimeout(act);
  });
}

/** A large drawing is rasterised and presented that many frames after it was made. */
const FRAMES_TO_PRESENT = 3;

/** As {@link afterPaint}, when what was changed has been presented: what follows would take the processors that rasterise it. */
export function afterPresented(act: () => void, frames = FRAMES_TO_PRESENT): void {
  if (frames > 1) requestAnimationFrame(() => afterPresented(act, frames - 1));
  else afterPaint(act);
}
