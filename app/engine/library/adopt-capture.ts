import { createHash, randomBytes } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { readFileRange } from '../files/file-source.ts';
import { cleanName, DOCUMENT_FILE, newCaptureId } from './capture-files.ts';
import { documentText, sizeOf } from './capture-store.ts';
import type { Library } from './library.ts';
import { syncFolder, writeAtomically } from './write-atomically.ts';

/** A capture of another library, unpacked in the temp folder: all its files but `capture.json`. */
export interface StagedCapture {
  readonly folder: string;
  /** As it came: untrusted. */
  readonly document: CaptureDocument;
  /** SHA-256 by file name. */
  readonly digests: Map<string, string>;
}

/** Whether a capture of the library has the same files, byte for byte. */
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
 * Moves an unpacked capture into the library, under the id it had where that is free. What it says of itself is kept but for what would
 * make the library act on it: nothing is being recorded, and nothing is bundled with Flamebench.
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
    sizeBytes: await sizeOf(folder, [...staged.digests.keys()]),
  };
  const move = async (id: string): Promise<CaptureDocument> => {
    await writeAtomically(join(folder, DOCUMENT_FILE), documentText({ ...adopted, id }));
    await library.forgetRecorded(id);
    await rename(folder, join(root, id));
    await syncFolder(root);
    return { ...adopted, id };
  };
  const otherId = (): string => newCaptureId(Date.now(), randomBytes(4).toString('hex'));
  // Folders of a sample's name are not looked at.
  if (wantedId.startsWith('sample-')) return move(otherId());
  // Something is in its place: a capture, or anything else.
  return move(wantedId).catch(() => move(otherId()));
}
