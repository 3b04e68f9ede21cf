import type { FlameSource } from '#core/analyze/graph/flame-slice.ts';

/** Nested timers wait at least 4 ms; messages do not. */
const { port1, port2 } = new MessageChannel();
const resting: (() => void)[] = [];
port1.addEventListener('message', () => resting.shift()?.());
port1.start();

/** Lets the page paint and handle input. */
export function rest(): Promise<void> {
  return new Promise((resolve) => {
    resting.push(resolve);
    port2.postMessage(null);
  });
}

/** Part of a graph's frames that is drawn: all of them, on the page's thread, would take longer than a task should. */
const DRAWN = 0.6;

/** Returns a source that computes and delivers each slice in separate tasks, so that no two graphs are drawn in one. */
export const oneByOne = (source: FlameSource): FlameSource => ({
  ...source,
  async requestSlice(request) {
    await rest();
    const slice = await source.requestSlice({ ...request, maxFrames: Math.ceil(request.maxFrames * DRAWN) });
    await rest();
    return slice;
  },
});

/** Time of work between pauses, in ms. Pieces overrun it, and a task should stay below 50 ms. */
const SLICE_MS = 8;

/** Returns a function that pauses if {@link SLICE_MS} have passed since its last pause. */
export function createRests(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < SLICE_MS) return;
    await rest();
    began = performance.now();
  };
}
