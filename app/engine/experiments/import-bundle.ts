import { createHash, randomBytes } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { createFile, makeFolders } from '#collectors/effects/write.ts';
import type { Experiment, ImportedExperiment } from '#core/contract/experiment.ts';
import type { Note } from '#core/contract/notes.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { unwrappedChunks } from '#core/import/unpack/unwrapped-chunks.ts';
import { UnwrapMeter } from '#core/import/unpack/unwrap-meter.ts';
import { ImportFailure } from '#core/model/failure.ts';
import { EngineFailure, errorCode, storageFailure } from '../failure.ts';
import { adoptCapture, sameFiles, type StagedCapture } from '../library/adopt-capture.ts';
import { parseNotes, readNotes } from '../library/notes-file.ts';
import { parseDocument } from '../library/captures/document.ts';
import { DOCUMENT_FILE, NOTES_FILE, TEMP_FOLDER } from '../library/captures/files.ts';
import type { Library } from '../library/library.ts';
import { underLock } from '../disk/folder-lock.ts';
import { ownIdentity } from '../disk/process-identity.ts';
import { withStaging } from '../library/staging.ts';
import { DamagedDocument, NewerDocument } from '../library/versioned-document.ts';
import { BUNDLE_LIMITS, bundlePlace, documentLimit, type BundleLimits, type BundlePlace } from './bundle-layout.ts';
import { parseFolderDocument } from '../library/document-folders.ts';
import { EXPERIMENTS } from '../library/experiment-document.ts';
import { capturesOf, type Experiments } from './experiments.ts';
import { readTar, TarError, type TarEntry } from './tar.ts';

/**
 * Imports a bundle from an untrusted source. It is unpacked next to the library and moved into it only after everything
 * has been checked; a refused bundle leaves nothing behind. Commands, hosts and names in it are treated as plain text.
 */
export async function importBundle(
  library: Library,
  experiments: Experiments,
  chunks: AsyncIterable<Uint8Array>,
  limits: Partial<BundleLimits> = {},
): Promise<ImportedExperiment> {
  try {
    return await withStaging(library.path, `import-${randomBytes(8).toString('hex')}`, async (folder) => {
      await makeFolders(folder);
      const unpacked = await unpack(folder, chunks, { ...BUNDLE_LIMITS, ...limits });
      const bring = () => addUnpacked(library, experiments, unpacked);
      const self = await ownIdentity();
      const waiting = { waitMs: IMPORT_WAIT_MS, inUse };
      return underLock(join(library.path, TEMP_FOLDER), IMPORT_LOCK, self, waiting, bring);
    });
  } catch (error) {
    throw importFailure(error, library.path);
  }
}

interface Unpacked {
  readonly experiment: Experiment;
  readonly notes: readonly Note[];
  /** By capture ID in the bundle. */
  readonly captures: ReadonlyMap<string, StagedCapture>;
}

