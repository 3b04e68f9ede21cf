import { randomBytes } from 'node:crypto';
import { lstat, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { captureMatcher } from '#core/contract/match-capture.ts';
import type { CaptureDocument, DamagedCapture } from '#core/contract/schemas.ts';
import { defaultConfigPath } from '../config/config-path.ts';
import { withLost } from '#core/model/quality-grade.ts';
import { EngineFailure } from '../failure.ts';
import { editNotes, readNotes } from './notes-file.ts';
import { readCacheFacts, findCacheFile, saveCacheFile } from './capture-cache.ts';
import { damagedCapture } from './capture-document.ts';
import {
  CACHE_FILE,
  cleanName,
  displayName,
  DOCUMENT_FILE,
  isCaptureId,
  isGeneratedId,
  rawFileName,
  TRASH_FOLDER,
  WRITER_LOCK,
} from './capture-files.ts';
import {
  captureFolder,
  editDocument,
  guarded,
  noSuchCapture,
  ownCaptureFolder,
  touchLibrary,
  withEditLock,
  type CaptureStore,
} from './capture-store.ts';
import { NO_INDEX, readCaptureIndex } from './capture-index.ts';
import { createCapture } from './capture-writer.ts';
import { createCurrentDocuments } from './current-documents.ts';
import { keepDerivedFile } from './derived-file.ts';
import { isLocked } from '../disk/folder-lock.ts';
import { readFolders, regularFile, watchLibrary } from './library-folders.ts';
import { inspectLibrary, prepareLibrary, refuseHome } from './library-marker.ts';
import type { Library, LibraryOptions } from './library.types.ts';
import { moveFromTrash, moveToTrash } from './move-to-trash.ts';
import { ownIdentity } from '../disk/process-identity.ts';
import { createReadPermissions } from './read-permissions.ts';
import { isSampleId, readSampleCaptures } from './sample-captures.ts';
import { clearTempFolder } from './staging.ts';
import { DamagedDocument, DOCUMENT_LIMIT_BYTES } from './versioned-document.ts';

export type { Library, LibraryOptions } from './library.types.ts';

/**
 * Opens the library at `path`, which need not exist yet. Throws an `EngineFailure` if something is there that can't be
 * one; see `inspectLibrary`.
 */
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
  if (found !== null) await refuseHome(root);
  const state = await inspectLibrary(root);
  const library = await assembleLibrary(root, options);
  if (state.kind === 'mixed') library.notices.push(`${state.failure.message} ${state.failure.remedy ?? ''}`);
  // One that can't be written is still read; the first change gives the reason.
  if (state.kind === 'earlier' && options.recover !== undefined) await prepareLibrary(root).catch(() => undefined);
  await library.recoverAll();
  return library;
}

interface OpenedLibrary extends Library {
  readonly notices: string[];
  recoverAll(): Promise<void>;
}

