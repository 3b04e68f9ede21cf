import { randomBytes } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join, parse } from 'node:path';
import { homeFolder } from '#collectors/home-folder.ts';
import * as z from 'zod';
import { isOwn, isSameFile, removeFileOf } from '#collectors/effects/remove.ts';
import { makeFolders, writeNew } from '#collectors/effects/write.ts';
import { EngineFailure, errorCode, storageFailure } from '../failure.ts';
import {
  CHANGED_FILE,
  DOCUMENT_FILE,
  EXPERIMENTS_FOLDER,
  INDEX_FILE,
  isCaptureId,
  isGeneratedId,
  isStagedName,
  LOADS_FOLDER,
  MARKER_FILE,
  TEMP_FOLDER,
  TRASH_FOLDER,
} from './captures/files.ts';
import { readableDocument } from './captures/store.ts';
import { readSmallFile } from '../disk/read-small-file.ts';
import { jsonValue } from '#core/model/json-value.ts';

/**
 * A library is a folder with a marker file. Without it nothing is deleted or changed there, since the setting may name a
 * folder that has other files. A missing or empty folder gets the marker with the first change, and so does a library of
 * an earlier version, which has none, if it has nothing else in it.
 */

const markerSchema = z.object({ schemaVersion: z.number().int().positive(), id: z.string() });
const VERSION = 1;
/** In bytes; a marker has about 70. */
const MAX_MARKER_BYTES = 4096;

/** All that Flamebench makes in a library apart from captures and their index, which is not read if it is foreign. */
const OWN_ENTRIES = [MARKER_FILE, TEMP_FOLDER, TRASH_FOLDER, EXPERIMENTS_FOLDER, LOADS_FOLDER, CHANGED_FILE];

/**
 * `marked`: a library. `new`: nothing is there yet. `earlier`: a library without the marker, with nothing else in it.
 * `mixed`: captures and files of others, without the marker: it can only be read until the user adopts it.
 */
type LibraryState =
  | { readonly kind: 'marked' | 'new' | 'earlier' }
  | { readonly kind: 'mixed'; readonly failure: EngineFailure };

/**
 * Finds out what is at `root`, a folder or nothing, without changing it. Throws an `EngineFailure` if it can't be a
 * library: other content without captures, or entries of Flamebench's that are links or another user's.
 */
export async function inspectLibrary(root: string): Promise<LibraryState> {
  await Promise.all(OWN_ENTRIES.map((name) => refuseForeign(root, name)));
  if (await hasMarker(root)) return { kind: 'marked' };
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  const others: string[] = [];
  let hasCaptures = false;
  for (const entry of entries) {
    const isGenerated = entry.isDirectory() && isGeneratedId(entry.name);
    hasCaptures ||= await isEvidence(root, entry);
    if (OWN_ENTRIES.includes(entry.name) || entry.name === INDEX_FILE || isGenerated) continue;
    const isCapture =
      entry.isDirectory() && isCaptureId(entry.name) && readableDocument(join(root, entry.name)) !== null;
    if (isCapture) hasCaptures = true;
    else others.push(entry.name);
  }
  if (others.length === 0 && hasCaptures) return { kind: 'earlier' };
  if (entries.every(({ name }) => name === MARKER_FILE)) return { kind: 'new' };
  const named = others.length === 0 ? entries.map(({ name }) => name) : others;
  if (!hasCaptures) {
    throw refusal(root, `it has no ${MARKER_FILE}, and other content (${shown(named)})`, CHOOSE_ANOTHER);
  }
  const failure = new EngineFailure(
    'read-only',
    `The library ${root} is only read: it has no ${MARKER_FILE}, and other content (${shown(named)}).`,
    `Move that away, or adopt the folder: flamebench captures adopt --library ${JSON.stringify(root)}`,
  );
  return { kind: 'mixed', failure };
}

/** Refuses the root of the file system and home folders, with or without the marker. `root` exists. */
export async function refuseHome(root: string): Promise<void> {
  const refused = [
    [parse(root).root, 'it is the root of the file system'],
    [homeFolder(), 'it is your home folder'],
    [accountHome(), 'it is your home folder'],
  ] as const;
  const found = await stat(root, { bigint: true });
  for (const [path, reason] of refused) {
    const there = await stat(path, { bigint: true }).catch(() => null);
    if (there !== null && isSameFile(found, there)) throw refusal(root, reason, CHOOSE_ANOTHER);
  }
}

