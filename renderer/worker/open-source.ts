import type { ByteSource } from '#core/import/importer.ts';
import type { OpenSource } from './protocol.ts';
import { RequestFailure } from './request-failure.ts';

/** The bytes behind a picked file or a one-time handle of the engine. */
export function byteSource(source: OpenSource): ByteSource {
  if (source.kind === 'file') {
    const { file } = source;
    return {
      fileName: file.name,
      size: file.size,
      chunks: () => readFile(file, file),
      range: (start, end) => readFile(file, file.slice(start, end)),
    };
  }
  return {
    fileName: source.fileName,
    size: source.size,
    chunks: () => readUrl(source, {}),
    range: (start, end) => readUrl(source, { range: `bytes=${start}-${end - 1}` }),
  };
}

async function* readFile(file: File, part: Blob): AsyncGenerator<Uint8Array> {
  try {
    yield* readStream(part.stream());
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    throw new RequestFailure(
      'unreadable',
      `${file.name} can't be read (${error.message})`,
      'Check that it is a file, not a folder, that you may read it, and that it has not changed since it was chosen.',
    );
  }
}

async function* readUrl(
  source: OpenSource & { kind: 'url' },
  stretch: Readonly<Record<string, string>>,
): AsyncGenerator<Uint8Array> {
  const response = await fetch(source.url, { headers: { ...source.headers, ...stretch } }).catch(() => null);
  if (response === null) {
    throw new RequestFailure(
      'connection-lost',
      'the Flamebench engine does not answer',
      'Start Flamebench again and reload this page.',
    );
  }
  const status = stretch['range'] === undefined ? 200 : 206;
  if (response.status !== status || response.body === null) throw await refusal(response, source.fileName);
  try {
    yield* readStream(response.body);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new RequestFailure('connection-lost', `${source.fileName} stopped coming from the engine`, 'Open it again.');
  }
}

/**
 * Not into memory of ours, which would take a fifth less time: in Chromium 156, a reader that is given memory waits for ever where a file of
 * 450 MB and more is not in the system's cache. `for await` over a stream is younger than the oldest browser that the renderer runs in.
 */
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
