import { errorCode } from '#app/engine/failure.ts';
import { write as writeLater, writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Time in ms between attempts to write to a pipe that another process made non-blocking. */
const RETRY_MS = 5;

/** Writes a chunk completely before it returns. */
export function writeAll(descriptor: number, chunk: Uint8Array): void {
  let written = 0;
  while (written < chunk.length) {
    try {
      written += writeSync(descriptor, chunk, written);
    } catch (error) {
      if (errorCode(error) !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}

const write = promisify(writeLater);

/** Resolves once all of the chunk is written, however slowly it is read. */
export async function writeAllLater(descriptor: number, chunk: Uint8Array): Promise<void> {
  for (let written = 0; written < chunk.length;) {
    try {
      written += (await write(descriptor, chunk, written)).bytesWritten;
    } catch (error) {
      if (errorCode(error) !== 'EAGAIN') throw error;
      await setTimeout(RETRY_MS);
    }
  }
}