/** Returns the home of the account, which is not `$HOME` under sudo; empty if the account has none. */
function accountHome(): string {
  try {
    return userInfo().homedir;
  } catch {
    return '';
  }
}

/** The libraries that this process is preparing: concurrent calls share one preparation. */
const preparing = new Map<string, Promise<void>>();

/** Call it before any change in a library: makes it if it is new, and marks it. Throws an `EngineFailure`. */
export function prepareLibrary(root: string): Promise<void> {
  const running = preparing.get(root) ?? prepare(root).finally(() => preparing.delete(root));
  preparing.set(root, running);
  return running;
}

async function prepare(root: string): Promise<void> {
  if (await hasMarker(root)) return;
  try {
    const state = await inspectLibrary(root);
    if (state.kind === 'mixed') throw state.failure;
  } catch (error) {
    // Another process may have marked the library, and made folders in it, since the first look.
    if (await hasMarker(root)) return;
    throw error;
  }
  await mark(root);
}

/** Marks a folder with captures and other content as a library, because the user says that it is one. */
export async function adoptLibrary(root: string): Promise<void> {
  if ((await inspectLibrary(root)).kind !== 'marked') await mark(root);
}

async function mark(root: string): Promise<void> {
  const marker = { schemaVersion: VERSION, id: randomBytes(16).toString('hex') };
  try {
    await makeFolders(root);
    await refuseHome(root);
    // A crash may have left an empty one. The library itself may be a link.
    if (!(await hasMarker(root))) await removeFileOf(await realpath(root), MARKER_FILE);
    await writeNew(join(root, MARKER_FILE), `${JSON.stringify(marker)}\n`);
  } catch (error) {
    // Another process was faster.
    if (errorCode(error) === 'EEXIST') return;
    throw storageFailure(error, `make the library ${root}`);
  }
}

/** Returns whether the folder is a library. Throws an `EngineFailure` for one of a newer version. */
export async function hasMarker(root: string): Promise<boolean> {
  const path = join(root, MARKER_FILE);
  const text = await readSmallFile(path, MAX_MARKER_BYTES).catch(() => null);
  const marker = markerSchema.safeParse(jsonValue(text?.toString('utf8') ?? ''));
  if (!marker.success) return false;
  if (marker.data.schemaVersion > VERSION) throw refusal(root, 'a newer Flamebench made it', 'Update Flamebench.');
  return true;
}

/** Creates one of the library's own folders, and the library, if missing, and returns its path. */
export async function ownFolder(root: string, name: string): Promise<string> {
  await prepareLibrary(root);
  const path = join(root, name);
  await makeFolders(path).catch((error: unknown) => {
    throw storageFailure(error, `make the folder ${path}`);
  });
  await refuseForeign(root, name);
  return path;
}

async function refuseForeign(root: string, name: string): Promise<void> {
  const found = await lstat(join(root, name)).catch(() => null);
  if (found?.isSymbolicLink() === true) {
    throw refusal(root, `its ${name} is a link`, `Replace the link by what it leads to. ${CHOOSE_ANOTHER}`);
  }
  if (found !== null && !isOwn(found)) {
    throw refusal(root, `its ${name} belongs to another user`, `Run Flamebench as that user. ${CHOOSE_ANOTHER}`);
  }
}

/** Returns whether an entry with a name that only Flamebench gives shows that the folder was a library before. */
async function isEvidence(root: string, entry: Dirent): Promise<boolean> {
  const path = join(root, entry.name);
  if (entry.name === CHANGED_FILE) return entry.isFile();
  if (!entry.isDirectory()) return false;
  if (entry.name === EXPERIMENTS_FOLDER || entry.name === LOADS_FOLDER) {
    return (await readdir(path).catch(() => [])).some(isStagedName);
  }
  return isGeneratedId(entry.name) && (await lstat(join(path, DOCUMENT_FILE)).catch(() => null))?.isFile() === true;
}

const CHOOSE_ANOTHER = 'Or set FLAMEBENCH_LIBRARY or --library to another folder.';

const refusal = (root: string, reason: string, remedy: string): EngineFailure =>
  new EngineFailure('not-a-library', `${root} can’t be the library: ${reason}.`, remedy.replace(/^Or s/, 'S'));

/** Names at most three entries, safe to print. */
function shown(names: readonly string[]): string {
  const some = names.slice(0, 3).map((name) => JSON.stringify(name.slice(0, 60)));
  return names.length > 3 ? `${some.join(', ')} and ${names.length - 3} more` : some.join(', ');
}
