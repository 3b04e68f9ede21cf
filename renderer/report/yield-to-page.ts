import type { FlameSource } from '#core/analyze/graph/flame-slice.ts';

/** Nested timers wait at least 4 ms; messages do not. */
const { port1, port2 } = new MessageChannel();
const waiting: (() => void)[] = [];
port1.addEventListener('message', () => waiting.shift()?.());
port1.start();

/** Lets the page paint and handle input. */
export function yieldToPage(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    port2.postMessage(null);
  });
}

/** Part of a graph's frames that is drawn: all of them, on the page's thread, would take longer than a task should. */
const DRAWN = 0.6;

/** A graph's first drawing creates the chart, and in a new page compiles its code, which takes as long as its frames. */
const FIRST_FRAMES = 12;

/**
 * Returns a source that computes and delivers each slice in separate tasks, so that no two graphs are drawn in one. A
 * graph is first drawn with a few frames.
 */
export function inSeparateTasks(source: FlameSource): FlameSource {
  let isFirst = true;
  return {
    ...source,
    async requestSlice(request) {
      const isFirstPart = isFirst;
      isFirst = false;
      await yieldToPage();
      const most = isFirstPart ? FIRST_FRAMES : Math.ceil(request.maxFrames * DRAWN);
      const slice = await source.requestSlice({ ...request, maxFrames: Math.min(most, request.maxFrames) });
      await yieldToPage();
      return isFirstPart ? { ...slice, isFirstPart } : slice;
    },
  };
}

/** Time of work between pauses, in ms. Pieces overrun it, and a task should stay below 50 ms. */
const SLICE_MS = 8;

/** Returns a function that pauses if {@link SLICE_MS} have passed since its last pause. */
export function createYielder(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < SLICE_MS) return;
    await yieldToPage();
    began = performance.now();
  };
}
