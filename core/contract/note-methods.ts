import { z } from 'zod';
import { noteChangeSchema, noteSchema } from './notes.ts';

/** What notes belong to: a capture or an experiment of the library, which their ids tell apart. */
const owner = { id: z.string().max(100) };
const notesOf = z.object({ notes: z.array(noteSchema) });

/** Notes of another capture that are shown on this one, too; see docs/library.md. */
const earlierNotesSchema = z.object({
  captureId: z.string(),
  captureName: z.string(),
  notes: z.array(noteSchema),
});
export type EarlierNotes = z.infer<typeof earlierNotesSchema>;

/** The part of the contract about notes. All changes are told by the event `library-changed`. */
export const noteMethods = {
  /** In no order. Fails as `damaged` where `notes.json` can't be read; nothing of it is overwritten then. */
  'library.notes': { params: z.object(owner), result: notesOf },
  /**
   * Adds or replaces notes by their ids and removes others. Fails as `too-many` or `too-large` beyond the bounds of core/contract/notes.ts, and
   * as `read-only` for bundled samples.
   */
  'library.editNotes': { params: z.object({ ...owner, change: noteChangeSchema }), result: notesOf },
  /**
   * Notes about functions and frames that were made on other captures of the same program, those of the newest capture first; none of
   * notes that this capture has itself.
   */
  'library.earlierNotes': { params: z.object(owner), result: z.object({ captures: z.array(earlierNotesSchema) }) },
  /** How many notes captures and experiments have, by id; those without any, and those whose notes can't be read, are left out. */
  'library.noteCounts': { params: z.object({}), result: z.object({ counts: z.record(z.string(), z.number().int()) }) },
} as const;
