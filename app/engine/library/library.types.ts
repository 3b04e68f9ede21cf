import type { Note, NoteChange } from '#core/contract/notes.ts';
import type { CaptureDocument, CaptureLoad, DamagedCapture } from '#core/contract/schemas.ts';
import type { CaptureWriter, NewCapture } from './captures/writer.ts';
import type { Machine, ReadPermission } from './read-permissions.ts';
import type { RecoverCapture } from './recover-captures.ts';

export interface LibraryOptions {
  /** If given, captures whose writer has ended are marked and completed, at the start and when they are found later. */
  readonly recover?: RecoverCapture;
  /** Leaves all captures unread at the start, so that opening a large library takes no longer than a small one. */
  readonly recoverLater?: boolean;
  /** Folder of bundled captures, listed read-only with the library's own. */
  readonly samplesPath?: string | null;
  /** Folder that records which captures were made here; defaults to the user's configuration. */
  readonly configPath?: string | undefined;
  readonly now?: () => number;
}

interface LibraryList {
  /** Newest first. */
  readonly captures: readonly CaptureDocument[];
  readonly damaged: readonly DamagedCapture[];
}

/** A file of the library that can be streamed to a front end. */
export interface CaptureFile {
  readonly path: string;
  readonly fileName: string;
  readonly size: number;
  /** True for the native cache, false for the file that the tool wrote. */
  readonly cached: boolean;
}

/**
 * The captures on disk; docs/library.md describes the layout. Any number of processes may use one library concurrently:
 * captures have their own locks, documents are replaced as a whole, and lists are read again. All methods reject with
 * an `EngineFailure`.
 */
export interface Library {
  readonly path: string;
  list(query?: string): Promise<LibraryList>;
  /** Returns the library's own readable captures whose ID begins so, and reads no others. */
  beginning(prefix: string): Promise<CaptureDocument[]>;
  get(id: string): Promise<CaptureDocument>;
  rename(id: string, name: string): Promise<CaptureDocument>;
  tag(id: string, tags: readonly string[]): Promise<CaptureDocument>;
  /** Records during which run of a load test a capture was made. */
  setLoad(id: string, load: CaptureLoad): Promise<CaptureDocument>;
  /** Moves the folder to `.trash`, from which Flamebench never deletes anything by itself. */
  trash(id: string): Promise<void>;
  restore(id: string): Promise<CaptureDocument>;
  isTrashed(id: string): Promise<boolean>;
  /** Notifies this process and others of another change in the library. */
  touch(): Promise<void>;
  notes(id: string): Promise<Note[]>;
  /** Changes notes under a lock, so that concurrent changes are not lost, and returns all notes. */
  editNotes(id: string, change: NoteChange): Promise<Note[]>;
  create(initial: NewCapture): Promise<CaptureWriter>;
  /** Copies a stream into the library as a file; exceeding `limitBytes` fails with code `too-large`. */
  importFile(originalName: string, chunks: AsyncIterable<Uint8Array>, limitBytes?: number): Promise<CaptureDocument>;
  /**
   * Call it before opening any file that a capture names, and before running a tool for it. Null means that the user
   * must confirm first. `machine` is where that would happen; defaults to this one.
   */
  mayReadHere(document: CaptureDocument, machine?: Machine): Promise<ReadPermission | null>;
  /** Records the user's confirmation for {@link mayReadHere}; it lasts as long as this process. */
  confirmReading(id: string, isConfirmed: boolean): void;
  /** Records that the capture with this ID now comes from elsewhere. */
  forgetRecorded(id: string): Promise<void>;
  /** Returns the file to open for a capture: its cache if that is newer than the primary file and not ignored. */
  openFile(id: string, options?: { readonly ignoreCache?: boolean }): Promise<CaptureFile>;
  /** Returns a file that the capture's document names, as the tool wrote it. */
  rawFile(id: string, fileName: string): Promise<CaptureFile>;
  /**
   * Adds a file derived from the capture's own files and makes it the primary file. `change` updates the rest of the
   * document.
   */
  keepDerived(
    id: string,
    fileName: string,
    chunks: AsyncIterable<Uint8Array>,
    change?: (document: CaptureDocument) => CaptureDocument,
  ): Promise<CaptureDocument>;
  /** Stores the native form of a capture. Returns false if there is no room for it. */
  saveCache(id: string, chunks: AsyncIterable<Uint8Array>): Promise<boolean>;
  /** Lines to show once, about captures that were cut off and recovered. */
  readonly notices: readonly string[];
  /**
   * Called after changes by this process, and within a second or two after changes by others. Returns the function that
   * stops it.
   */
  onChange(listener: () => void): () => void;
  /** Resolves when no recovery is running. */
  settled(): Promise<void>;
  close(): void;
}
