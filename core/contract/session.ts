import { z } from 'zod';
import { MAX_SIDE_CAPTURES } from './experiment.ts';

const idSchema = z.string().min(1).max(100);

const captureSourceSchema = z.object({ kind: z.literal('capture'), id: idSchema });
/** A file by its id among the recent ones. */
const recentSourceSchema = z.object({ kind: z.literal('recent'), id: idSchema });
/** Dropped on a browser, which keeps paths to itself: it can't be opened again. */
const droppedSourceSchema = z.object({ kind: z.literal('dropped') });

/** Where the bytes of a capture come from when it is opened again. */
const fileSourceSchema = z.discriminatedUnion('kind', [captureSourceSchema, recentSourceSchema, droppedSourceSchema]);
export type FileOrigin = z.infer<typeof fileSourceSchema>;

/** A capture on one side of a comparison. */
const comparedSchema = z.object({
  source: fileSourceSchema,
  fileName: z.string().max(4096),
  /** Chosen by hand; absent: by content. */
  format: z.string().max(100).exactOptional(),
  /** Served during the capture; null: not known. */
  requests: z.number().positive().nullable(),
});
export type SessionCompared = z.infer<typeof comparedSchema>;

const compareSourceSchema = z.object({
  kind: z.literal('compare'),
  /** What it is saved as; null where it is not. */
  experimentId: idSchema.nullable(),
  before: z.array(comparedSchema).max(MAX_SIDE_CAPTURES),
  after: z.array(comparedSchema).max(MAX_SIDE_CAPTURES),
});

/** What a tab is opened from again: one capture, or two sides of captures. */
const tabSourceSchema = z.discriminatedUnion('kind', [
  captureSourceSchema,
  recentSourceSchema,
  droppedSourceSchema,
  compareSourceSchema,
]);

export const sessionTabSchema = z.object({
  /** Within the session. */
  id: idSchema,
  /** Of a comparison: its name. */
  fileName: z.string().max(4096),
  source: tabSourceSchema,
  /** Format chosen by hand. */
  format: z.string().max(100).nullable(),
  /** The tab's views, or a comparison's choices, as the window wrote them; the window checks them when it reads them. */
  views: z.json(),
});
export type SessionTab = z.infer<typeof sessionTabSchema>;

/** The tabs of one pane, by id. */
const sessionGroupSchema = z.object({
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
