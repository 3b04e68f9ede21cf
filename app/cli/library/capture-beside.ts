import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { STDIO } from '#app/engine/files/classify-word.ts';
import { DOCUMENT_FILE } from '#app/engine/library/captures/files.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';

/**
 * Returns the document of the capture in whose folder a file is, else null. The schemas, which take 40 ms to load, are
 * loaded only if there is a document.
 */
export async function captureBeside(path: string): Promise<CaptureDocument | null> {
  if (path === STDIO || !existsSync(join(dirname(path), DOCUMENT_FILE))) return null;
  return (await import('#app/engine/library/document-beside.ts')).documentBeside(path);
}
