import type { Profile } from '../model/profile.ts';
import type { SymbolRequest, SymbolSource, SymbolTable } from '../symbols/symbols.ts';

/** Bytes to import, read once and in order. Chunks may be reused by the source after the next one is asked for. */
export interface ByteSource {
  /** For messages, for sniffing by extension and for `metadata.fileName`; no path. */
  readonly fileName: string;
  /** Bytes of the (compressed) input where known; for progress. */
  readonly size: number | null;
  /** The bytes as they come. A chunk is valid until the next one is asked for. */
  chunks(): AsyncIterable<Uint8Array>;
}

export type SniffResult = 'yes' | 'maybe' | 'no';

/** The first 64 KiB of the unwrapped input, as bytes and (UTF-8 with replacement, BOMs honoured) as text. */
export interface Head {
  readonly bytes: Uint8Array;
  readonly text: string;
  /** The whole input is in `bytes`. */
  readonly complete: boolean;
}

/** One row of the registry: a format that Flamebench opens. */
export interface Importer {
  /** Stable id: `perf-script`, `folded`, `pprof`. */
  readonly id: string;
  readonly label: string;
  /** Without the dot; hints for dialogs and ties, content decides. */
  readonly extensions: readonly string[];
  /** What of the format ends up in the profile, and what is lost. For `flamebench formats` and the docs. */
  readonly keeps: string;
  readonly loses: string;
  /** How the format is recognised, in words. */
  readonly recognizedBy: string;
  /** Where the format is specified. */
  readonly specification: string;
  /** Looks at content only as far as needed to say which format it is. */
  sniff(head: Head, fileName: string): SniffResult;
  /** A promise where the reader is loaded first: few inputs are of the format. */
  start(context: ImportContext): ImportSession | Promise<ImportSession>;
}

export interface ImportContext {
  readonly fileName: string;
}

/**
 * A parser that is fed bytes. It keeps what it needs of a chunk before `push` returns. Throws `ImportFailure` as soon as the input is
 * known to be broken. After a throw or `finish` it is not used again.
 */
export interface ImportSession {
  push(chunk: Uint8Array): void;
  /** Binaries whose symbols the input lacks. Asked for after the last `push`, where symbols can be had. */
  wantedSymbols?(): readonly SymbolRequest[];
  /** `symbols`: by the path of the request; absent where none could be had. */
  finish(symbols?: ReadonlyMap<string, SymbolTable>): Profile;
}

export interface ImportOptions {
  /** Use this importer whatever the content says. */
  readonly format?: string;
  /** Called at least every few megabytes; throws to cancel. `readBytes` counts the source's (compressed) bytes. */
  readonly onProgress?: (readBytes: number, totalBytes: number | null) => void;
  /** Where the names of code in binaries can be had. Without, such frames stay module and offset. */
  readonly symbols?: SymbolSource | undefined;
}
