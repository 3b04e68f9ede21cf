import * as z from 'zod';
import { functionRefSchema, namedTransformsSchema } from '#core/analyze/transforms/transform-schema.ts';
import type { TreeChoice } from '../../analysis/profile/protocol.ts';
import { keptFilter, keptGraph, keptName, keptOrientation, keptPath, keptSort } from '../analysis/kept-fields.ts';
import { COLOUR_CHOICES } from '../colour-choice.ts';
import { MAX_VIEWS } from './views.ts';

/**
 * Views as kept between sessions: plain JSON with names instead of indices, so that they still fit if the file is read
 * differently.
 */

const treeSchema: z.ZodType<TreeChoice> = z.object({
  kind: z.enum(['top-down', 'bottom-up', 'time-order', 'sandwich']),
  siblings: z.enum(['name', 'weight']).exactOptional(),
  widths: z.enum(['time', 'weight']).exactOptional(),
});

const range = z.object({ start: z.number(), end: z.number() }).refine(({ start, end }) => start < end);
const graphPlace = z.object({ path: keptPath, span: range.nullable() }).nullable();
const sort = keptSort.nullable();

const viewSchema = keptGraph.extend({
  valueType: z.object({ type: keptName, unit: keptName }),
  /** Null selects all threads. */
  threads: z
    .array(z.object({ pid: z.number(), tid: z.number(), name: keptName }))
    .min(1)
    .max(100_000)
    .nullable(),
  /** Nanoseconds after the profile's time origin; null selects all. */
  timeRange: range.nullable(),
  /** Committed ranges, each within the previous one and all containing the time range. Absent means none. */
  committed: z.array(range).max(1000).exactOptional(),
  transforms: namedTransformsSchema,
  tree: treeSchema,
  orientation: keptOrientation,
  /** Null selects the default for the profile. */
  colour: z.enum(COLOUR_CHOICES).nullable(),
  linked: z.boolean(),
  /** Zoomed places of the graphs other than the call tree. Absent means not zoomed. */
  graphPlaces: z
    .object({
      timeOrder: graphPlace,
      sandwich: z.object({ centre: functionRefSchema, callers: graphPlace, callees: graphPlace }).nullable(),
    })
    .exactOptional(),
  /** Absent means the defaults. */
  time: z
    .object({
      form: z.enum(['strip', 'threads', 'heat-map']),
      window: range.nullable(),
      threadOrder: z.enum(['weight', 'name']),
      asText: z.boolean(),
    })
    .exactOptional(),
  /** Absent means the defaults. */
  tables: keptFilter.extend({ functionSort: sort, treeSort: sort }).exactOptional(),
});

export const viewsSchema = z.object({
  views: z.array(viewSchema).min(1).max(MAX_VIEWS),
  /** Index into `views`. */
  active: z.number().int().nonnegative(),
  /** Share of the width, by view. */
  shares: z.array(z.number().min(0.01).max(1)).max(MAX_VIEWS),
});
/** What `flamebench open --search` opens: one view with the defaults and this search. */
export const searchSchema = keptGraph.pick({ search: true });
export type ViewDocument = z.infer<typeof viewSchema>;
export type ViewsDocument = z.infer<typeof viewsSchema>;
