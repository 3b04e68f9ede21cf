import * as z from 'zod';
import { MAX_SIDE_CAPTURES } from './experiment.ts';
import { fleetSourceSchema } from './fleet/replicate.ts';
import { MAX_NOTES } from './limits.ts';
import { noteSchema } from './notes.ts';

const idSchema = z.string().min(1).max(100);

const captureSourceSchema = z.object({ kind: z.literal('capture'), id: idSchema });
/** A file by its id among the recent ones. */
const recentSourceSchema = z.object({ kind: z.literal('recent'), id: idSchema });
/** Dropped on a browser, which does not reveal paths: it can't be reopened. */
const droppedSourceSchema = z.object({ kind: z.literal('dropped') });

/** A live session of the engine, as long as it exists. */
const liveSourceSchema = z.object({ kind: z.literal('live'), id: idSchema });

/** Source of a capture's bytes when it is reopened. */
const fileSourceSchema = z.discriminatedUnion('kind', [
  captureSourceSchema,
  recentSourceSchema,
  droppedSourceSchema,
  liveSourceSchema,
  fleetSourceSchema,
]);
export type FileOrigin = z.infer<typeof fileSourceSchema>;

/** A capture on one side of a comparison. */
const comparedSchema = z.object({
  source: fileSourceSchema,
  fileName: z.string().max(4096),
  /** Chosen by the user; absent: detected from the content. */
  format: z.string().max(100).exactOptional(),
  /** Requests served during the capture; null if unknown. */
  requests: z.number().positive().nullable(),
});
export type SessionCompared = z.infer<typeof comparedSchema>;

const compareSourceSchema = z.object({
  kind: z.literal('compare'),
  /** The experiment as which it is saved; null if it is not saved. */
  experimentId: idSchema.nullable(),
  before: z.array(comparedSchema).max(MAX_SIDE_CAPTURES),
  after: z.array(comparedSchema).max(MAX_SIDE_CAPTURES),
});

/** Load tests of the library: one, or two overlaid. */
const loadTestsSourceSchema = z.object({ kind: z.literal('load-tests'), first: idSchema, second: z.string().max(100) });
/** An experiment under load; null: the one that the engine runs, or ran last. */
const loadExperimentSourceSchema = z.object({ kind: z.literal('load-experiment'), id: idSchema.nullable() });

/** Source from which a tab is reopened: one capture, two sides of captures, load tests or an experiment. */
const tabSourceSchema = z.discriminatedUnion('kind', [
  captureSourceSchema,
  recentSourceSchema,
  droppedSourceSchema,
  liveSourceSchema,
  fleetSourceSchema,
  compareSourceSchema,
  loadTestsSourceSchema,
  loadExperimentSourceSchema,
]);

export const sessionTabSchema = z.object({
  /** Unique within the session. */
  id: idSchema,
  /** For a comparison or a load test, its name. */
  fileName: z.string().max(4096),
  source: tabSourceSchema,
  /** Format chosen by the user. */
  format: z.string().max(100).nullable(),
  /** The tab's views, or a comparison's choices, as written by the window, which checks them when it reads them. */
  views: z.json(),
  /** The function for which the tab was opened, with which its name begins. */
  about: z.string().max(200).exactOptional(),
  /** Notes that no capture or experiment stores. */
  notes: z.array(noteSchema).max(MAX_NOTES).exactOptional(),
});
export type SessionTab = z.infer<typeof sessionTabSchema>;

/** The tabs of one pane, by id. */
const sessionGroupSchema = z.object({
  tabs: z.array(idSchema).min(1).max(200),
  active: idSchema,
  /** Share of the width of all panes. */
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

/** A file outside the library that was opened before. The engine knows its path; the window knows only its names. */
export const recentFileSchema = z.object({
  id: z.string(),
  fileName: z.string(),
  /** Name of the folder that contains it, without the folder's own path. */
  folderName: z.string(),
  /** Unix epoch milliseconds. */
  openedAt: z.number(),
});
export type RecentFile = z.infer<typeof recentFileSchema>;
