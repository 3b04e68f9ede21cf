import { z } from 'zod';

const idSchema = z.string().min(1).max(100);

/** Where the bytes of a tab come from when it is opened again. */
const tabSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('capture'), id: idSchema }),
  /** A file by its id among the recent ones. */
  z.object({ kind: z.literal('recent'), id: idSchema }),
  /** Dropped on a browser, which keeps paths to itself: it can't be opened again. */
  z.object({ kind: z.literal('dropped') }),
]);

export const sessionTabSchema = z.object({
  /** Within the session. */
  id: idSchema,
  fileName: z.string().max(4096),
  source: tabSourceSchema,
  /** Format chosen by hand. */
  format: z.string().max(100).nullable(),
  /** The tab's views as the window wrote them; the window checks them when it reads them. */
  views: z.json(),
});
export type SessionTab = z.infer<typeof sessionTabSchema>;

/** The tabs of one pane, by id. */
export const sessionGroupSchema = z.object({
  tabs: z.array(idSchema).min(1).max(200),
  active: idSchema,
  /** Of the width of all panes. */
  share: z.number().min(0.01).max(1),
});

/** What a window had open. */
export const sessionSchema = z.object({
  tabs: z.array(sessionTabSchema).max(200),
  /** Left to right. */
  groups: z.array(sessionGroupSchema).max(8),
  activeGroup: z.number().int().min(0).max(7),
});
export type Session = z.infer<typeof sessionSchema>;

export const NO_SESSION: Session = { tabs: [], groups: [], activeGroup: 0 };

/** A file outside the library that was opened before. The engine knows its path; the window knows its names. */
export const recentFileSchema = z.object({
  id: z.string(),
  fileName: z.string(),
  /** Name of the folder it is in, without that folder's own path. */
  folderName: z.string(),
  /** Unix epoch milliseconds. */
  openedAt: z.number(),
});
export type RecentFile = z.infer<typeof recentFileSchema>;
