import * as z from 'zod';
import { MAX_NOTE_AUTHOR, MAX_NOTE_PATH, MAX_NOTE_TEXT, MAX_NOTES } from './limits.ts';
import { timestampSchema } from './schemas.ts';

/** A function as any profile may name it; the module is empty if unknown. */
const notedFunctionSchema = z.object({ name: z.string().max(10_000), module: z.string().max(4096) });
export type NotedFunction = z.infer<typeof notedFunctionSchema>;

/** A function, regardless of its callers. */
const functionAnchorSchema = z.object({ kind: z.literal('function'), func: notedFunctionSchema });

/** A frame, identified by the functions from the root of a call tree in this direction, its own function last. */
const pathAnchorSchema = z.object({
  kind: z.literal('path'),
  direction: z.enum(['top-down', 'bottom-up']),
  path: z.array(notedFunctionSchema).min(1).max(MAX_NOTE_PATH),
});

/** A time range or a moment of a recording: a mark of the time strip. */
const rangeAnchorSchema = z.object({
  kind: z.literal('range'),
  /** Nanoseconds after the `timeOrigin` of the capture's profile, like samples' times. */
  start: z.number(),
  /** Half-open; null: a moment. */
  end: z.number().nullable(),
});

/** The subject of a note. */
const noteAnchorSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('whole') }),
  functionAnchorSchema,
  pathAnchorSchema,
  rangeAnchorSchema,
  /** The change of a function or frame between the sides of a comparison. */
  z.object({ kind: z.literal('delta'), of: z.discriminatedUnion('kind', [functionAnchorSchema, pathAnchorSchema]) }),
]);
export type NoteAnchor = z.infer<typeof noteAnchorSchema>;
export type PathAnchor = z.infer<typeof pathAnchorSchema>;

export const NOTE_COLOURS = ['none', 'red', 'orange', 'green', 'blue', 'violet'] as const;
export type NoteColour = (typeof NOTE_COLOURS)[number];

export const noteSchema = z.object({
  /** Chosen by the creator, unique within the capture or experiment. */
  id: z.string().min(1).max(64),
  anchor: noteAnchorSchema,
  /** Markdown (CommonMark with tables); HTML in it is text. Its first line is the note's title. */
  text: z.string().min(1).max(MAX_NOTE_TEXT),
  /** The user's own name for themself; empty: no name. */
  author: z.string().max(MAX_NOTE_AUTHOR),
  /** null: unknown, as for marks of older versions. */
  created: timestampSchema.nullable(),
  /** null: never. */
  edited: timestampSchema.nullable(),
  colour: z.enum(NOTE_COLOURS),
});
export type Note = z.infer<typeof noteSchema>;

/** A note as a front end may write it, with stricter checks; stored notes may come from a hand-written file. */
export const writtenNoteSchema = noteSchema.refine(
  ({ anchor }) => anchor.kind !== 'range' || anchor.end === null || anchor.end > anchor.start,
);

/** `notes.json` of a capture or an experiment, in no particular order. */
export const notesSchema = z.object({ schemaVersion: z.literal(2), notes: z.array(noteSchema) });

/**
 * Adds or replaces the notes of `put` by their ids and removes others, so that two windows do not overwrite each
 * other's changes.
 */
export const noteChangeSchema = z.object({
  put: z.array(writtenNoteSchema).max(MAX_NOTES),
  remove: z.array(z.string().max(64)).max(MAX_NOTES),
});
export type NoteChange = z.infer<typeof noteChangeSchema>;
