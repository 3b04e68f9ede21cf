import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { parseDocument } from './capture-document.ts';
import { DOCUMENT_FILE } from './capture-files.ts';
import { DamagedDocument } from './versioned-document.ts';

/** Documents are a few kilobytes; whatever else is called so is not read. */
const MAX_BYTES = 2 ** 20;

/** What is known of a file that lies in a capture's folder, named by its path; null where it does not, or where that can't be read. */
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
