import { lstat, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { createFile, replaceFile } from '#collectors/effects/write.ts';
import {
  HEADER,
  HEADER_BYTES,
  MAGIC,
  FORMAT_VERSION,
  ENTRY,
  ENTRY_BYTES,
  MAX_SECTIONS,
  SECTION,
} from '#core/model/native/layout.ts';
import { sampleCountColumn, sumSamples } from '#core/model/sample-counts.ts';
import { EngineFailure, storageFailure } from '../../failure.ts';
import { CACHE_FILE } from './files.ts';
import type { CaptureStore } from './store.ts';
import type { CaptureFile } from '../library.types.ts';
import { withStaging } from '../staging.ts';
import type { CaptureQuality } from '#core/model/quality-grade.ts';
import { documentFromJson } from '#core/model/native/parse-document.ts';

/**
 * Maximum size of a cache. An ArrayBuffer is at most about 2 GiB in the supported browsers, so a larger cache could not
 * be read.
 */
const CACHE_LIMIT_BYTES = 2 ** 31;

/** Returns the capture's cache if it is complete, of this version, and not older than its source file. */
export async function findCacheFile(folder: string, primary: CaptureFile): Promise<CaptureFile | null> {
  const path = join(folder, CACHE_FILE);
  const [cache, source] = [await lstat(path).catch(() => null), await lstat(primary.path)];
  if (cache === null || !cache.isFile() || cache.mtimeMs < source.mtimeMs) return null;
  const header = await readHeader(path);
  if (header === null || header.fileLength !== cache.size) return null;
  return { path, fileName: CACHE_FILE, size: cache.size, cached: true };
}

/**
 * Streams a cache to disk and moves it into place after verifying its checksums. Returns false if there is no room for
 * it, which is not an error for the user.
 */
export async function saveCacheFile(
  store: CaptureStore,
  folder: string,
  random: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<boolean> {
  try {
    await withStaging(store.root, `cache-${random}`, async (path) => {
      await writeChecked(path, chunks);
      await replaceFile(path, join(folder, CACHE_FILE));
    });
    return true;
  } catch (error) {
    const failure = storageFailure(error, 'cache the parsed form of the capture');
    if (failure.code === 'disk-full' || failure.code === 'read-only') return false;
    throw failure;
  }
}

async function writeChecked(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await createFile(path);
  try {
    let bytes = 0;
    let bodyCrc = 0;
    for await (const chunk of chunks) {
      const body = chunk.subarray(Math.min(chunk.length, Math.max(0, HEADER_BYTES - bytes)));
      bodyCrc = crc32(body, bodyCrc);
      bytes += chunk.length;
      if (bytes > CACHE_LIMIT_BYTES) {
        throw new EngineFailure('too-large', 'The parsed form is too large to cache.', 'The capture still opens.');
      }
      await file.appendFile(chunk);
    }
    const header = await readHeader(path);
    if (header === null || header.fileLength !== bytes || header.bodyCrc !== bodyCrc) {
      throw new EngineFailure('invalid-arguments', 'The data sent is not a complete native file of this version.');
    }
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Reads the header of a native file (core/model/native/layout.ts); null if it is not one of this version. */
async function readHeader(path: string): Promise<{ fileLength: number; bodyCrc: number } | null> {
  const bytes = Buffer.alloc(HEADER_BYTES);
  let file: FileHandle | null = null;
  try {
    file = await open(path, 'r');
    await file.read(bytes, 0, HEADER_BYTES, 0);
  } finally {
    await file?.close();
  }
  if (MAGIC.some((byte, index) => bytes[index] !== byte)) return null;
  if (crc32(bytes.subarray(0, HEADER.headerCrc)) !== bytes.readUInt32LE(HEADER.headerCrc)) return null;
  if (bytes.readUInt32LE(HEADER.version) !== FORMAT_VERSION) return null;
  return {
    fileLength: Number(bytes.readBigUInt64LE(HEADER.fileLength)),
    bodyCrc: bytes.readUInt32LE(HEADER.bodyCrc),
  };
}

/** Facts about a capture that are known only after it has been parsed, for captures not recorded here. */
interface CacheFacts {
  readonly format: string;
  readonly samples: number;
  /** Null if it has no samples. */
  readonly quality: CaptureQuality | null;
}

/**
 * Limit on the profile's JSON section, which contains everything except the columns; a larger one is not read for two
 * facts.
 */
const DOCUMENT_LIMIT_BYTES = 64 << 20;
/** Size of a stack index; see core/model/profile.ts. */
const SAMPLE_BYTES = 4;

/**
 * Reads the facts from a native file; of its columns, it reads only the one that counts samples. Throws if they are
 * unavailable.
 */
export async function readCacheFacts(path: string): Promise<CacheFacts> {
  const file = await open(path, 'r');
  try {
    const header = await readAt(file, 0, HEADER_BYTES);
    const count = Math.min(header.readUInt32LE(HEADER.sectionCount), MAX_SECTIONS);
    const sections = readDirectory(await readAt(file, HEADER_BYTES, count * ENTRY_BYTES));
    const document = sections.get(SECTION.document) ?? { offset: 0, byteLength: 0 };
    if (document.byteLength > DOCUMENT_LIMIT_BYTES) throw new RangeError('the document section is too large');
    const text = (await readAt(file, document.offset, document.byteLength)).toString('utf8');
    const { metadata, quality, valueTypes } = documentFromJson(text);
    const counts = sections.get(SECTION.weights + sampleCountColumn(valueTypes, metadata.defaultValueType));
    const rows = (sections.get(SECTION.sampleStack)?.byteLength ?? 0) / SAMPLE_BYTES;
    return { format: metadata.format, quality, samples: counts === undefined ? rows : await sumCounts(file, counts) };
  } finally {
    await file.close();
  }
}

/** Returns the number of samples from a column of counts. */
async function sumCounts(file: FileHandle, { offset, byteLength }: Section): Promise<number> {
  if (offset + byteLength > (await file.stat()).size)
    throw new RangeError('a section extends past the end of the file');
  const bytes = await readAt(file, offset, byteLength);
  return sumSamples(new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)));
}

interface Section {
  readonly offset: number;
  readonly byteLength: number;
}

function readDirectory(bytes: Buffer): Map<number, Section> {
  const sections = new Map<number, Section>();
  for (let row = 0; row < bytes.length; row += ENTRY_BYTES) {
    sections.set(bytes.readUInt32LE(row + ENTRY.id), {
      offset: Number(bytes.readBigUInt64LE(row + ENTRY.offset)),
      byteLength: Number(bytes.readBigUInt64LE(row + ENTRY.byteLength)),
    });
  }
  return sections;
}

async function readAt(file: FileHandle, offset: number, byteLength: number): Promise<Buffer> {
  const bytes = Buffer.alloc(byteLength);
  const { bytesRead } = await file.read(bytes, 0, byteLength, offset);
  return bytes.subarray(0, bytesRead);
}
