import * as z from 'zod';
import { experimentOptionsSchema, experimentSideSchema } from '#core/contract/experiment.ts';
import { keptFilter, keptGraph, keptOrientation, keptSort } from '../analysis/kept-fields.ts';
import { COMPARE_PANELS, SHOWN_ROWS } from './compare.types.ts';

/**
 * The parts of a comparison that are kept between sessions: its choices and, by names, its places. Captures are kept
 * separately.
 */

const sideSchema = experimentSideSchema.pick({ valueType: true, threads: true, timeRange: true });

export const comparisonSchema = keptGraph.extend({
  /** Null derives the name from the captures. */
  name: z.string().max(300).nullable(),
  before: sideSchema,
  after: sideSchema,
  options: experimentOptionsSchema,
  look: z.object({
    graph: z.enum(['side-by-side', 'delta']),
    width: z.enum(['before', 'after', 'union']),
    orientation: keptOrientation,
    table: keptFilter.extend({
      measure: z.enum(['self', 'total']),
      show: z.enum(SHOWN_ROWS),
      sort: keptSort,
    }),
    panel: z.enum(COMPARE_PANELS),
  }),
});

export type ComparisonDocument = z.infer<typeof comparisonSchema>;
