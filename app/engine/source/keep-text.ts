import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import type { Library } from '../library/library.ts';

/** Keeps a text that was made of a capture's own files beside them, compressed; see `Library.keepDerived`. */
export async function keepText(
  library: Library,
  id: string,
  fileName: string,
  text: AsyncIterable<Uint8Array>,
  change?: (document: CaptureDocument) => CaptureDocument,
): Promise<CaptureDocument> {
  const zipped = createGzip({ level: 1 });
  // What fails there fails where it is read, too.
  pipeline(text, zipped).catch(() => undefined);
  return library.keepDerived(id, fileName, zipped as AsyncIterable<Uint8Array>, change);
}
