import { constants } from 'node:fs';
import { access, lstat, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { defaultConfigPath } from '../config/config-path.ts';
import { isLocked } from '../disk/folder-lock.ts';
import { ownIdentity } from '../disk/process-identity.ts';
import { EngineFailure, errorCode, isMissing } from '../failure.ts';
import { createCaptureContents } from './captures/contents.ts';
import {
  cleanName,
  displayName,
  DOCUMENT_FILE,
  isCaptureId,
  isGeneratedId,
  rawFileName,
  TRASH_FOLDER,
  WRITER_LOCK,
} from './captures/files.ts';
import { createCaptureList } from './captures/list.ts';
import {
  captureFolder,
  guarded,
  noSuchCapture,
  touchLibrary,
  withEditLock,
  type CaptureStore,
} from './captures/store.ts';
import { createCapture } from './captures/writer.ts';
import { createCurrentDocuments } from './current-documents.ts';
import { createChangeListeners, readFolders } from './library-folders.ts';
import { inspectLibrary, prepareLibrary, refuseHome } from './library-marker.ts';
import type { Library, LibraryOptions } from './library.types.ts';
import { moveFromTrash, moveToTrash } from './move-to-trash.ts';
import { editNotes, readNotes } from './notes-file.ts';
import { createReadPermissions } from './read-permissions.ts';
import { clearTempFolder } from './staging.ts';
import { createStoredCaptures } from './stored-captures.ts';

export type { Library, LibraryOptions } from './library.types.ts';

/**
 * Opens the library at `path`, which need not exist yet. Throws an `EngineFailure` if something is there that can't be
 * one; see `inspectLibrary`.
 */
export async function openLibrary(path: string, options: LibraryOptions = {}): Promise<Library> {
  const root = resolve(path);
  const found = await stat(root).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw unreadable(root, error);
  });
  if (found !== null && !found.isDirectory()) {
    throw new EngineFailure(
      'not-a-folder',
      `The library ${root} is not a folder.`,
      'Set FLAMEBENCH_LIBRARY or --library to a folder.',
    );
  }
  if (found !== null) {
    await refuseHome(root);
    // Captures that can't be listed would look like none.
    await access(root, constants.R_OK | constants.X_OK).catch((error: unknown) => {
      throw unreadable(root, error);
    });
  }
  const state = await inspectLibrary(root);
  const library = await assembleLibrary(root, options);
  if (state.kind === 'mixed') library.notices.push(`${state.failure.message} ${state.failure.remedy ?? ''}`);
  // One that can't be written is still read; the first change gives the reason.
  if (state.kind === 'earlier' && options.recover !== undefined) await prepareLibrary(root).catch(() => undefined);
  await library.recoverAll();
  return library;
}

const unreadable = (root: string, error: unknown): EngineFailure =>
  new EngineFailure(
    'library-unreadable',
    `The library ${root} can't be read (${errorCode(error) ?? String(error)}).`,
    'Make the folder readable for this user, or set FLAMEBENCH_LIBRARY or --library to another one.',
    { cause: error },
  );

interface OpenedLibrary extends Library {
  readonly notices: string[];
  recoverAll(): Promise<void>;
}

async function assembleLibrary(root: string, options: LibraryOptions): Promise<OpenedLibrary> {
  const listeners = createChangeListeners(root);
  const configPath = options.configPath ?? defaultConfigPath();
  const permissions = createReadPermissions(root, configPath);
  const store: CaptureStore = {
    root,
    self: await ownIdentity(),
    now: options.now ?? Date.now,
    onChange: () => listeners.announce(),
    mayReadHere: async (document) => (await permissions.of(document)) !== null,
  };
  const notices: string[] = [];
  const documents = createCurrentDocuments(store, configPath, options.recover, (line) => notices.push(line));
  const stored = createStoredCaptures(store, documents, options.samplesPath ?? null);
  const { folderOf, folderToChange, edit } = stored;

  const library: OpenedLibrary = {
    path: root,
    notices,

    async recoverAll() {
      if (options.recover === undefined) return;
      await clearTempFolder(root);
      if (options.recoverLater !== true) await library.list();
    },

    ...createCaptureList(root, configPath, stored, documents),
    ...createCaptureContents(store, stored, documents),
    get: async (id) => (await folderOf(id)).document,
    rename: (id, name) => edit(id, (document) => ({ ...document, name: cleanName(name) })),
    setLoad: (id, load) => edit(id, (document) => ({ ...document, load })),
    tag: (id, tags) => edit(id, (document) => ({ ...document, tags: [...new Set(tags.map(cleanName))] })),

    async trash(id) {
      await stored.refuseSample(id);
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

    mayReadHere: (document, machine) => permissions.of(document, machine),
    confirmReading: (id, isConfirmed) => permissions.confirm(id, isConfirmed),
    forgetRecorded: (id) => permissions.forget(id),

    settled: () => documents.settled(),

    onChange: (listener) => listeners.add(listener),
    close: () => listeners.close(),
  };
  return library;
}

const tooLarge = (name: string, limitBytes: number): EngineFailure =>
  new EngineFailure(
    'too-large',
    `${displayName(name)} is larger than ${Math.floor(limitBytes / 2 ** 20)} MiB.`,
    'Record for a shorter time or at a lower rate.',
  );
