import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { Library } from '../library/library.ts';

/** Stores a compressed text derived from a capture's own files next to them; see `Library.keepDerived`. */
export async function keepText(
  library: Library,
  id: string,
  fileName: string,
  text: AsyncIterable<Uint8Array>,
  change?: (document: CaptureDocument) => CaptureDocument,
): Promise<CaptureDocument> {
  const zipped = createGzip({ level: 1 });
  // An error in the pipeline is also reported where its output is read.
  pipeline(text, zipped).catch(() => undefined);
  return library.keepDerived(id, fileName, zipped as AsyncIterable<Uint8Array>, change);
}
