import * as z from 'zod';

const entrySchema = z.string().max(300);

const trashedItemSchema = z.object({
  /** The folder's name in the trash: the ID, followed by `.<8 hex digits>` if there was a folder of that ID already. */
  entry: entrySchema,
  /** The ID after restoring. */
  id: z.string(),
  kind: z.enum(['capture', 'experiment', 'load test']),
  /** The folder's name if its document is unreadable. */
  name: z.string(),
  sizeBytes: z.number(),
  /** Unix milliseconds, as precise as the file system's times. */
  trashedAt: z.number(),
});

/** A folder in the library's `.trash`. */
export type TrashedItem = Readonly<z.infer<typeof trashedItemSchema>>;

export const trashMethods = {
  /** Most recently trashed first. */
  'trash.list': { params: z.object({}), result: z.object({ items: z.array(trashedItemSchema) }) },
  /** Moves an item back to the library; fails with `in-use` if its ID is taken by now. */
  'trash.restore': { params: z.object({ entry: entrySchema }), result: z.object({}) },
  /** Permanently deletes the given items, which must be in the trash. */
  'trash.delete': { params: z.object({ entries: z.array(entrySchema).min(1).max(100_000) }), result: z.object({}) },
} as const;
