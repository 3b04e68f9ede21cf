import type { CaptureSink } from '#collectors/collector.ts';
import { joinBytes } from '#core/model/join-bytes.ts';

/** The files of a capture, in memory. */
export class MemorySink implements CaptureSink {
  readonly files = new Map<string, Uint8Array>();
  /** Fails like a full disk once this many bytes have been appended to all files together. */
  readonly #capacity: number;
  #size = 0;

  constructor(capacity = Number.POSITIVE_INFINITY) {
    this.#capacity = capacity;
  }

  append(fileName: string, bytes: Uint8Array): Promise<void> {
    if (this.#size >= this.#capacity) {
      return Promise.reject(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }));
    }
    this.#size += bytes.length;
    this.files.set(fileName, joinBytes([this.files.get(fileName) ?? new Uint8Array(), bytes]));
    return Promise.resolve();
  }

  async *read(fileName: string): AsyncGenerator<Uint8Array> {
    const bytes = this.files.get(fileName) ?? new Uint8Array();
    // The pieces end within events and lines.
    for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
  }

  async replace(fileName: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) parts.push(Uint8Array.from(chunk));
    this.files.set(fileName, joinBytes(parts));
  }

  text(fileName: string): string {
    return new TextDecoder().decode(this.files.get(fileName));
  }
}