async function unpack(folder: string, chunks: AsyncIterable<Uint8Array>, limits: BundleLimits): Promise<Unpacked> {
  let experiment: Experiment | null = null;
  let notes: readonly Note[] | null = null;
  const captures = new Map<string, StagedCapture>();
  const room = await freeBytes(folder);
  const readText = documentReader(limits);
  let [entries, bytes] = [0, 0];
  for await (const entry of readTar(unwrappedChunks(chunks, new UnwrapMeter({ what: 'it', remedy: '' })))) {
    entries += 1;
    bytes += entry.size;
    // The header states the file's size, so an excessive one is refused before anything is written.
    if (entries > limits.entries) throw refused(`has more than ${limits.entries} files`);
    if (bytes > limits.bytes) throw refused(`holds more than ${limits.bytes} bytes`);
    if (bytes > room) throw noRoom(bytes, room);
    const name = entry.name.replace(/^\.\//, '');
    if (entry.type === '5') continue;
    if (entry.type !== '0') throw refused(`holds ${shown(name)}, which is not a regular file`);
    if (name === EXPERIMENTS.fileName && experiment === null) {
      experiment = parseFolderDocument(EXPERIMENTS, await readText(entry));
      continue;
    }
    if (experiment === null) throw refused(`begins with ${shown(name)}, not with ${EXPERIMENTS.fileName}`);
    if (name === NOTES_FILE && notes === null) {
      notes = parseNotes(await readText(entry));
      continue;
    }
    const place = bundlePlace(name);
    if (place === null || !capturesOf(experiment).some(({ id }) => id === place.capture)) {
      throw refused(`holds ${shown(name)}, which is not part of a capture`);
    }
    await unpackFile(folder, captures, place, entry, readText);
  }
  if (experiment === null) throw refused('is empty');
  for (const capture of captures.values()) refuseIncomplete(capture);
  return { experiment, notes: notes ?? [], captures };
}

async function unpackFile(
  folder: string,
  captures: Map<string, StagedCapture>,
  { capture: id, fileName }: BundlePlace,
  entry: TarEntry,
  readText: DocumentReader,
): Promise<void> {
  const capture = captures.get(id);
  const what = shown(`${id}/${fileName}`);
  if (fileName === DOCUMENT_FILE) {
    if (capture !== undefined) throw refused(`holds ${what} twice`);
    const staged = { folder: join(folder, id), document: parseDocument(await readText(entry)), digests: new Map() };
    await makeFolders(staged.folder);
    captures.set(id, staged);
    return;
  }
  if (capture === undefined) throw refused(`holds ${what} before the ${DOCUMENT_FILE} of that capture`);
  const { document, digests } = capture;
  if (fileName === NOTES_FILE) {
    const text = await readText(entry);
    parseNotes(text);
    await writeHashed(join(capture.folder, NOTES_FILE), [Buffer.from(text)], what);
    return;
  }
  if (fileName !== document.primaryFile && !document.otherFiles.includes(fileName)) {
    throw refused(`holds ${what}, which its ${DOCUMENT_FILE} does not name`);
  }
  digests.set(fileName, await writeHashed(join(capture.folder, fileName), entry.body, what));
}

function refuseIncomplete({ document, digests }: StagedCapture): void {
  const lacking = [document.primaryFile, ...document.otherFiles].find((name) => !digests.has(name));
  if (lacking !== undefined)
    throw refused(`is missing the file ${shown(lacking)} of the capture ${shown(document.name)}`);
}

/** Taken on the temp folder, so that of two imports of the same bundle the second finds what the first added. */
const IMPORT_LOCK = 'import';
/** Maximum time to wait for another import, in ms. It reads the files of captures that the library has already. */
const IMPORT_WAIT_MS = 60_000;

const inUse = (): EngineFailure =>
  new EngineFailure(
    'in-use',
    'Another import into this library is still running. Nothing was imported.',
    'Try again; if this persists, quit the other process.',
  );

/**
 * Moves unpacked captures into the library. Captures that it has already stay unchanged; the others keep their IDs if
 * possible.
 */
async function addUnpacked(
  library: Library,
  experiments: Experiments,
  { experiment, notes, captures }: Unpacked,
): Promise<ImportedExperiment> {
  const ids = new Map<string, CaptureDocument>();
  let known = 0;
  for (const [id, capture] of captures) {
    const there = await library.get(id).catch(() => null);
    const own = await readNotes(capture.folder);
    // Bundled samples can't hold notes, so a sample with notes becomes a separate capture.
    const canHold = own.length === 0 || there?.origin !== 'sample';
    const isKnown = there !== null && canHold && (await sameFiles(library, there, capture));
    if (isKnown) {
      known += 1;
      await addMissing(library, there.id, own);
    }
    ids.set(id, isKnown ? there : await adoptCapture(library, id, capture));
  }
  const moved = (side: Experiment['before']): Experiment['before'] => ({
    ...side,
    captures: side.captures.map((capture) => {
      const { id, name } = ids.get(capture.id) ?? capture;
      return { ...capture, id, name };
    }),
  });
  const own = { ...experiment, before: moved(experiment.before), after: moved(experiment.after) };
  const { experiments: others } = await experiments.list();
  const same = others.find((other) => isSame(other.experiment, own));
  const state = same ?? (await experiments.adopt(own, notes));
  if (same !== undefined) await addMissing(experiments, same.experiment.id, notes);
  return { ...state, added: ids.size - known, known };
}

/** Adds the missing notes; existing ones stay unchanged, since they may have been edited here. */
async function addMissing(
  owner: Pick<Experiments, 'notes' | 'editNotes'>,
  id: string,
  notes: readonly Note[],
): Promise<void> {
  if (notes.length === 0) return;
  const known = new Set((await owner.notes(id)).map((note) => note.id));
  const put = notes.filter((note) => !known.has(note.id));
  if (put.length > 0) await owner.editNotes(id, { put, remove: [] });
}

/** Returns whether an experiment was imported before and has not changed since. */
function isSame(one: Experiment, other: Experiment): boolean {
  const text = ({ name, createdAt, before, after, notes, options }: Experiment): string =>
    JSON.stringify([name, createdAt, before, after, notes, options]);
  return text(one) === text(other);
}

/**
 * Writes a new file and returns the SHA-256 of its content. Refuses a name that exists, also in another case on disks
 * that ignore case.
 */
async function writeHashed(
  path: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  what: string,
): Promise<string> {
  const file = await createFile(path).catch((error: unknown) => {
    throw errorCode(error) === 'EEXIST' ? refused(`holds ${what} twice`) : error;
  });
  const hash = createHash('sha256');
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      await file.appendFile(chunk);
    }
    await file.datasync();
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}

