import type { CaptureDocument } from '#core/contract/schemas.ts';
import { editDocument, totalFileBytes, touchLibrary, type CaptureStore } from './captures/store.ts';
import { openRawFiles } from './raw-files.ts';

/**
 * Adds a file derived from a capture's own files to its folder, replacing one of the same name, and makes it the
 * primary file. The other files are unchanged. `change` updates the rest of the document. If `chunks` fail, nothing is
 * changed.
 */
export async function keepDerivedFile(
  store: CaptureStore,
  folder: string,
  fileName: string,
  chunks: AsyncIterable<Uint8Array>,
  change: (document: CaptureDocument) => CaptureDocument = (document) => document,
): Promise<CaptureDocument> {
  const files = openRawFiles(folder);
  try {
    await files.replace(fileName, chunks);
  } finally {
    await files.close(true);
  }
  const changed = await editDocument(store, folder, (document) => ({
    ...change(document),
    primaryFile: fileName,
    otherFiles: [...new Set([document.primaryFile, ...document.otherFiles])].filter((name) => name !== fileName),
  }));
  const sizeBytes = await totalFileBytes(folder, [changed.primaryFile, ...changed.otherFiles]);
  const sized = await editDocument(store, folder, (document) => ({ ...document, sizeBytes }));
  await touchLibrary(store);
  return sized;
}
