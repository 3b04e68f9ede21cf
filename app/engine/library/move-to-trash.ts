import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { identify, removeFileOf } from '#collectors/effects/remove.ts';
import { moveFolder, writeAtomically } from '#collectors/effects/write.ts';
import { TRASH_FOLDER, TRASHED_FILE } from './captures/files.ts';
import { ownFolder } from './library-marker.ts';
import { readSmallFile } from '../disk/read-small-file.ts';

const noteSchema = z.object({ schemaVersion: z.literal(1), trashedAt: z.number().nonnegative() });
/** In bytes; a note has about 50. */
const MAX_NOTE_BYTES = 4096;

/**
 * Moves a folder of the library at `root` to its trash, and notes when: `now` in Unix milliseconds. Without the note,
 * for which a full disk has no room, it never expires.
 */
export async function moveToTrash(root: string, folder: string, now: number): Promise<void> {
  const place = join(await ownFolder(root, TRASH_FOLDER), basename(folder));
  const entry = (await identify(place)) === null ? place : `${place}.${randomBytes(4).toString('hex')}`;
  await moveFolder(folder, entry);
  const note = { schemaVersion: 1, trashedAt: now };
  await writeAtomically(join(entry, TRASHED_FILE), `${JSON.stringify(note)}\n`).catch(() => undefined);
}

/** Moves the folder `entry` of the trash to `place`, which must be free. */
export async function moveFromTrash(root: string, entry: string, place: string): Promise<void> {
  await moveFolder(join(await ownFolder(root, TRASH_FOLDER), entry), place);
  await removeFileOf(place, TRASHED_FILE).catch(() => undefined);
}

/** Returns when a folder was moved to the trash, in Unix milliseconds; null if earlier versions did so, or others. */
export async function readTrashedAt(folder: string): Promise<number | null> {
  try {
    const text = await readSmallFile(join(folder, TRASHED_FILE), MAX_NOTE_BYTES);
    return noteSchema.parse(JSON.parse(text.toString('utf8'))).trashedAt;
  } catch {
    return null;
  }
}
