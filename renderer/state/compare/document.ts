import { z } from 'zod';
import { MAX_PATTERN_LENGTH } from '#core/analyze/search.ts';
import { functionRefSchema, MAX_PATH_LENGTH } from '#core/analyze/transforms/transform-schema.ts';
import { experimentOptionsSchema, experimentSideSchema } from '#core/contract/experiment.ts';
import type { SideChoice, SideName } from '../../analysis/comparison/protocol.ts';
import { choiceOf } from './sides.ts';
import { COMPARE_PANELS, SHOWN_ROWS } from './compare.types.ts';
import type { CompareState } from './compare.types.ts';

/** A comparison as it is kept between sessions: what was chosen and where it was looked at, by names. Its captures stand beside it. */

const name = z.string().max(1_000_000);

const sideSchema = experimentSideSchema.pick({ valueType: true, threads: true, timeRange: true });

const documentSchema = z.object({
  /** Null: what the captures suggest. */
  name: z.string().max(300).nullable(),
  before: sideSchema,
  after: sideSchema,
  options: experimentOptionsSchema,
  look: z.object({
    graph: z.enum(['side-by-side', 'delta']),
    width: z.enum(['before', 'after', 'union']),
    orientation: z.enum(['flame', 'icicle']),
    table: z.object({
      measure: z.enum(['self', 'total']),
      show: z.enum(SHOWN_ROWS),
      pattern: z.string().max(MAX_PATTERN_LENGTH),
      hiddenModules: z.array(name).max(100_000),
      sort: z.object({ column: z.string().max(100), direction: z.enum(['ascending', 'descending']) }),
    }),
    panel: z.enum(COMPARE_PANELS),
  }),
  search: z.string().max(MAX_PATTERN_LENGTH),
  zoom: z.array(functionRefSchema).max(MAX_PATH_LENGTH),
});

type ComparisonDocument = z.infer<typeof documentSchema>;

/** What of both sides is chosen, as experiments keep it. */
export function keptChoices({ before, after, options }: CompareState): Pick<ComparisonDocument, SideName | 'options'> {
  const side = ({ threads, ...choice }: SideChoice) => ({ ...choice, threads: threads === null ? null : [...threads] });
  const { normalisation, rules, transforms } = options;
  return {
    before: side(choiceOf(before)),
    after: side(choiceOf(after)),
    options: {
      normalisation,
      rules: { ...rules, off: [...rules.off], user: [...rules.user] },
      transforms: [...transforms],
    },
  };
}

/** What of a comparison is kept; JSON. */
export function serialiseComparison(state: CompareState): ComparisonDocument {
  const { look, searchText, zoomPath } = state;
  return {
    name: state.name,
    ...keptChoices(state),
    look: { ...look, table: { ...look.table, hiddenModules: [...look.table.hiddenModules] } },
    search: searchText,
    zoom: [...zoomPath],
  };
}

/** What a kept document says of a new comparison's state; nothing where there is none, or none that can be read. */
export function restoreComparison(kept: unknown): Partial<CompareState> {
  const parsed = documentSchema.safeParse(kept);
  if (!parsed.success) return {};
  const { name: called, before, after, options, look, search, zoom } = parsed.data;
  return {
    name: called,
    before: { ...before, captures: [] },
    after: { ...after, captures: [] },
    options,
    look,
    searchText: search,
    search: { status: search === '' ? 'none' : 'running' },
    zoomPath: zoom,
  };
}
