import { Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Gunzip } from '#core/import/importer.ts';
import { damagedGzip } from '#core/import/unpack/gzip.ts';
import { errorCode } from '../failure.ts';

const OUTPUT_BYTES = 1 << 18;

/** Unpacks by the runtime's zlib, which checks every member's checksum and length. */
export const gunzip: Gunzip = async function* gunzip(packed, meter) {
  const unpacking = createGunzip({ chunkSize: OUTPUT_BYTES });
  let [read, written] = [0, 0];
  async function* copies(): AsyncGenerator<Uint8Array> {
    for await (const chunk of packed) {
      read += chunk.length;
      // The source reuses a chunk once the next one is requested.
      yield chunk.slice();
    }
  }
  const source = Readable.from(copies());
  pipeline(source, unpacking, () => undefined);
  try {
    for await (const bytes of unpacking as AsyncIterable<Uint8Array>) {
      written += bytes.length;
      meter.sourceBytes = unpacking.bytesWritten;
      meter.check(written);
      // As a Buffer, importers read it more slowly.
      yield new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    }
  } catch (error) {
    const code = errorCode(error);
    if (code?.startsWith('Z_') !== true) throw error;
    const reason = error instanceof Error ? error.message : code;
    throw damagedGzip(code === 'Z_BUF_ERROR' ? 'is truncated' : `is damaged (${reason})`, read, written);
  } finally {
    source.destroy();
  }
  // zlib ends at what follows the last member.
  meter.sourceBytes = unpacking.bytesWritten;
  if (unpacking.bytesWritten < read) throw damagedGzip('is damaged (data after its end)', read, written);
};
