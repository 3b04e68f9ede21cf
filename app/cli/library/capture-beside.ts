import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DOCUMENT_FILE } from '#app/engine/library/capture-files.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';

/** What is known of a file that lies in a capture's folder, else null. Its schemas load only where a document is there: they take 40 ms. */
export async function captureBeside(path: string): Promise<CaptureDocument | null> {
  if (path === '-' || !existsSync(join(dirname(path), DOCUMENT_FILE))) return null;
  return (await import('#app/engine/library/document-beside.ts')).documentBeside(path);
}
