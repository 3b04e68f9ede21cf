import { checkProfile } from '../model/check-profile.ts';
import { ImportFailure } from '../model/failure.ts';
import type { Profile } from '../model/profile.ts';
import { detectImporter, findImporter, HEAD_BYTES, makeHead } from './detect.ts';
import type { ByteSource, Importer, ImportOptions, ImportSession } from './importer.ts';
import { importers } from './registry.ts';
import type { ByteSink } from './unwrap-meter.ts';
import { UnwrapStage } from './unwrap.ts';

/** Longest stretch between two calls of `onProgress`, in source bytes: a source may hand over a whole file as one chunk. */
const PROGRESS_BYTES = 2 ** 20;

/**
 * Reads a profile of any known format: unwraps compression and text encodings, finds the importer by content, parses, checks the
 * result. Throws `ImportFailure`; whatever `onProgress` throws (to cancel) passes through.
 */
export async function importProfile(source: ByteSource, options: ImportOptions = {}): Promise<Profile> {
  const parsing = new ParseStage(source.fileName, options.format);
  const unwrapping = new UnwrapStage(parsing);
  let readBytes = 0;
  const stop = { thrown: null as unknown };
  const report = (): void => {
    try {
      options.onProgress?.(readBytes, source.size);
    } catch (error) {
      stop.thrown = error;
      throw error;
    }
  };
  try {
    for await (const chunk of source.chunks()) {
      for (let at = 0; at < chunk.length; at += PROGRESS_BYTES) {
        const piece = chunk.subarray(at, at + PROGRESS_BYTES);
        unwrapping.push(piece);
        readBytes += piece.length;
        report();
      }
    }
    if (readBytes === 0) throw new ImportFailure('unrecognized', 'the file is empty');
    unwrapping.end();
    return finish(parsing, source.fileName);
  } catch (error) {
    if (error === stop.thrown || !(error instanceof RangeError) || !isOutOfMemory(error)) throw error;
    throw tooLarge(error);
  }
}

function finish(parsing: ParseStage, fileName: string): Profile {
  const { profile, importer } = parsing.finish();
  try {
    checkProfile(profile);
  } catch (error) {
    if (!(error instanceof RangeError) || isOutOfMemory(error)) throw error;
    throw new ImportFailure('malformed', `the ${importer.id} importer made no sound profile of it: ${error.message}`);
  }
  const { metadata } = profile;
  return { ...profile, metadata: { ...metadata, fileName: metadata.fileName ?? fileName } };
}

/** Collects the head, chooses the importer by it, then passes everything on. */
class ParseStage implements ByteSink {
  readonly #fileName: string;
  #importer: Importer | null;
  #session: ImportSession | null = null;
  #head: Uint8Array = new Uint8Array(0);

  constructor(fileName: string, format: string | undefined) {
    this.#fileName = fileName;
    this.#importer = format === undefined ? null : findImporter(format, importers);
  }

  push(chunk: Uint8Array): void {
    if (this.#session !== null) return this.#session.push(chunk);
    if (this.#importer !== null || (this.#head.length === 0 && chunk.length >= HEAD_BYTES)) {
      return this.#begin(chunk, false);
    }
    const joined = new Uint8Array(this.#head.length + chunk.length);
    joined.set(this.#head);
    joined.set(chunk, this.#head.length);
    this.#head = joined;
    if (joined.length >= HEAD_BYTES) this.#begin(joined, false);
  }

  end(): void {
    if (this.#session === null) this.#begin(this.#head, true);
  }

  finish(): { profile: Profile; importer: Importer } {
    return { profile: this.#session!.finish(), importer: this.#importer! };
  }

  #begin(first: Uint8Array, complete: boolean): void {
    if (complete && first.length === 0) {
      throw new ImportFailure('unrecognized', 'the file holds compressed or encoded data of zero bytes');
    }
    this.#importer ??= detectImporter(makeHead(first.subarray(0, HEAD_BYTES), complete), this.#fileName, importers);
    this.#head = new Uint8Array(0);
    this.#session = this.#importer.start({ fileName: this.#fileName });
    this.#session.push(first);
  }
}

/** What engines throw where an array, a string or a Map can't grow further. */
function isOutOfMemory(error: RangeError): boolean {
  return /allocation failed|invalid (typed )?array length|invalid string length|(map|set) maximum size/i.test(
    error.message,
  );
}

function tooLarge(error: RangeError): ImportFailure {
  return new ImportFailure(
    'too-large',
    `the profile does not fit into memory (${error.message}); record for a shorter time or at a lower rate`,
  );
}
