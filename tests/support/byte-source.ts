import type { ByteSource } from '#core/import/importer.ts';

/** A source that hands out `bytes` in chunks of `chunkBytes`. */
export function byteSource(bytes: Uint8Array | string, fileName = 'input', chunkBytes = Infinity): ByteSource {
  const all = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
  return {
    fileName,
    size: all.length,
    async *chunks() {
      for (let at = 0; at < all.length; at += chunkBytes) yield all.slice(at, Math.min(all.length, at + chunkBytes));
    },
  };
}
