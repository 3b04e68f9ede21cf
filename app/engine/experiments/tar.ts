/**
 * Reads and writes tar files in the POSIX format (IEEE 1003.1-2008, ustar) as streams, for the bundles of experiments.
 */

export const TAR_BLOCK = 512;

/** Smallest size that does not fit the octal digits in a header. */
const MAX_OCTAL_SIZE = 8 ** 11;

/** Limit on what follows the end; padding of the last record is much shorter (10 KiB in GNU tar). */
const MAX_TRAILER = 4 << 20;

/** Start and length of each field of a header. */
const FIELDS = {
  name: [0, 100],
  mode: [100, 8],
  size: [124, 12],
  mtime: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
  prefix: [345, 155],
} as const;
type Field = keyof typeof FIELDS;

/** Why bytes are not a valid tar file. */
export class TarError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TarError';
  }
}

export interface TarEntry {
  readonly name: string;
  /** The letter of the type: `0` for a file, `5` for a folder, `2` for a symbolic link… */
  readonly type: string;
  readonly size: number;
  /** The entry's bytes; those not read are skipped when the next entry is requested. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Returns the header of a file; its bytes and {@link tarPadding} must follow. Throws if the name does not fit. */
export function tarHeader(name: string, size: number, mtimeMs: number): Uint8Array {
  const header = Buffer.alloc(TAR_BLOCK);
  const [prefix, rest] = splitName(name);
  const put = (field: Field, text: string): void => void header.write(text, FIELDS[field][0], 'latin1');
  put('name', rest);
  put('prefix', prefix);
  put('mode', '0000600\0');
  if (size < MAX_OCTAL_SIZE) put('size', octal(size, 11));
  else putLargeSize(header, size);
  put('mtime', octal(Math.floor(mtimeMs / 1000), 11));
  put('type', '0');
  put('magic', 'ustar\x0000');
  put('checksum', `${octal(checksum(header), 6)}\0 `);
  return header;
}

/** Returns the padding of the last block of a file of this size. */
export const tarPadding = (size: number): Uint8Array => new Uint8Array((TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK);

/** The end of a tar file: two empty blocks. */
export const TAR_END = new Uint8Array(2 * TAR_BLOCK);

/** Yields the entries in order. Throws {@link TarError}, also if the bytes end before the end marker. */
export async function* readTar(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const bytes = new ByteReader(chunks);
  for (;;) {
    const header = await bytes.exactly(TAR_BLOCK);
    if (header.every((byte) => byte === 0)) {
      await bytes.drain();
      return;
    }
    const entry = readHeader(header);
    let left = entry.size;
    const take = async (): Promise<Uint8Array | null> => {
      if (left === 0) return null;
      const part = await bytes.upTo(left);
      left -= part.length;
      return part;
    };
    yield { ...entry, body: pulled(take) };
    while ((await take()) !== null);
    await bytes.exactly(tarPadding(entry.size).length);
  }
}

async function* pulled(take: () => Promise<Uint8Array | null>): AsyncGenerator<Uint8Array> {
  for (let part = await take(); part !== null; part = await take()) yield part;
}

function readHeader(header: Buffer): Omit<TarEntry, 'body'> {
  const text = (field: Field): string => {
    const [start, length] = FIELDS[field];
    const end = header.indexOf(0, start);
    return header.toString('utf8', start, end < 0 ? start + length : Math.min(end, start + length));
  };
  if (text('magic').slice(0, 5) !== 'ustar' || readOctal(text('checksum')) !== checksum(header)) {
    throw new TarError('a header is damaged');
  }
  // GNU tar's variant of the magic number has other fields in place of the prefix.
  const prefix = header[FIELDS.magic[0] + 5] === 0 ? text('prefix') : '';
  const type = text('type');
  return {
    name: prefix === '' ? text('name') : `${prefix}/${text('name')}`,
    type: type || '0',
    size: readSize(header),
  };
}

function readSize(header: Buffer): number {
  const [start, length] = FIELDS.size;
  const size =
    (header[start]! & 0x80) === 0
      ? readOctal(header.toString('latin1', start, start + length).replace(/\0.*$/s, ''))
      : Number(BigInt(`0x${header.toString('hex', start + 1, start + length)}`));
  if (!Number.isSafeInteger(size)) throw new TarError('a file has no size');
  return size;
}

/** Writes the size in GNU tar's form, which all tools read: a set bit, then the number in base 256. */
function putLargeSize(header: Buffer, size: number): void {
  const [start, length] = FIELDS.size;
  header[start] = 0x80;
  header.write(
    BigInt(size)
      .toString(16)
      .padStart(2 * (length - 1), '0'),
    start + 1,
    'hex',
  );
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');

function readOctal(text: string): number {
  const digits = text.trim();
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
}

/** Returns the sum of the header's bytes, counting the checksum field as spaces. */
function checksum(header: Uint8Array): number {
  const [start, length] = FIELDS.checksum;
  return header.reduce((sum, byte, at) => sum + (at >= start && at < start + length ? 32 : byte), 0);
}

function splitName(name: string): [prefix: string, rest: string] {
  if (name.length <= FIELDS.name[1]) return ['', name];
  const slash = name.lastIndexOf('/');
  const [prefix, rest] = [name.slice(0, Math.max(0, slash)), name.slice(slash + 1)];
  if (prefix.length > FIELDS.prefix[1] || rest.length > FIELDS.name[1]) {
    throw new TarError(`the name ${name} is too long`);
  }
  return [prefix, rest];
}

/** Reads a stream in portions of requested sizes. */
class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Returns at least one byte and at most `length`. */
  async upTo(length: number): Promise<Uint8Array> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) throw new TarError('it is truncated');
      this.#rest = next.value;
    }
    const part = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }

  async exactly(length: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for (let left = length; left > 0; left -= parts.at(-1)!.length) parts.push(await this.upTo(left));
    return Buffer.concat(parts);
  }

  /** Reads to the end of the stream, where a checksum may follow. Tools pad their last record, but no more. */
  async drain(): Promise<void> {
    for (let bytes = 0; bytes < MAX_TRAILER;) {
      const next = await this.#chunks.next();
      if (next.done === true) return;
      bytes += next.value.length;
    }
    throw new TarError('data follows its end');
  }
}
