import { writeSync } from 'node:fs';

/** Between two tries on a pipe that another process made non-blocking. */
const RETRY_MS = 5;

/** Returns once all of the chunk is written. */
export function writeAll(descriptor: number, chunk: Uint8Array): void {
  let written = 0;
  while (written < chunk.length) {
    try {
      written += writeSync(descriptor, chunk, written);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}
