import { randomBytes } from 'node:crypto';
import { lstat, rename, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { CaptureDocument, CaptureNotes, DamagedCapture, TimeMark } from '#core/contract/schemas.ts';
import { EngineFailure } from '../failure.ts';
import { readCacheFacts } from './cache-facts.ts';
import { findCacheFile, saveCacheFile } from './capture-cache.ts';
import { damagedCapture } from './capture-document.ts';
import {
  CACHE_FILE,
  cleanName,
  displayName,
  DOCUMENT_FILE,
  isCaptureId,
  rawFileName,
  TRASH_FOLDER,
  WRITER_LOCK,
} from './capture-files.ts';
import { captureMatcher } from './capture-search.ts';
import {
  captureFolder,
  editDocument,
  editNotes,
  guarded,
  makeFolder,
  readDocument,
  readNotes,
  touchLibrary,
  type CaptureStore,
} from './capture-store.ts';
import { createCapture, type CaptureWriter, type NewCapture } from './capture-writer.ts';
import { changeMarks } from './change-marks.ts';
import { keepDerivedFile } from './derived-file.ts';
import { isLocked } from './folder-lock.ts';
import { readFolders, regularFile, renamedFolder, watchLibrary } from './library-folders.ts';
import { ownIdentity } from './process-identity.ts';
import { clearTempFolder, isAbandoned, recoverAbandoned, type RecoverCapture } from './recover-captures.ts';
import { readSampleCaptures } from './sample-captures.ts';

export interface LibraryOptions {
  /** Given: captures whose writer has ended are marked and completed, at the start and when they are met later. */
  readonly recover?: RecoverCapture;
  /** Folder of bundled captures, listed read-only beside the library's own. */
  readonly samplesPath?: string | null;
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
  /** What to open of a capture: its cache where it is newer than the primary file and not refused. */
  openFile(id: string, options?: { readonly ignoreCache?: boolean }): Promise<CaptureFile>;
  /** A file that the capture's document names, as the tool wrote it. */
  rawFile(id: string, fileName: string): Promise<CaptureFile>;
  /** Puts a file made of the capture's own beside them, and has it opened from now on. */
  keepDerived(id: string, fileName: string, chunks: AsyncIterable<Uint8Array>): Promise<CaptureDocument>;
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

/** File times move in steps of up to 10 ms: two writes in one step look alike, so what has just been written is read again. */
const CLOCK_GRAIN_MS = 50;

/** Opens the library at `path`, which need not exist yet. Fails only where something that is no folder is in its place. */
export async function openLibrary(path: string, options: LibraryOptions = {}): Promise<Library> {
  const root = resolve(path);
  const found = await stat(root).catch(() => null);
  if (found !== null && !found.isDirectory()) {
    throw new EngineFailure(
      'not-a-folder',
      `The library ${root} is not a folder.`,
      'Set FLAMEBENCH_LIBRARY or --library to a folder.',
    );
  }
  const library = await assembleLibrary(root, options);
  await library.recoverAll();
  return library;
}

async function assembleLibrary(
  root: string,
  options: LibraryOptions,
): Promise<Library & { recoverAll(): Promise<void> }> {
  const listeners = new Set<() => void>();
  let stopWatching: (() => void) | null = null;
  const announce = (): void => {
    for (const listener of listeners) listener();
  };
  const store: CaptureStore = { root, self: await ownIdentity(), now: options.now ?? Date.now, onChange: announce };
  const samplesPath = options.samplesPath ?? null;
  const samples = samplesPath === null ? new Map<string, never>() : await readSampleCaptures(samplesPath);
  const notices: string[] = [];
  const recoveries = new Map<string, Promise<void>>();
  const known = new Map<string, { stamp: string; document: CaptureDocument }>();

  /** Starts the recovery of an abandoned capture; resolves once the capture has been marked. */
  function startRecovery(id: string): Promise<void> {
    const { recover } = options;
    if (recover === undefined || recoveries.has(id)) return Promise.resolve();
    return new Promise((marked) => {
      const onMarked = (document: CaptureDocument): void => {
        notices.push(
          `The capture “${document.name}” was cut off: the Flamebench that made it ended. What had arrived is kept.`,
        );
        marked();
      };
      const recovery = recoverAbandoned(store, id, recover, onMarked)
        .then(() => {
          recoveries.delete(id);
        })
        // A read-only library: the capture is shown as incomplete all the same, and not tried again.
        .catch(() => undefined)
        .finally(marked);
      recoveries.set(id, recovery);
    });
  }

  /** The document as it is to be shown: a capture without a live writer is not being recorded, whatever its file says. */
  async function current(id: string): Promise<CaptureDocument> {
    const sample = samples.get(id);
    if (sample !== undefined) return sample.document;
    const folder = captureFolder(store, id);
    const { ino, size, mtimeMs } = await lstat(join(folder, DOCUMENT_FILE));
    const stamp = `${ino} ${size} ${mtimeMs}`;
    const cached = known.get(id);
    const document = cached?.stamp === stamp ? cached.document : { ...(await readDocument(folder)), id };
    if (Date.now() - mtimeMs > CLOCK_GRAIN_MS) known.set(id, { stamp, document });
    if (!(await isAbandoned(store, folder, document))) return document;
    await startRecovery(id);
    return { ...document, state: 'finished', incomplete: true };
  }

  async function folderOf(id: string): Promise<{ folder: string; document: CaptureDocument }> {
    const document = await guarded(`read the capture ${id}`, id, () => current(id));
    return { folder: samples.get(id)?.folder ?? captureFolder(store, id), document };
  }

  function refuseSample(id: string): void {
    if (!samples.has(id)) return;
    throw new EngineFailure(
      'read-only',
      'The bundled samples can’t be changed.',
      'Drop the file into the window to have a copy of your own.',
    );
  }

  async function edit(id: string, change: (document: CaptureDocument) => CaptureDocument): Promise<CaptureDocument> {
    refuseSample(id);
    const folder = captureFolder(store, id);
    const changed = await guarded(`change the capture ${id}`, id, () => editDocument(store, folder, change));
    await touchLibrary(store);
    return changed;
  }

  async function changeNotes(id: string, change: (notes: CaptureNotes) => CaptureNotes): Promise<CaptureNotes> {
    refuseSample(id);
    const folder = captureFolder(store, id);
    return guarded(`write the notes of ${id}`, id, () => editNotes(store, folder, change));
  }

  /** An imported file says what it is once it has been parsed. Without these facts the list is poorer, nothing else. */
  async function keepFacts(id: string, folder: string): Promise<void> {
    const facts = await readCacheFacts(join(folder, CACHE_FILE)).catch(() => null);
    if (facts !== null) await edit(id, (document) => ({ ...document, ...facts })).catch(() => undefined);
  }

  const library: Library & { recoverAll(): Promise<void> } = {
    path: root,
    notices,

    async recoverAll() {
      if (options.recover === undefined) return;
      await clearTempFolder(store);
      await library.list();
    },

    async list(query = '') {
      const matches = captureMatcher(query);
      const captures = [...samples.values()].map(({ document }) => document);
      const damaged: DamagedCapture[] = [];
      for (const { name, isCapture } of await readFolders(root)) {
        try {
          if (isCapture) captures.push(await current(name));
          else damaged.push(renamedFolder(name));
        } catch (error) {
          // Trashed while the list was read.
          if ((await lstat(join(root, name)).catch(() => null)) !== null) damaged.push(damagedCapture(name, error));
        }
      }
      captures.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
      return { captures: captures.filter(matches), damaged };
    },

    get: async (id) => (await folderOf(id)).document,
    rename: (id, name) => edit(id, (document) => ({ ...document, name: cleanName(name) })),
    tag: (id, tags) => edit(id, (document) => ({ ...document, tags: [...new Set(tags.map(cleanName))] })),

    async trash(id) {
      refuseSample(id);
      const folder = captureFolder(store, id);
      await guarded(`move the capture ${id} to the trash`, id, async () => {
        if (await isLocked(folder, WRITER_LOCK, store.self)) {
          throw new EngineFailure('in-use', 'This capture is being recorded.', 'Stop or cancel the recording first.');
        }
        await rename(folder, join(await makeFolder(store, TRASH_FOLDER), id));
      });
      known.delete(id);
      await touchLibrary(store);
    },

    async restore(id) {
      const folder = captureFolder(store, id);
      await guarded(`restore the capture ${id}`, id, () => rename(join(root, TRASH_FOLDER, id), folder));
      await touchLibrary(store);
      return library.get(id);
    },

    async isTrashed(id) {
      return isCaptureId(id) && (await lstat(join(root, TRASH_FOLDER, id)).catch(() => null)) !== null;
    },

    touch: () => touchLibrary(store),

    async notes(id) {
      const { folder } = await folderOf(id);
      return guarded(`read the notes of ${id}`, id, () => readNotes(folder));
    },

    annotate: (id, text) => changeNotes(id, (notes) => ({ ...notes, text })),
    mark: (id, put, remove) => changeNotes(id, (notes) => changeMarks(notes, put, remove)),

    create: (initial) => createCapture(store, initial),

    async importFile(originalName, chunks, limitBytes = Number.POSITIVE_INFINITY) {
      const primaryFile = rawFileName(originalName);
      const writer = await library.create({ name: displayName(originalName), origin: 'imported', primaryFile });
      try {
        let bytes = 0;
        for await (const chunk of chunks) {
          bytes += chunk.length;
          if (bytes > limitBytes) throw tooLarge(originalName, limitBytes);
          await writer.append(primaryFile, chunk);
        }
        // An empty file has no chunk to make it.
        await writer.append(primaryFile, new Uint8Array(0));
        return await writer.finish();
      } catch (error) {
        await writer.discard();
        throw error;
      }
    },

    async openFile(id, { ignoreCache = false } = {}) {
      const { folder, document } = await folderOf(id);
      return guarded(`open the capture ${id}`, id, async () => {
        const primary = await regularFile(folder, document.primaryFile);
        if (ignoreCache || document.state !== 'finished') return primary;
        return (await findCacheFile(folder, primary)) ?? primary;
      });
    },

    async rawFile(id, fileName) {
      const { folder, document } = await folderOf(id);
      if (fileName !== document.primaryFile && !document.otherFiles.includes(fileName)) {
        throw new EngineFailure('file-missing', `The capture has no file ${fileName}.`);
      }
      return guarded(`open the capture ${id}`, id, () => regularFile(folder, fileName));
    },

    async keepDerived(id, fileName, chunks) {
      refuseSample(id);
      const { folder } = await folderOf(id);
      return guarded(`keep ${fileName} in the capture ${id}`, id, () =>
        keepDerivedFile(store, folder, fileName, chunks),
      );
    },

    async saveCache(id, chunks) {
      const { folder, document } = await folderOf(id);
      if (samples.has(id) || document.state !== 'finished' || recoveries.has(id)) return false;
      const kept = await saveCacheFile(store, folder, randomBytes(8).toString('hex'), chunks);
      if (kept && document.format === null) await keepFacts(id, folder);
      return kept;
    },

    onChange(listener) {
      stopWatching ??= watchLibrary(root, announce);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) library.close();
      };
    },

    async settled() {
      await Promise.all(recoveries.values());
    },

    close() {
      listeners.clear();
      stopWatching?.();
      stopWatching = null;
    },
  };
  return library;
}

const tooLarge = (name: string, limitBytes: number): EngineFailure =>
  new EngineFailure(
    'too-large',
    `${displayName(name)} is larger than ${Math.floor(limitBytes / 2 ** 20)} MiB.`,
    'Record for a shorter time or at a lower rate.',
  );
