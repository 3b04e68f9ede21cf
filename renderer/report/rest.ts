import type { FlameSource } from '#core/analyze/graph/flame-slice.ts';

/** Timers within timers wait for 4 ms at least, messages do not. */
const { port1, port2 } = new MessageChannel();
const resting: (() => void)[] = [];
port1.addEventListener('message', () => resting.shift()?.());
port1.start();

/** Lets the page paint and answer. */
export function rest(): Promise<void> {
  return new Promise((resolve) => {
    resting.push(resolve);
    port2.postMessage(null);
  });
}

/** A source that answers each slice in a task of its own, so that several graphs are not drawn in one. */
export const oneByOne = (source: FlameSource): FlameSource => ({
  ...source,
  async requestSlice(request) {
    await rest();
    return source.requestSlice(request);
  },
});

/** Work without a rest, milliseconds: pieces beyond it take some more, and a task should stay below 50. */
const SLICE_MS = 16;

/** Returns a function that rests if work has gone on for {@link SLICE_MS} since its last rest. */
export function createRests(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < SLICE_MS) return;
    await rest();
    began = performance.now();
  };
}
