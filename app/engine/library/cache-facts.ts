import { open, type FileHandle } from 'node:fs/promises';
import type { CaptureQuality } from '#core/model/quality-grade.ts';
import { documentFromJson } from '#core/model/native/parse-document.ts';
import { ENTRY, ENTRY_BYTES, HEADER, HEADER_BYTES, MAX_SECTIONS, SECTION } from '#core/model/native/layout.ts';

/** What is known of a capture only once it has been parsed, where nobody recorded it here. */
export interface CacheFacts {
  readonly format: string;
  readonly samples: number;
  /** Null where it has no samples. */
  readonly quality: CaptureQuality | null;
}

/** A profile's JSON section holds what is no column; beyond this it is not read for two facts. */
const DOCUMENT_LIMIT_BYTES = 64 << 20;
/** A stack index, see core/model/profile.ts. */
const SAMPLE_BYTES = 4;

/** Reads the facts from a native file whose checksums agree, without its columns. Throws where they can't be had. */
export async function readCacheFacts(path: string): Promise<CacheFacts> {
  const file = await open(path, 'r');
  try {
    const header = await readAt(file, 0, HEADER_BYTES);
    const count = Math.min(header.readUInt32LE(HEADER.sectionCount), MAX_SECTIONS);
    const sections = readDirectory(await readAt(file, HEADER_BYTES, count * ENTRY_BYTES));
    const document = sections.get(SECTION.document) ?? { offset: 0, byteLength: 0 };
    if (document.byteLength > DOCUMENT_LIMIT_BYTES) throw new RangeError('the document section is too large');
    const text = (await readAt(file, document.offset, document.byteLength)).toString('utf8');
    const { metadata, quality } = documentFromJson(text);
    return {
      format: metadata.format,
      quality,
      samples: (sections.get(SECTION.sampleStack)?.byteLength ?? 0) / SAMPLE_BYTES,
    };
  } finally {
    await file.close();
  }
}

function readDirectory(bytes: Buffer): Map<number, { offset: number; byteLength: number }> {
  const sections = new Map<number, { offset: number; byteLength: number }>();
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
