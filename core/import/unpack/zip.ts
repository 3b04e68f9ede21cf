import { Inflate, Unzlib } from 'fflate';
import { crc32 } from '../../model/crc32.ts';
import { ImportFailure } from '../../model/failure.ts';

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
/** Unpacked bytes of an entry that are accepted at any ratio. */
const FREE_BYTES = 32 * 2 ** 20;
/**
 * Maximum unpacked bytes per packed byte of an entry beyond {@link FREE_BYTES}. Samples of a time profile shrink to a
 * tenth.
 */
const MAX_RATIO = 200;
/** Deflate expands at most 1,032 times. */
const PIECE_BYTES = 16 * 1024;
const ENCRYPTED = 1;
const [STORED, DEFLATED] = [0, 8] as const;

/** Lists the files of a zip archive (PKWARE's APPNOTE.TXT 6.3.10, 4.3), without folders. Throws `ImportFailure`. */
export function listZip(bytes: Uint8Array): Map<string, ZipEntry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  if (count > MAX_ENTRIES)
    throw new ImportFailure(
      'too-large',
      `a zip archive of more than ${MAX_ENTRIES.toLocaleString('en')} files; unpack it and open only the profile`,
    );
  const entries = new Map<string, ZipEntry>();
  let at = view.getUint32(end + 16, true);
  for (let index = 0; index < count; index++) {
    if (at + CENTRAL_BYTES > bytes.length || view.getUint32(at, true) !== CENTRAL) throw damaged(at);
    const nameEnd = at + CENTRAL_BYTES + view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + CENTRAL_BYTES, nameEnd));
    if (!name.endsWith('/')) entries.set(name, readEntry(bytes, view, at, name));
    at = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function findEnd(view: DataView): number {
  const first = Math.max(0, view.byteLength - END_BYTES - MAX_COMMENT);
  for (let at = view.byteLength - END_BYTES; at >= first; at--) if (view.getUint32(at, true) === END) return at;
  throw new ImportFailure('malformed', 'the zip archive is truncated', { byte: view.byteLength });
}

/** `at` is the position of the file's entry in the archive's directory. */
function readEntry(bytes: Uint8Array, view: DataView, at: number, name: string): ZipEntry {
  const method = view.getUint16(at + 10, true);
  if ((view.getUint16(at + 8, true) & ENCRYPTED) !== 0 || (method !== STORED && method !== DEFLATED)) {
    throw new ImportFailure('unsupported', `${name.slice(0, 80)} is encrypted or packed in an unusual way`, {
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

const damaged = (byte: number): ImportFailure =>
  new ImportFailure('malformed', 'the directory of the zip archive is damaged', { byte });

/** Limits the unpacked bytes in total and, for each entry, to {@link MAX_RATIO} times its size. */
export class UnpackBudget {
  #left: number;
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#left = maxBytes;
    this.#maxBytes = maxBytes;
  }

  /** Throws `ImportFailure` if the checksum is wrong. */
  unzip({ name, packed, isDeflated, crc }: ZipEntry): Uint8Array {
    const bytes = isDeflated ? this.#inflate(packed, Inflate, name) : packed;
    // Entries may share their bytes and may be read more than once.
    if (!isDeflated) this.#take(packed.length);
    if (crc32(0, bytes) !== crc) throw new ImportFailure('malformed', `${name.slice(0, 80)} in the archive is damaged`);
    return bytes;
  }

  /** Unpacks a zlib stream (RFC 1950). */
  unzlib(packed: Uint8Array, name: string): Uint8Array {
    return this.#inflate(packed, Unzlib, name);
  }

  #inflate(packed: Uint8Array, Inflater: typeof Inflate | typeof Unzlib, name: string): Uint8Array {
    const pieces: Uint8Array[] = [];
    let length = 0;
    const inflater = new Inflater((piece) => {
      pieces.push(piece);
      length += piece.length;
    });
    try {
      for (let at = 0; at < packed.length; at += PIECE_BYTES) {
        inflater.push(packed.subarray(at, at + PIECE_BYTES), at + PIECE_BYTES >= packed.length);
        if (length > this.#left) throw this.#tooLarge();
        if (length > FREE_BYTES && length > MAX_RATIO * packed.length) throw ratioExceeded(name);
      }
    } catch (error) {
      if (error instanceof ImportFailure) throw error;
      throw new ImportFailure('malformed', `${name.slice(0, 80)} in the archive is damaged`);
    }
    this.#take(length);
    return joined(pieces, length);
  }

  #take(bytes: number): void {
    if (bytes > this.#left) throw this.#tooLarge();
    this.#left -= bytes;
  }

  #tooLarge(): ImportFailure {
    return new ImportFailure(
      'too-large',
      `the archive unpacks to more than ${this.#maxBytes / 2 ** 20} MiB; unpack it and open only the profile`,
    );
  }
}

function ratioExceeded(name: string): ImportFailure {
  return new ImportFailure(
    'too-large',
    `${name.slice(0, 80)} in the archive unpacks to more than ${MAX_RATIO} times its size; if it is a profile, unpack the archive and open its folder`,
  );
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
