import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { parseDocument } from './captures/document.ts';
import { DOCUMENT_FILE } from './captures/files.ts';
import { DamagedDocument } from './versioned-document.ts';

/** Maximum size of a document in bytes; larger files with this name are not read. */
const MAX_BYTES = 2 ** 20;

/** Returns the document of the capture in whose folder a file is; null if there is none or it is unreadable. */
export function documentBeside(path: string): CaptureDocument | null {
  try {
    const file = join(dirname(path), DOCUMENT_FILE);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined || !found.isFile() || found.size > MAX_BYTES) return null;
    const document = parseDocument(readFileSync(file, 'utf8'));
    return [document.primaryFile, ...document.otherFiles].includes(basename(path)) ? document : null;
  } catch (error) {
    if (error instanceof DamagedDocument || (error instanceof Error && 'code' in error)) return null;
    throw error;
  }
}
