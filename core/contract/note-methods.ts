import * as z from 'zod';
import { noteChangeSchema, noteSchema } from './notes.ts';

/** What notes belong to: a capture or an experiment of the library; their ids differ. */
const owner = { id: z.string().max(100) };
const notesOf = z.object({ notes: z.array(noteSchema) });

/** Notes of another capture that are shown on this one, too; see docs/library.md. */
const earlierNotesSchema = z.object({
  captureId: z.string(),
  captureName: z.string(),
  notes: z.array(noteSchema),
});
export type EarlierNotes = z.infer<typeof earlierNotesSchema>;

/** The part of the contract about notes. All changes are announced by the event `library-changed`. */
export const noteMethods = {
  /** Unordered. Fails as `damaged` if `notes.json` can't be read; nothing is overwritten then. */
  'library.notes': { params: z.object(owner), result: notesOf },
  /**
   * Adds or replaces notes by their ids and removes others. Fails as `too-many` or `too-large` beyond the bounds of
   * core/contract/limits.ts, and as `read-only` for bundled samples.
   */
  'library.editNotes': { params: z.object({ ...owner, change: noteChangeSchema }), result: notesOf },
  /**
   * Returns notes about functions and frames of other captures of the same program, newest capture first, without those
   * that this capture has itself.
   */
  'library.earlierNotes': { params: z.object(owner), result: z.object({ captures: z.array(earlierNotesSchema) }) },
  /** Returns the number of notes by capture or experiment id, without those that have none or unreadable ones. */
  'library.noteCounts': { params: z.object({}), result: z.object({ counts: z.record(z.string(), z.number().int()) }) },
} as const;
