import type { ByteSource, ImportOptions, ImportPart, Importer, PartReader } from './importer.ts';

/** Smaller inputs are read sooner than a second thread is there. */
export const MIN_SPLIT_BYTES = 32 * 2 ** 20;
/** Of the input for the first thread: the second one has to start first. Measured on 221 MB, both end at the same time. */
const FIRST_SHARE = 0.54;
/** So much is searched for a blank line; stacks are shorter. */
const SEARCHED_BYTES = 2 ** 20;

const NEWLINE = 10;

/** The rest of an input, which is being read by another thread. */
export interface SplitInput {
  /** Where the rest begins. */
  readonly cut: number;
  /** Bytes of the rest that were read. */
  readBytes(): number;
  /** Resolves once all was read. */
  readonly part: Promise<ImportPart | null>;
  stop(): void;
}

/** Has another thread read the second half of an input, where that is possible and worth while. */
export async function splitInput(
  source: ByteSource,
  importer: Importer,
  startPartReader: ImportOptions['startPartReader'],
  onProgress: () => void,
): Promise<SplitInput | null> {
  const { size, range } = source;
  if (startPartReader === undefined || importer.startPart === undefined) return null;
  if (range === undefined || size === null || size < MIN_SPLIT_BYTES) return null;
  const cut = await findCut(range, Math.floor(size * FIRST_SHARE), size);
  if (cut === null) return null;
  return startReading(startPartReader(), importer, cut, size, onProgress);
}

function startReading(
  reader: PartReader,
  importer: Importer,
  cut: number,
  size: number,
  onProgress: () => void,
): SplitInput {
  let readBytes = 0;
  const noteProgress = (bytes: number): void => {
    readBytes = bytes;
    onProgress();
  };
  return {
    cut,
    readBytes: () => readBytes,
    part: reader.read(importer.id, cut, size, noteProgress).catch(() => null),
    stop: () => reader.stop(),
  };
}

/** The first place after `from` that follows a blank line; null where none is near, or where the input ends within a line. */
async function findCut(range: NonNullable<ByteSource['range']>, from: number, size: number): Promise<number | null> {
  const [last] = await collect(range(size - 1, size));
  if (last !== NEWLINE) return null;
  const bytes = await collect(range(from, Math.min(size, from + SEARCHED_BYTES)));
  for (let at = bytes.indexOf(NEWLINE) + 1; at > 0; at = bytes.indexOf(NEWLINE, at) + 1) {
    if (bytes[at] === NEWLINE) return from + at + 1;
    if (bytes[at] === CARRIAGE_RETURN && bytes[at + 1] === NEWLINE) return from + at + 2;
  }
  return null;
}

const CARRIAGE_RETURN = 13;

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk.slice());
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
