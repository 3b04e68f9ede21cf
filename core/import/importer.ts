import type { Profile } from '../model/profile.ts';
import type { UnwrapMeter } from './unpack/unwrap-meter.ts';
import type { SymbolRequest, SymbolSource, SymbolTable } from '../symbols/symbols.ts';

/** Bytes to import, read once and in order. The source may reuse a chunk once the next one is requested. */
export interface ByteSource {
  /** Used in messages, for sniffing by extension, and as `metadata.fileName`; not a path. */
  readonly fileName: string;
  /** Bytes of the (compressed) input if known; for progress. */
  readonly size: number | null;
  /** Yields the bytes in order. A chunk is valid until the next one is requested. */
  chunks(): AsyncIterable<Uint8Array>;
}

export type SniffResult = 'yes' | 'maybe' | 'no';

/** The first 64 KiB of the unwrapped input, as bytes and as text (UTF-8 with replacement characters, BOMs honoured). */
export interface Head {
  readonly bytes: Uint8Array;
  readonly text: string;
  /** `bytes` contains the whole input. */
  readonly complete: boolean;
}

/** One row of the registry: a format that Flamebench opens. */
export interface Importer {
  /** Stable id: `perf-script`, `folded`, `pprof`. */
  readonly id: string;
  readonly label: string;
  /** Without the dot. Used for dialogs and to break ties; content decides. */
  readonly extensions: readonly string[];
  /** The parts of the format that the profile keeps, and those that it loses. For `flamebench formats` and the docs. */
  readonly keeps: string;
  readonly loses: string;
  /** How the format is recognised, in words. */
  readonly recognizedBy: string;
  /** Weights may be negative: the format holds differences, or what was released. */
  readonly differences?: true;
  /** Specification of the format. */
  readonly specification: string;
  /** Examines content only as far as needed to recognise the format. */
  sniff(head: Head, fileName: string): SniffResult;
  /** Returns a promise if the importer is loaded on demand, as for rare formats. */
  start(context: ImportContext): ImportSession | Promise<ImportSession>;
}

interface ImportContext {
  readonly fileName: string;
}

/**
 * A push parser. It copies what it needs of a chunk before `push` returns. Throws `ImportFailure` as soon as the input
 * is known to be broken. Must not be used again after a throw or `finish`.
 */
export interface ImportSession {
  push(chunk: Uint8Array): void;
  /** Binaries whose symbols the input lacks. Called after the last `push` if there is a symbol source. */
  wantedSymbols?(): readonly SymbolRequest[];
  /** Returns the profile. `symbols` is keyed by the path of the request; absent if none were found. */
  finish(symbols?: ReadonlyMap<string, SymbolTable>): Profile | Promise<Profile>;
}

export interface ImportOptions {
  /** Selects this importer regardless of the content. */
  readonly format?: string;
  /** Called at least every few megabytes; throws to cancel. `readBytes` counts the source's (compressed) bytes. */
  readonly onProgress?: (readBytes: number, totalBytes: number | null) => void;
  /** Source of symbols for code in binaries. Without it, such frames stay module and offset. */
  readonly symbols?: SymbolSource | undefined;
  /** Unpacks a source that is gzip; the default is Flamebench's own code. */
  readonly gunzip?: Gunzip;
}

/**
 * Yields the unpacked bytes of all members, and sets the meter's `sourceBytes` to those that were unpacked. A chunk is
 * valid until the next one is requested, on both sides. Throws `ImportFailure` if the data is damaged or the meter
 * rejects it.
 */
export type Gunzip = (packed: AsyncIterable<Uint8Array>, meter: UnwrapMeter) => AsyncIterable<Uint8Array>;
