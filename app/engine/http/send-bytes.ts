import type { FileHandle } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { STALLED_READER_MS } from './request-checks.ts';

/** Sends bytes that are in memory. */
export async function sendChunks(response: ServerResponse, chunks: readonly Uint8Array[]): Promise<void> {
  response.setTimeout(STALLED_READER_MS, () => response.destroy());
  response.setHeader('content-type', 'application/octet-stream');
  response.setHeader(
    'content-length',
    chunks.reduce((sum, { length }) => sum + length, 0),
  );
  await pipeline(Readable.from(chunks), response).catch(() => response.destroy());
}

/** Streams the first `size` bytes of a file that may grow in the meantime, and closes it. */
export async function sendBytes(
  response: ServerResponse,
  file: FileHandle,
  size: number,
  contentType: string,
): Promise<void> {
  response.setTimeout(STALLED_READER_MS, () => response.destroy());
  response.setHeader('content-type', contentType);
  response.setHeader('content-length', size);
  if (size === 0) {
    await file.close();
    response.end();
    return;
  }
  const bytes = file.createReadStream({ end: size - 1, highWaterMark: 1 << 18 });
  // If the client disconnects or the file was truncated, the connection ends before the stated length, by which the
  // client notices.
  await pipeline(bytes, response).catch(() => response.destroy());
  // A stream for a client that has left meanwhile never opens, so it does not close the file.
  await file.close().catch(() => undefined);
}
