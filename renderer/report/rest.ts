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

/** Returns a source that answers each slice in a separate task, so that several graphs are not drawn in one. */
export const oneByOne = (source: FlameSource): FlameSource => ({
  ...source,
  async requestSlice(request) {
    await rest();
    return source.requestSlice(request);
  },
});

/** Time of work between pauses, in ms. Pieces overrun it, and a task should stay below 50 ms. */
const SLICE_MS = 16;

/** Returns a function that pauses if {@link SLICE_MS} have passed since its last pause. */
export function createRests(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < SLICE_MS) return;
    await rest();
    began = performance.now();
  };
}
