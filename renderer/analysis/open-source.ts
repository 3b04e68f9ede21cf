import type { ByteSource } from '#core/import/importer.ts';
import type { OpenSource } from './methods.ts';
import { RequestFailure } from './request-failure.ts';

/** Returns the bytes of a selected file or of a one-time URL of the engine. */
export function byteSource(source: OpenSource): ByteSource {
  if (source.kind === 'file') {
    const { file } = source;
    return {
      fileName: file.name,
      size: file.size,
      chunks: () => readFile(file),
    };
  }
  return {
    fileName: source.fileName,
    size: source.size,
    chunks: () => readUrl(source),
  };
}

async function* readFile(file: File): AsyncGenerator<Uint8Array> {
  try {
    yield* readBlob(file);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    throw new RequestFailure(
      'unreadable',
      `${file.name} can't be read (${error.message})`,
      'Check that it is a readable file, not a folder, and has not changed since you selected it.',
    );
  }
}

async function* readUrl(source: OpenSource & { kind: 'url' }): AsyncGenerator<Uint8Array> {
  const response = await fetch(source.url, { headers: source.headers }).catch(() => null);
  if (response === null) {
    throw new RequestFailure(
      'connection-lost',
      'the Flamebench engine does not answer',
      'Restart Flamebench and reload this page.',
    );
  }
  if (response.status !== 200 || response.body === null) throw await refusal(response, source.fileName);
  try {
    yield* readStream(response.body);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new RequestFailure(
      'connection-lost',
      `${source.fileName} stopped arriving from the engine`,
      'Open it again.',
    );
  }
}

async function* readBlob(blob: Blob): AsyncGenerator<Uint8Array> {
  const stream = blob.stream();
  const reader = byteReader(stream);
  if (reader === null) {
    yield* readStream(stream);
    return;
  }
  let read = 0;
  for await (const piece of readIntoSame(reader)) {
    read += piece.length;
    yield piece;
  }
  if (read < blob.size) yield* readStream(blob.slice(read).stream());
}

/** Returns a BYOB reader, or null if the browser's file streams are not byte streams. */
function byteReader(stream: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null {
  try {
    return stream.getReader({ mode: 'byob' });
  } catch {
    return null;
  }
}

/** All pieces are read into one buffer of this size, so that the parser finds its input in the processor's cache. */
const PIECE_BYTES = 2 ** 18;
/** Time to wait for a piece before giving up on the reader, in ms. */
const STUCK_MS = 3000;

/**
 * Reads all pieces into one buffer, because allocating a buffer per piece takes longer than reading. Ends early if a
 * piece does not arrive: a BYOB reader of Chromium 156 was once seen to hang 450 MB into a file that was not in the
 * page cache.
 */
async function* readIntoSame(reader: ReadableStreamBYOBReader): AsyncGenerator<Uint8Array> {
  let asked = Infinity;
  let timer;
  // One timer covers all pieces; a timer per piece would cost as much as the shared buffer saves.
  const stuck = new Promise<null>((resolve) => {
    timer = setInterval(() => {
      if (performance.now() - asked > STUCK_MS) resolve(null);
    }, STUCK_MS / 4);
  });
  try {
    let memory = new ArrayBuffer(PIECE_BYTES);
    for (;;) {
      asked = performance.now();
      const answer = await Promise.race([reader.read(new Uint8Array(memory), { min: PIECE_BYTES }), stuck]);
      asked = Infinity;
      if (answer === null || answer.value === undefined) return;
      memory = answer.value.buffer;
      if (answer.value.length > 0) yield answer.value;
      if (answer.done) return;
    }
  } finally {
    clearInterval(timer);
    // A stuck reader may never settle its cancellation, so it is not awaited.
    void reader.cancel().catch(() => null);
  }
}

/** Reads a stream piece by piece. The oldest supported browser does not support `for await` on streams. */
async function* readStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await pieces.read();
      if (done) return;
      yield value;
    }
  } finally {
    await pieces.cancel().catch(() => null);
  }
}

async function refusal(response: Response, fileName: string): Promise<RequestFailure> {
  const text = await response.text().catch(() => '');
  try {
    const { error } = JSON.parse(text) as { error: { code: string; message: string; remedy: string | null } };
    return new RequestFailure(error.code, error.message, error.remedy);
  } catch {
    return new RequestFailure(
      'unreadable',
      `the engine refused ${fileName} (HTTP ${response.status})`,
      'Open it again.',
    );
  }
}
