import { expect, test, vi } from 'vitest';
import { byteSource } from '../../../renderer/analysis/open-source.ts';

const BYTES = Uint8Array.from({ length: 700_001 }, (_, at) => (at * 7) % 251);
const file = new File([BYTES], 'capture.bin');

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const bytes: number[] = [];
  // Copied as they arrive, because chunks share their buffer.
  for await (const chunk of chunks) for (const byte of chunk) bytes.push(byte);
  return Uint8Array.from(bytes);
}

/** Returns a file as old browsers provide it: a stream of chunks instead of a byte stream. */
function fileInChunks(): File {
  const chunks = [BYTES.slice(0, 300_000), BYTES.slice(300_000)];
  const stream = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      pull(controller) {
        const chunk = chunks.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
    });
  return { name: 'capture.bin', size: BYTES.length, stream } as unknown as File;
}

test('reads a file completely, however the browser splits it', async () => {
  expect(await readAll(byteSource({ kind: 'file', file }).chunks())).toEqual(BYTES);
  expect(await readAll(byteSource({ kind: 'file', file: fileInChunks() }).chunks())).toEqual(BYTES);
});

test('reads an empty file', async () => {
  expect(await readAll(byteSource({ kind: 'file', file: new File([], 'empty') }).chunks())).toEqual(new Uint8Array(0));
});

test('rereads from where the browser stalls', async () => {
  vi.useFakeTimers();
  const begins = [BYTES.slice(0, 262_144), BYTES.slice(262_144, 300_000)];
  const stream = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      type: 'bytes',
      pull(controller) {
        const bytes = begins.shift();
        if (bytes === undefined) return new Promise(() => undefined);
        controller.enqueue(bytes);
        return undefined;
      },
    });
  const stuck = { name: 'stuck', size: BYTES.length, stream, slice: (from: number) => file.slice(from) };
  const reading = readAll(byteSource({ kind: 'file', file: stuck as unknown as File }).chunks());
  await vi.advanceTimersByTimeAsync(10_000);
  vi.useRealTimers();
  expect(await reading).toEqual(BYTES);
});

test('stops reading when its reader does', async () => {
  let cancelled = false;
  const stream = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      type: 'bytes',
      pull: (controller) => {
        controller.enqueue(BYTES.slice(0, 300_000));
      },
      cancel: () => {
        cancelled = true;
      },
    });
  const endless = { name: 'endless', size: 2 ** 40, stream } as unknown as File;
  for await (const chunk of byteSource({ kind: 'file', file: endless }).chunks()) {
    expect(chunk.length).toBeGreaterThan(0);
    break;
  }
  expect(cancelled).toBe(true);
});
