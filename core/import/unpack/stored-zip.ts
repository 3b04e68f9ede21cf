import { Zip, ZipPassThrough } from 'fflate';
import { tooLarge, unrecognized } from '../../model/failure.ts';

export interface FileToZip {
  /** Relative to the archive's top, with slashes. */
  readonly path: string;
  readonly chunks: () => AsyncIterable<Uint8Array>;
}

/** The importers' own limit for archives. */
const MAX_FILES = 10_000;
const MAX_BYTES = 2 ** 31 - 1;

/**
 * Packs files into a zip archive without compression, for profiles that are folders (Instruments' `.trace`), which
 * importers read as one file. Sources may reuse a chunk once the next one is requested. Throws an `ImportFailure`
 * without files, and beyond 10,000 files or 2 GiB.
 */
export async function* storedZip(files: readonly FileToZip[]): AsyncGenerator<Uint8Array> {
  if (files.length === 0) throw unrecognized('a folder without files');
  if (files.length > MAX_FILES)
    throw tooLarge(`a folder of more than ${MAX_FILES.toLocaleString('en')} files; open only the profile`);
  const made: Uint8Array[] = [];
  const archive = new Zip((error, bytes) => {
    if (error !== null) throw error;
    made.push(bytes);
  });
  let left = MAX_BYTES;
  for (const { path, chunks } of files) {
    const entry = new ZipPassThrough(path);
    archive.add(entry);
    for await (const chunk of chunks()) {
      left -= chunk.length;
      if (left < 0) throw tooLarge('a folder of more than 2 GiB');
      // The archive may keep it for a while.
      entry.push(chunk.slice());
      yield* made.splice(0);
    }
    entry.push(new Uint8Array(0), true);
  }
  archive.end();
  yield* made;
}
