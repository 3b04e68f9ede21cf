import type { CaptureDocument, CaptureNotes, DamagedCapture, TimeMark } from '#core/contract/schemas.ts';
import type { CaptureWriter, NewCapture } from './capture-writer.ts';
import type { Machine, ReadPermission } from './read-permissions.ts';
import type { RecoverCapture } from './recover-captures.ts';

export interface LibraryOptions {
  /** Given: captures whose writer has ended are marked and completed, at the start and when they are met later. */
  readonly recover?: RecoverCapture;
  /** Folder of bundled captures, listed read-only beside the library's own. */
  readonly samplesPath?: string | null;
  /** Where it is kept which captures were recorded here; default: the user's configuration. */
  readonly configPath?: string | undefined;
  readonly now?: () => number;
}

export interface LibraryList {
  /** Newest first. */
  readonly captures: readonly CaptureDocument[];
  readonly damaged: readonly DamagedCapture[];
}

/** A file of the library that can be streamed to a front end. */
export interface CaptureFile {
  readonly path: string;
  readonly fileName: string;
  readonly size: number;
  /** It is the native cache, not what the tool wrote. */
  readonly cached: boolean;
}

/**
 * The captures on disk; docs/library.md has the layout. Any number of processes may work on one library at once: captures have locks of
 * their own, documents are replaced as a whole, and lists are read anew. Everything rejects with an `EngineFailure`.
 */
export interface Library {
  readonly path: string;
  list(query?: string): Promise<LibraryList>;
  get(id: string): Promise<CaptureDocument>;
  rename(id: string, name: string): Promise<CaptureDocument>;
  tag(id: string, tags: readonly string[]): Promise<CaptureDocument>;
  /** Moves the folder into `.trash`. Nothing is ever deleted from there by Flamebench. */
  trash(id: string): Promise<void>;
  restore(id: string): Promise<CaptureDocument>;
  isTrashed(id: string): Promise<boolean>;
  /** Tells this process and others that something else of the library changed. */
  touch(): Promise<void>;
  notes(id: string): Promise<CaptureNotes>;
  annotate(id: string, text: string): Promise<CaptureNotes>;
  /** Adds or replaces marks by their ids, and removes others. */
  mark(id: string, put: readonly TimeMark[], remove: readonly string[]): Promise<CaptureNotes>;
  create(initial: NewCapture): Promise<CaptureWriter>;
  /** Copies a file into the library as it streams in; `limitBytes` ends it with code `too-large`. */
  importFile(originalName: string, chunks: AsyncIterable<Uint8Array>, limitBytes?: number): Promise<CaptureDocument>;
  /**
   * Asked before any file that a capture names is opened, and before any tool is run for it; null: the user has to confirm it first.
   * `machine`: where that is to happen, by default here.
   */
  mayReadHere(document: CaptureDocument, machine?: Machine): Promise<ReadPermission | null>;
  /** The user's word for {@link mayReadHere}; not kept beyond this process. */
  confirmReading(id: string, isConfirmed: boolean): void;
  /** The capture under this id is from elsewhere, whatever had the id before. */
  forgetRecorded(id: string): Promise<void>;
  /** What to open of a capture: its cache where it is newer than the primary file and not refused. */
  openFile(id: string, options?: { readonly ignoreCache?: boolean }): Promise<CaptureFile>;
  /** A file that the capture's document names, as the tool wrote it. */
  rawFile(id: string, fileName: string): Promise<CaptureFile>;
  /** Puts a file made of the capture's own beside them, and has it opened from now on. `change`: what else its document says then. */
  keepDerived(
    id: string,
    fileName: string,
    chunks: AsyncIterable<Uint8Array>,
    change?: (document: CaptureDocument) => CaptureDocument,
  ): Promise<CaptureDocument>;
  /** Keeps the native form of a capture. False where there is no place for it. */
  saveCache(id: string, chunks: AsyncIterable<Uint8Array>): Promise<boolean>;
  /** Lines to show once: captures that were cut off and recovered. */
  readonly notices: readonly string[];
  /** Called after changes by this process, and within a second or two after changes by others. Returns the way to stop it. */
  onChange(listener: () => void): () => void;
  /** Resolves when no recovery is under way. */
  settled(): Promise<void>;
  close(): void;
}
