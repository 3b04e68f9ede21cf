import { crc32 } from '../../model/crc32.ts';
import { decodeText } from '../../model/decode-text.ts';
import { malformed, tooLarge, unsupported, type ImportFailure } from '../../model/failure.ts';
import { inflate } from './inflate.ts';
import type { UnwrapMeter } from './unwrap-meter.ts';

/** A file in an archive, still packed. */
export interface ZipEntry {
  readonly name: string;
  readonly packed: Uint8Array;
  readonly isDeflated: boolean;
  readonly crc: number;
}

const [END, CENTRAL, LOCAL] = [0x06054b50, 0x02014b50, 0x04034b50] as const;
const [END_BYTES, CENTRAL_BYTES, LOCAL_BYTES] = [22, 46, 30] as const;
/** The end record is followed by a comment with a 16-bit length. */
const MAX_COMMENT = 0xffff;
const MAX_ENTRIES = 10_000;
const ENCRYPTED = 1;
const [STORED, DEFLATED] = [0, 8] as const;

/** Lists the files of a zip archive (PKWARE's APPNOTE.TXT 6.3.10, 4.3), without folders. Throws `ImportFailure`. */
export function listZip(bytes: Uint8Array): Map<string, ZipEntry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  if (count > MAX_ENTRIES)
    throw tooLarge(
      `a zip archive of more than ${MAX_ENTRIES.toLocaleString('en')} files; unpack it and open only the profile`,
    );
  const entries = new Map<string, ZipEntry>();
  let at = view.getUint32(end + 16, true);
  for (let index = 0; index < count; index++) {
    if (at + CENTRAL_BYTES > bytes.length || view.getUint32(at, true) !== CENTRAL) throw damaged(at);
    const nameEnd = at + CENTRAL_BYTES + view.getUint16(at + 28, true);
    const name = decodeText(bytes.subarray(at + CENTRAL_BYTES, nameEnd)).text;
    if (!name.endsWith('/')) entries.set(name, readEntry(bytes, view, at, name));
    at = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function findEnd(view: DataView): number {
  const first = Math.max(0, view.byteLength - END_BYTES - MAX_COMMENT);
  for (let at = view.byteLength - END_BYTES; at >= first; at--) if (view.getUint32(at, true) === END) return at;
  throw malformed('the zip archive is truncated', { byte: view.byteLength });
}

/** `at` is the position of the file's entry in the archive's directory. */
function readEntry(bytes: Uint8Array, view: DataView, at: number, name: string): ZipEntry {
  const method = view.getUint16(at + 10, true);
  if ((view.getUint16(at + 8, true) & ENCRYPTED) !== 0 || (method !== STORED && method !== DEFLATED)) {
    throw unsupported(`${name.slice(0, 80)} is encrypted or packed in an unusual way`, {
      byte: at,
    });
  }
  const size = view.getUint32(at + 20, true);
  const local = view.getUint32(at + 42, true);
  if (local + LOCAL_BYTES > bytes.length || view.getUint32(local, true) !== LOCAL) throw damaged(at);
  const start = local + LOCAL_BYTES + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  if (start + size > bytes.length) throw damaged(at);
  const packed = bytes.subarray(start, start + size);
  return { name, packed, isDeflated: method === DEFLATED, crc: view.getUint32(at + 16, true) };
}

const damaged = (byte: number): ImportFailure => malformed('the directory of the zip archive is damaged', { byte });

/** Returns the content of a file; entries may share their packed bytes. Throws `ImportFailure` if the checksum is wrong. */
export function unzip({ name, packed, isDeflated, crc }: ZipEntry, meter: UnwrapMeter): Uint8Array {
  const what = `${name.slice(0, 80)} in the archive`;
  if (!isDeflated) {
    meter.sourceBytes += packed.length;
    meter.take(packed.length);
  }
  const bytes = isDeflated ? inflate(packed, 'deflate', meter, what) : packed;
  if (crc32(0, bytes) !== crc) throw malformed(`${what} is damaged`);
  return bytes;
}
