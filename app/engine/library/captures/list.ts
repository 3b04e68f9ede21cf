import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { captureMatcher } from '#core/contract/match-capture.ts';
import type { CaptureDocument, DamagedCapture } from '#core/contract/schemas.ts';
import { damagedCapture } from './document.ts';
import { NO_INDEX, readCaptureIndex } from './index.ts';
import type { CurrentDocuments } from '../current-documents.ts';
import { readFolders } from '../library-folders.ts';
import type { Library } from '../library.types.ts';
import type { StoredCaptures } from '../stored-captures.ts';
import { DamagedDocument, DOCUMENT_LIMIT_BYTES } from '../versioned-document.ts';

/** Number of documents that a list reads before other work of this process has its turn. */
const READ_AT_ONCE = 200;

/**
 * Size in bytes from which documents count towards the list's limit; a command line of a megabyte makes one this large.
 */
const LARGE_DOCUMENT_BYTES = 1 << 16;
/** Limit on the large documents of one list, in bytes, since the list is sent to windows as one message. */
const LIST_BYTES = 64 << 20;

/** Returns a check that throws for a document, by its size in bytes, that would make a list too large. */
function documentBudget(): (size: number) => void {
  let bytes = 0;
  return (size) => {
    if (size <= LARGE_DOCUMENT_BYTES || size > DOCUMENT_LIMIT_BYTES) return;
    bytes += size;
    if (bytes > LIST_BYTES) {
      throw new DamagedDocument(
        `capture.json: ${Math.ceil(size / 2 ** 20)} MiB; large documents together may have at most ${LIST_BYTES >> 20} MiB`,
        'Delete captures with documents as large as this, or move them to another library.',
      );
    }
  };
}

/** Lists the captures of the library at `root`; only the first list reads the library's index. */
export function createCaptureList(
  root: string,
  configPath: string,
  stored: Pick<StoredCaptures, 'samples' | 'current'>,
  documents: CurrentDocuments,
): Pick<Library, 'list' | 'beginning'> {
  /** Later lists of this process have the documents in memory. */
  let hasListed = false;

  async function list(query = ''): ReturnType<Library['list']> {
    const matches = captureMatcher(query);
    const captures = [...(await stored.samples()).values()].map(({ document }) => document);
    const damaged: DamagedCapture[] = [];
    const refuseTooMuch = documentBudget();
    const index = hasListed ? NO_INDEX : await readCaptureIndex(root, configPath);
    hasListed = true;
    for (const [place, { name, damage }] of (await readFolders(root)).entries()) {
      if (place % READ_AT_ONCE === READ_AT_ONCE - 1) await setImmediate();
      try {
        if (damage === null) captures.push(await documents.of(name, index, refuseTooMuch));
        else damaged.push(damage);
      } catch (error) {
        // The capture was moved to the trash while the list was read.
        if ((await lstat(join(root, name)).catch(() => null)) !== null) damaged.push(damagedCapture(name, error));
      }
    }
    await documents.keep(index);
    captures.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
    return { captures: captures.filter(matches), damaged };
  }

  async function beginning(prefix: string): Promise<CaptureDocument[]> {
    const folders = (await readFolders(root)).filter(({ name, damage }) => damage === null && name.startsWith(prefix));
    const found = await Promise.all(folders.map(({ name }) => stored.current(name).catch(() => null)));
    return found.filter((document) => document !== null);
  }

  return { list, beginning };
}
