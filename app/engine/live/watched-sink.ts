import type { CaptureSink } from '#collectors/collector.ts';
import { createWholeSamples } from '#collectors/perf/whole-samples.ts';

/** A sink for a collector's output that keeps only the text that has not been read yet. */
export interface WatchedSink extends CaptureSink {
  /**
   * Returns the complete samples since the last call, and when the newest arrived by the monotonic clock; null if none.
   */
  take(): WatchedText | null;
}

export interface WatchedText {
  readonly chunks: readonly Uint8Array[];
  readonly arrivedAt: number;
}

/** Creates a sink for the file `fileName`; others are not kept. `onText` is called when there is text to take. */
export function createWatchedSink(fileName: string, monotonic: () => number, onText: () => void): WatchedSink {
  const samples = createWholeSamples();
  let waiting: Uint8Array[] = [];
  let arrivedAt = 0;
  return {
    append(name, bytes) {
      if (name !== fileName) return Promise.resolve();
      // The collector may reuse its buffer.
      const whole = samples.push(bytes.slice());
      if (whole.length > 0) {
        waiting.push(whole);
        arrivedAt = monotonic();
        onText();
      }
      return Promise.resolve();
    },
    async *read() {},
    replace: () => Promise.resolve(),
    take() {
      if (waiting.length === 0) return null;
      const chunks = waiting;
      waiting = [];
      return { chunks, arrivedAt };
    },
  };
}

/** Returns the chunks as the bytes of a source. */
export async function* chunksOf(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
