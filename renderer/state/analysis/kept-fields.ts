import * as z from 'zod';
import { MAX_PATTERN_LENGTH } from '#core/analyze/search.ts';
import { functionRefSchema, MAX_PATH_LENGTH } from '#core/analyze/transforms/transform-schema.ts';

/** Fields common to the stored states of profiles and of comparisons: plain JSON with names instead of indices. */

export const keptName = z.string().max(1_000_000);
export const keptPath = z.array(functionRefSchema).max(MAX_PATH_LENGTH);
export const keptSort = z.object({ column: z.string().max(100), direction: z.enum(['ascending', 'descending']) });

/** The text of a table's filter, and the modules that it hides. */
export const keptFilter = z.object({
  pattern: z.string().max(MAX_PATTERN_LENGTH),
  hiddenModules: z.array(keptName).max(100_000),
});

/** The stored state of every graph. */
export const keptGraph = z.object({
  zoom: keptPath,
  search: z.string().max(MAX_PATTERN_LENGTH),
});

export const keptOrientation = z.enum(['flame', 'icicle']);
