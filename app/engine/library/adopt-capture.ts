import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { moveFolder, syncFolder, writeAtomically } from '#collectors/effects/write.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { readFileRange } from '../files/file-source.ts';
import { cleanName, DOCUMENT_FILE, newCaptureId } from './captures/files.ts';
import { documentText, totalFileBytes } from './captures/store.ts';
import type { Library } from './library.ts';

/** A capture of another library, unpacked in the temp folder with all its files except `capture.json`. */
export interface StagedCapture {
  readonly folder: string;
  /** The untrusted document, unchanged. */
  readonly document: CaptureDocument;
  /** SHA-256 by file name. */
  readonly digests: Map<string, string>;
}

/** Returns whether a capture of the library has the same files, byte for byte. */
export async function sameFiles(library: Library, there: CaptureDocument, staged: StagedCapture): Promise<boolean> {
  const names = [there.primaryFile, ...there.otherFiles];
  if (there.primaryFile !== staged.document.primaryFile || names.length !== staged.digests.size) return false;
  for (const name of names) {
    if (!staged.digests.has(name)) return false;
    const hash = createHash('sha256');
    try {
      const { path, size } = await library.rawFile(there.id, name);
      for await (const chunk of readFileRange(path, 0, size)) hash.update(chunk);
    } catch {
      return false;
    }
    if (hash.digest('hex') !== staged.digests.get(name)) return false;
  }
  return true;
}

/**
 * Moves an unpacked capture into the library, under its former ID if that is free. Its document is kept except for
 * fields that the library would act on: it is neither being recorded nor bundled with Flamebench.
 */
export async function adoptCapture(
  library: Library,
  wantedId: string,
  staged: StagedCapture,
): Promise<CaptureDocument> {
  const root = library.path;
  const { document, folder } = staged;
  const isWhole = document.state === 'finished' || document.state === 'failed' || document.state === 'cancelled';
  const adopted: CaptureDocument = {
    ...document,
    name: cleanName(document.name),
    tags: document.tags.map(cleanName),
    origin: 'imported',
    state: isWhole ? document.state : 'finished',
    incomplete: document.incomplete || !isWhole,
    sizeBytes: await totalFileBytes(folder, [...staged.digests.keys()]),
  };
  const move = async (id: string): Promise<CaptureDocument> => {
    await writeAtomically(join(folder, DOCUMENT_FILE), documentText({ ...adopted, id }));
    await moveFolder(folder, join(root, id));
    // Not before the place is known to be free, since the records could be those of another capture. Until then, and if
    // they can't be deleted, the origin in the document withdraws the permission.
    await library.forgetRecorded(id).catch(() => undefined);
    await syncFolder(root);
    return { ...adopted, id };
  };
  const otherId = (): string => newCaptureId(Date.now(), randomBytes(4).toString('hex'));
  // Folders with the name of a sample are ignored.
  if (wantedId.startsWith('sample-')) return move(otherId());
  // Another capture or file may have this name.
  return move(wantedId).catch(() => move(otherId()));
}