async function assembleLibrary(root: string, options: LibraryOptions): Promise<OpenedLibrary> {
  const listeners = new Set<() => void>();
  let stopWatching: (() => void) | null = null;
  const announce = (): void => {
    for (const listener of listeners) listener();
  };
  const configPath = options.configPath ?? defaultConfigPath();
  const permissions = createReadPermissions(root, configPath);
  const store: CaptureStore = {
    root,
    self: await ownIdentity(),
    now: options.now ?? Date.now,
    onChange: announce,
    mayReadHere: async (document) => (await permissions.of(document)) !== null,
  };
  const samplesPath = options.samplesPath ?? null;
  let read: ReturnType<typeof readSampleCaptures> | undefined;
  const samples = (): ReturnType<typeof readSampleCaptures> => (read ??= readSampleCaptures(samplesPath));
  const sampleOf = async (id: string) => (isSampleId(id) ? (await samples()).get(id) : undefined);
  const notices: string[] = [];
  /** Later lists of this process have the documents in memory. */
  let hasListed = false;

  const documents = createCurrentDocuments(store, configPath, options.recover, (line) => notices.push(line));

  async function current(id: string): Promise<CaptureDocument> {
    return (await sampleOf(id))?.document ?? documents.of(id);
  }

  async function folderOf(id: string): Promise<{ folder: string; document: CaptureDocument }> {
    return guarded(`read the capture ${id}`, id, async () => ({
      folder: (await sampleOf(id))?.folder ?? (await ownCaptureFolder(store, id)),
      document: await current(id),
    }));
  }

  async function refuseSample(id: string): Promise<void> {
    if ((await sampleOf(id)) === undefined) return;
    throw new EngineFailure(
      'read-only',
      'The bundled samples can’t be changed.',
      'Drop the file into the window to get your own copy.',
    );
  }

  async function folderToChange(id: string): Promise<string> {
    await refuseSample(id);
    await prepareLibrary(root);
    return ownCaptureFolder(store, id);
  }

  async function edit(id: string, change: (document: CaptureDocument) => CaptureDocument): Promise<CaptureDocument> {
    const changed = await guarded(`change the capture ${id}`, id, async () =>
      editDocument(store, await folderToChange(id), change),
    );
    await touchLibrary(store);
    return changed;
  }

  /**
   * Adds the format and quality of an imported file after it has been parsed. If they are unavailable, they are missing
   * from the list, nothing else.
   */
  async function keepFacts(id: string, folder: string): Promise<void> {
    const facts = await readCacheFacts(join(folder, CACHE_FILE)).catch(() => null);
    if (facts === null) return;
    const { format, quality } = facts;
    const found = (document: CaptureDocument): CaptureDocument => {
      // The collector counted events; one row may stand for many of them.
      const samples = document.format === null ? facts.samples : (document.samples ?? facts.samples);
      return {
        ...document,
        ...(document.format === null ? { format, samples } : {}),
        ...(quality === null ? {} : { quality: withLost(quality, samples, document.lostSamples ?? 0) }),
      };
    };
    await edit(id, found).catch(() => undefined);
  }

  const library: OpenedLibrary = {
    path: root,
    notices,

    async recoverAll() {
      if (options.recover === undefined) return;
      await clearTempFolder(root);
      if (options.recoverLater !== true) await library.list();
    },

    async list(query = '') {
      const matches = captureMatcher(query);
      const captures = [...(await samples()).values()].map(({ document }) => document);
      const damaged: DamagedCapture[] = [];
      const refuseTooMuch = documentBudget();
      const index = hasListed ? NO_INDEX : await readCaptureIndex(root, configPath);
      hasListed = true;
      for (const [place, { name, damage }] of (await readFolders(root)).entries()) {
        if (place % READ_AT_ONCE === READ_AT_ONCE - 1) await setImmediate();
        try {
          if (damage === null) captures.push(await documents.of(name, index, refuseTooMuch));
          else damaged.push(damage);
        } catch (error) {
          // The capture was moved to the trash while the list was read.
          if ((await lstat(join(root, name)).catch(() => null)) !== null) damaged.push(damagedCapture(name, error));
        }
      }
      await documents.keep(index);
      captures.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
      return { captures: captures.filter(matches), damaged };
    },

    async beginning(prefix) {
      const folders = (await readFolders(root)).filter(
        ({ name, damage }) => damage === null && name.startsWith(prefix),
      );
      const found = await Promise.all(folders.map(({ name }) => current(name).catch(() => null)));
      return found.filter((document) => document !== null);
    },

    get: async (id) => (await folderOf(id)).document,
    rename: (id, name) => edit(id, (document) => ({ ...document, name: cleanName(name) })),
    setLoad: (id, load) => edit(id, (document) => ({ ...document, load })),
    tag: (id, tags) => edit(id, (document) => ({ ...document, tags: [...new Set(tags.map(cleanName))] })),

    async trash(id) {
      await refuseSample(id);
      // A damaged folder in the list can have any name.
      const isListed = (await readFolders(root)).some(({ name, damage }) => damage !== null && name === id);
      const folder = isListed ? join(root, id) : captureFolder(store, id);
      await guarded(`move the capture ${id} to the trash`, id, async () => {
        await prepareLibrary(root);
        if (!isGeneratedId(id) && !(await lstat(join(folder, DOCUMENT_FILE))).isFile()) throw noSuchCapture(id);
        if (await isLocked(folder, WRITER_LOCK, store.self)) {
          throw new EngineFailure('in-use', 'This capture is being recorded.', 'Stop or cancel the recording first.');
        }
        await moveToTrash(root, folder, store.now());
      });
      documents.forget(id);
      permissions.confirm(id, false);
      await touchLibrary(store);
    },

    async restore(id) {
      const folder = captureFolder(store, id);
      await guarded(`restore the capture ${id}`, id, () => moveFromTrash(root, id, folder));
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

    async editNotes(id, change) {
      const notes = await guarded(`write the notes of ${id}`, id, async () => {
        const folder = await folderToChange(id);
        return withEditLock(store, folder, () => editNotes(folder, change));
      });
      await touchLibrary(store);
      return notes;
    },

    async create(initial) {
      const writer = await createCapture(store, initial);
      const { origin, target } = initial;
      if (origin === 'recorded' && target !== null && target !== undefined) {
        await permissions.noteRecorded(writer.id, target);
      }
      return writer;
    },

    mayReadHere: (document, machine) => permissions.of(document, machine),
    confirmReading: (id, isConfirmed) => permissions.confirm(id, isConfirmed),
    forgetRecorded: (id) => permissions.forget(id),

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
        // An empty file has no chunk that would create it.
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

    async keepDerived(id, fileName, chunks, change) {
      return guarded(`keep ${fileName} in the capture ${id}`, id, async () =>
        keepDerivedFile(store, await folderToChange(id), fileName, chunks, change),
      );
    },

    async saveCache(id, chunks) {
      const { folder, document } = await folderOf(id);
      if ((await sampleOf(id)) !== undefined || document.state !== 'finished' || documents.isRecovering(id))
        return false;
      const kept = await saveCacheFile(store, folder, randomBytes(8).toString('hex'), chunks);
      if (kept && (document.format === null || document.quality === undefined)) await keepFacts(id, folder);
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

    settled: () => documents.settled(),

    close() {
      listeners.clear();
      stopWatching?.();
      stopWatching = null;
    },
  };
  return library;
}

/** Number of documents that a list reads before other work of this process has its turn. */
const READ_AT_ONCE = 200;

/**
 * Size in bytes from which documents count towards the list's limit; a command line of a megabyte makes one this large.
 */
const LARGE_DOCUMENT_BYTES = 1 << 16;
/** Limit on the large documents of one list, in bytes, since the list is sent to windows as one message. */
const LIST_BYTES = 64 << 20;

/** Returns a check that throws for a document, by its size in bytes, that would make a list too large. */
function documentBudget(): (size: number) => void {
  let bytes = 0;
  return (size) => {
    if (size <= LARGE_DOCUMENT_BYTES || size > DOCUMENT_LIMIT_BYTES) return;
    bytes += size;
    if (bytes > LIST_BYTES) {
      throw new DamagedDocument(
        `capture.json: ${Math.ceil(size / 2 ** 20)} MiB; large documents together may have at most ${LIST_BYTES >> 20} MiB`,
        'Delete captures with documents as large as this, or move them to another library.',
      );
    }
  };
}

const tooLarge = (name: string, limitBytes: number): EngineFailure =>
  new EngineFailure(
    'too-large',
    `${displayName(name)} is larger than ${Math.floor(limitBytes / 2 ** 20)} MiB.`,
    'Record for a shorter time or at a lower rate.',
  );
