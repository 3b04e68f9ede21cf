import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isOwn } from '#collectors/effects/remove.ts';
import { appendToFile, makeFolders, writeNew } from '#collectors/effects/write.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { VERSION } from '../../../version.ts';
import { readSmallFileNow } from '../../disk/read-small-file.ts';
import { INDEX_FILE } from './files.ts';
import { hasMarker } from '../library-marker.ts';

export interface IndexedDocument {
  /** Of the `capture.json` from which the document was read; it changes whenever that does. */
  readonly stamp: string;
  /** Valid and redacted. */
  readonly document: CaptureDocument;
}

/**
 * The captures' documents in one file of the library, so that a list need not open thousands. It is never the truth:
 * only lists read it, and a document counts only while `capture.json` has its stamp. Lines are only appended, each
 * `HMAC VERSION JSON` of some documents; those that were not written by this user's Flamebench of this version, such as
 * one that a killed process left unfinished or one of a library from elsewhere, are skipped.
 */
export interface CaptureIndex {
  find(id: string, stamp: string): CaptureDocument | null;
  /** Returns whether it should be written afresh, since most of it was no use to `find`. */
  isMostlyWaste(): boolean;
}

export const NO_INDEX: CaptureIndex = { find: () => null, isMostlyWaste: () => false };

/** In bytes; a larger file is not Flamebench's. */
const MAX_INDEX_BYTES = 2 ** 30;
/** Maximum length of a document's JSON; larger ones are read from their files. */
const MAX_DOCUMENT_LENGTH = 1 << 16;
/** Length from which a line is written. */
const LINE_LENGTH = 1 << 19;
/** Waste that does not matter, in bytes. */
const LITTLE_WASTE_BYTES = 1 << 20;
const KEY_BYTES = 32;
/** Name of the file in the configuration's folder that no library from elsewhere has. */
const KEY_FILE = 'index-key';

const NEWLINE = 10;
const HMAC_LENGTH = 64;

/** Reads the index of the library at `root`; it is empty if there is none, or it is not this user's. */
export async function readCaptureIndex(root: string, configPath: string): Promise<CaptureIndex> {
  const key = readOwn(join(configPath, KEY_FILE), KEY_BYTES);
  const bytes = key === null ? null : readOwn(join(root, INDEX_FILE), MAX_INDEX_BYTES);
  if (key === null || bytes === null) return NO_INDEX;
  const found = new Map<string, IndexedDocument & { readonly share: number }>();
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline;
    const text = signedText(key, bytes.subarray(start, end));
    if (text?.startsWith(`${VERSION} `) === true) {
      const documents = JSON.parse(text.slice(VERSION.length + 1)) as [string, string, CaptureDocument][];
      const share = (end - start) / documents.length;
      for (const [id, stamp, document] of documents) found.set(id, { stamp, document, share });
      await setImmediate();
    }
    start = end + 1;
  }
  let used = 0;
  return {
    find(id, stamp) {
      const entry = found.get(id);
      if (entry?.stamp !== stamp) return null;
      used += entry.share;
      return entry.document;
    },
    isMostlyWaste: () => bytes.length - used > used + LITTLE_WASTE_BYTES,
  };
}

/** Returns what follows a line's HMAC; null if that is not by this key. */
function signedText(key: Buffer, line: Buffer): string | null {
  const content = line.subarray(HMAC_LENGTH + 1);
  const signature = Buffer.from(hmacOf(key, content));
  const given = line.subarray(0, HMAC_LENGTH);
  return given.length === HMAC_LENGTH && timingSafeEqual(given, signature) ? content.toString('utf8') : null;
}

const hmacOf = (key: Buffer, content: Uint8Array): string => createHmac('sha256', key).update(content).digest('hex');

/**
 * Adds documents to the index of the library at `root`, or makes it of them alone (`afresh`). A library that can't be
 * written, or has no marker, is left without it.
 */
export async function addToIndex(
  root: string,
  configPath: string,
  documents: ReadonlyMap<string, IndexedDocument>,
  afresh: boolean,
): Promise<void> {
  try {
    if (!(await hasMarker(root))) return;
    const path = join(configPath, KEY_FILE);
    if (readOwn(path, KEY_BYTES) === null) {
      await makeFolders(configPath);
      // Another process may be faster.
      await writeNew(path, randomBytes(KEY_BYTES)).catch(() => undefined);
    }
    const key = readOwn(path, KEY_BYTES);
    if (key?.length === KEY_BYTES) await appendToFile(join(root, INDEX_FILE), linesOf(key, documents), afresh);
  } catch {
    // a full disk, a read-only library
  }
}

function* linesOf(key: Buffer, documents: ReadonlyMap<string, IndexedDocument>): Generator<Buffer> {
  let texts: string[] = [];
  let length = 0;
  const line = (): Buffer => {
    const content = Buffer.from(`${VERSION} [${texts.join(',')}]`);
    // The line before may be one that a killed process left unfinished.
    return Buffer.concat([Buffer.from(`\n${hmacOf(key, content)} `), content, Buffer.from('\n')]);
  };
  for (const [id, { stamp, document }] of documents) {
    const text = JSON.stringify([id, stamp, document]);
    if (text.length > MAX_DOCUMENT_LENGTH) continue;
    texts.push(text);
    length += text.length;
    if (length < LINE_LENGTH) continue;
    yield line();
    texts = [];
    length = 0;
  }
  if (length > 0) yield line();
}

function readOwn(path: string, maxBytes: number): Buffer | null {
  try {
    return readSmallFileNow(path, maxBytes, isOwn);
  } catch {
    return null;
  }
}
