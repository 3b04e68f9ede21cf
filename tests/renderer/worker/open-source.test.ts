import { expect, test } from 'vitest';
import { byteSource } from '../../../renderer/worker/open-source.ts';

const BYTES = Uint8Array.from({ length: 700_001 }, (_, at) => (at * 7) % 251);
const file = new File([BYTES], 'capture.bin');

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const bytes: number[] = [];
  // Copied as they come: the memory of a chunk is that of the next one.
  for await (const chunk of chunks) for (const byte of chunk) bytes.push(byte);
  return Uint8Array.from(bytes);
}

/** As old browsers have it: a stream of chunks, not of bytes. */
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

test('a file is read whole, however the browser cuts it', async () => {
  expect(await readAll(byteSource({ kind: 'file', file }).chunks())).toEqual(BYTES);
  expect(await readAll(byteSource({ kind: 'file', file: fileInChunks() }).chunks())).toEqual(BYTES);
});

test('a stretch of a file, and an empty one', async () => {
  const { range } = byteSource({ kind: 'file', file });
  expect(await readAll(range!(1000, 500_000))).toEqual(BYTES.subarray(1000, 500_000));
  expect(await readAll(byteSource({ kind: 'file', file: new File([], 'empty') }).chunks())).toEqual(new Uint8Array(0));
});

test('reading ends where its reader does', async () => {
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
    expect(chunk.length).toBe(300_000);
    break;
  }
  expect(cancelled).toBe(true);
});
