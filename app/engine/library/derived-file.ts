import type { CaptureDocument } from '#core/contract/schemas.ts';
import { editDocument, sizeOf, touchLibrary, type CaptureStore } from './capture-store.ts';
import { openRawFiles } from './raw-files.ts';

/**
 * Puts a file that was made of a capture's own into its folder, in the place of one that has the name, and has it opened from now on. The
 * others stay as they are. `change` says what else the document tells then. Where `chunks` fail, nothing has changed.
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
  const sizeBytes = await sizeOf(folder, [changed.primaryFile, ...changed.otherFiles]);
  const sized = await editDocument(store, folder, (document) => ({ ...document, sizeBytes }));
  await touchLibrary(store);
  return sized;
}
