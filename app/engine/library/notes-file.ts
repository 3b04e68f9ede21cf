import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '#collectors/effects/write.ts';
import { notesSchema, type Note, type NoteChange } from '#core/contract/notes.ts';
import { MAX_NOTES, MAX_NOTES_BYTES } from '#core/contract/limits.ts';
import { changeNotes } from '#core/notes/change-notes.ts';
import { upgradeNotes } from '#core/notes/upgrade-notes.ts';
import { EngineFailure, isMissing } from '../failure.ts';
import { NOTES_FILE } from './captures/files.ts';
import {
  changedText,
  parseVersioned,
  readDocumentFile,
  refuseInvalid,
  type DocumentKind,
} from './versioned-document.ts';

const NOTES_DOCUMENT: DocumentKind = {
  fileName: NOTES_FILE,
  version: 2,
  upgraders: new Map([[1, upgradeNotes]]),
  repair: 'Repair it, or move it out of the folder.',
};

/** Reads the text of a `notes.json`; throws a `DamagedDocument`. */
export function parseNotes(text: string): Note[] {
  const parsed = notesSchema.safeParse(parseVersioned(text, NOTES_DOCUMENT));
  if (!parsed.success) refuseInvalid(NOTES_DOCUMENT, parsed.error.issues[0]);
  return parsed.data.notes;
}

const documentOf = (notes: readonly Note[]): object => ({ schemaVersion: NOTES_DOCUMENT.version, notes });

export const notesText = (notes: readonly Note[]): string => `${JSON.stringify(documentOf(notes), null, 2)}\n`;

/** Returns the notes in the folder of a capture or an experiment. Throws a `DamagedDocument` or a system error. */
export const readNotes = async (folder: string): Promise<Note[]> => parseNotes(await readText(folder));

async function readText(folder: string): Promise<string> {
  try {
    return readDocumentFile(join(folder, NOTES_FILE));
  } catch (error) {
    if (!isMissing(error)) throw error;
    // Rejects if the folder is missing: then the capture or experiment is, too.
    await lstat(folder);
    return notesText([]);
  }
}

/**
 * Changes the notes in a folder and returns all of them; to be called under the folder's edit lock. An unreadable
 * `notes.json` is never overwritten, because it contains the user's words.
 */
export async function editNotes(folder: string, change: NoteChange): Promise<Note[]> {
  const stored = await readText(folder);
  const before = parseNotes(stored);
  const notes = changeNotes(before, change);
  if (notes === null) {
    throw new EngineFailure('too-many', `There can be at most ${MAX_NOTES} notes.`, 'Delete some that you don’t need.');
  }
  const text = changedText(NOTES_DOCUMENT, stored, documentOf(before), documentOf(notes));
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_NOTES_BYTES && bytes > Buffer.byteLength(stored)) {
    throw new EngineFailure(
      'too-large',
      `The notes would take ${bytes} bytes; there is room for ${MAX_NOTES_BYTES >> 20} MiB.`,
      'Shorten or delete some; notes on functions take less room than notes on frames of deep stacks.',
    );
  }
  await writeAtomically(join(folder, NOTES_FILE), text);
  return notes;
}
