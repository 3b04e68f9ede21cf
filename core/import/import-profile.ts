import { checkProfile } from '../model/check-profile.ts';
import { ImportFailure } from '../model/failure.ts';
import type { Profile } from '../model/profile.ts';
import { redactCommandLine } from '../redact/redact-argv.ts';
import { detectImporter, findImporter, HEAD_BYTES, makeHead } from './detect.ts';
import type { ByteSource, Importer, ImportOptions, ImportSession } from './importer.ts';
import { importers } from './registry.ts';
import type { SymbolRequest, SymbolTable } from '../symbols/symbols.ts';
import type { ByteSink } from './unpack/unwrap-meter.ts';
import { UnwrapStage } from './unpack/unwrap.ts';
import { diagnoseWithoutStack } from './without-stack.ts';

/** Longest stretch between two calls of `onProgress`, in source bytes: a source may hand over a whole file as one chunk. */
const PROGRESS_BYTES = 2 ** 20;

/**
 * Reads a profile of any known format: unwraps compression and text encodings, finds the importer by content, parses, checks the
 * result. Throws `ImportFailure`; whatever `onProgress` throws (to cancel) passes through.
 */
export async function importProfile(source: ByteSource, options: ImportOptions = {}): Promise<Profile> {
  const reading = new Reading(source, options);
  try {
    return finish(await reading.parse(), source.fileName);
  } catch (error) {
    if (error === reading.thrown || !(error instanceof RangeError) || !isOutOfMemory(error)) throw error;
    throw tooLarge(error);
  }
}

/** One pass over a source. */
class Reading {
  readonly #source: ByteSource;
  readonly #options: ImportOptions;
  readonly #parsing: ParseStage;
  readonly #unwrapping: UnwrapStage;
  #readBytes = 0;
  /** What `onProgress` threw. */
  thrown: unknown = null;

  constructor(source: ByteSource, options: ImportOptions) {
    this.#source = source;
    this.#options = options;
    this.#parsing = new ParseStage(source.fileName, options.format);
    this.#unwrapping = new UnwrapStage(this.#parsing);
  }

  async parse(): Promise<Parsed> {
    await this.#read(this.#source.chunks());
    if (this.#readBytes === 0) throw new ImportFailure('unrecognized', 'the file is empty');
    this.#unwrapping.end();
    return this.#parsing.finish(await this.#findSymbols());
  }

  /** By path; undefined where none can be had. */
  async #findSymbols(): Promise<ReadonlyMap<string, SymbolTable> | undefined> {
    const { symbols } = this.#options;
    if (symbols === undefined) return undefined;
    const tables = new Map<string, SymbolTable>();
    for (const request of this.#parsing.wantedSymbols()) {
      const table = await symbols(request);
      if (table !== null) tables.set(request.path, table);
    }
    return tables;
  }

  async #read(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length;) {
        const piece = chunk.subarray(at, at + PROGRESS_BYTES);
        this.#unwrapping.push(piece);
        this.#readBytes += piece.length;
        at += piece.length;
        this.#report();
      }
    }
  }

  #report(): void {
    try {
      this.#options.onProgress?.(this.#readBytes, this.#source.size);
    } catch (error) {
      this.thrown = error;
      throw error;
    }
  }
}

interface Parsed {
  readonly profile: Profile;
  readonly importer: Importer;
}

function finish({ profile, importer }: Parsed, fileName: string): Profile {
  try {
    checkProfile(profile);
  } catch (error) {
    if (!(error instanceof RangeError) || isOutOfMemory(error)) throw error;
    throw new ImportFailure('malformed', `the ${importer.id} importer made no sound profile of it: ${error.message}`);
  }
  const { metadata } = profile;
  const command = metadata.command === null ? null : redactCommandLine(metadata.command);
  return {
    ...diagnoseWithoutStack(profile),
    metadata: { ...metadata, command, fileName: metadata.fileName ?? fileName },
  };
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

  /** After `end`. */
  wantedSymbols(): readonly SymbolRequest[] {
    return this.#session?.wantedSymbols?.() ?? [];
  }

  finish(symbols: ReadonlyMap<string, SymbolTable> | undefined): Parsed {
    return { profile: this.#session!.finish(symbols), importer: this.#importer! };
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