type DocumentReader = (entry: TarEntry) => Promise<string>;

/** Returns a reader for the documents of one bundle, with a limit on their total size. */
function documentReader(limits: BundleLimits): DocumentReader {
  let bytes = 0;
  return async (entry) => {
    bytes += entry.size;
    if (entry.size > documentLimit(entry.name, limits))
      throw refused(`has a ${shown(entry.name)} of ${entry.size} bytes`);
    if (bytes > limits.allDocumentsBytes) throw refused(`has more than ${limits.allDocumentsBytes} bytes of documents`);
    const chunks: Uint8Array[] = [];
    // A chunk is a view of a buffer that is reused.
    for await (const chunk of entry.body) chunks.push(Uint8Array.from(chunk));
    return Buffer.concat(chunks).toString('utf8');
  };
}

/** Space left free for the library's other writes. */
const KEPT_FREE_BYTES = 64 << 20;

/** Returns infinity if the system does not report free space. */
async function freeBytes(folder: string): Promise<number> {
  const found = await statfs(folder).catch(() => null);
  return found === null ? Number.POSITIVE_INFINITY : Math.max(0, found.bavail * found.bsize - KEPT_FREE_BYTES);
}

const noRoom = (bytes: number, room: number): EngineFailure =>
  new EngineFailure(
    'disk-full',
    `The experiment unpacks to at least ${bytes} bytes, and the library’s disk has room for ${room}. Nothing was imported.`,
    'Free some space, or set FLAMEBENCH_LIBRARY to a folder on another disk.',
  );

/** Quotes a name from the bundle, so that it is safe to print. */
const shown = (name: string): string => JSON.stringify(name.slice(0, 120));

const refused = (what: string): EngineFailure =>
  new EngineFailure(
    'bad-bundle',
    `Not a valid experiment file: it ${what}. Nothing was imported.`,
    'Get the file again, as Flamebench exported it.',
  );

function importFailure(error: unknown, libraryPath: string): EngineFailure {
  if (error instanceof TarError) return refused(`can’t be unpacked, ${error.message}`);
  if (error instanceof NewerDocument) {
    const message = `The experiment file can’t be imported: ${error.message}. Nothing was imported.`;
    return new EngineFailure('bad-bundle', message, 'Update Flamebench.');
  }
  if (error instanceof DamagedDocument) return refused(`has a document that can’t be read, ${error.message}`);
  if (error instanceof ImportFailure) {
    return refused(
      `can’t be unpacked: ${error.failure === 'too-large' ? error.message : 'it is damaged or truncated'}`,
    );
  }
  return storageFailure(error, `import an experiment into ${libraryPath}`);
}
