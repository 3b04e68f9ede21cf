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
  /** Unix milliseconds; null if a version before the first that notes it moved the folder there. */
  trashedAt: z.number().nullable(),
});

/** A folder in the library's `.trash`. */
export type TrashedItem = Readonly<z.infer<typeof trashedItemSchema>>;

export const trashMethods = {
  /** Most recently trashed first; `others` counts entries that Flamebench did not put there and leaves alone. */
  'trash.list': {
    params: z.object({}),
    result: z.object({ items: z.array(trashedItemSchema), others: z.number().int().nonnegative() }),
  },
  /** Moves an item back to the library; fails with `in-use` if its ID is taken by now. */
  'trash.restore': { params: z.object({ entry: entrySchema }), result: z.object({}) },
  /** Permanently deletes the given items, which must be in the trash. */
  'trash.delete': { params: z.object({ entries: z.array(entrySchema).min(1).max(100_000) }), result: z.object({}) },
} as const;
