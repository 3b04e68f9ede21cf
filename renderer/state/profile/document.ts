import { z } from 'zod';
import {
  namedTransformsSchema,
  functionRefSchema,
  MAX_PATH_LENGTH,
} from '#core/analyze/transforms/transform-schema.ts';
import { MAX_PATTERN_LENGTH } from '#core/analyze/search.ts';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import type { ThreadIndex, ValueTypeIndex } from '#core/model/brand.ts';
import { COLOUR_CHOICES } from '../colour-choice.ts';
import type { GraphPlace } from '../../analysis/profile/graph-protocol.ts';
import type { OpenedProfile, TreeChoice } from '../../analysis/profile/protocol.ts';
import { INITIAL_TABLES_LOOK } from '../../ui/table/tables-look.ts';
import { NO_COMMITS, readCommitted } from '../../ui/time/committed-ranges.ts';
import { INITIAL_TIME_LOOK } from '../time/time-look.ts';
import type { ProfileView } from './view.ts';
import { MAX_VIEWS } from './views.ts';
import type { TabViewsState } from './views.ts';
import type { GraphPlaces, ViewState } from './view-state.ts';

/** Views as they are kept between sessions: plain JSON by names, no indices, so that they fit the file however it is read again. */

const name = z.string().max(1_000_000);
const path = z.array(functionRefSchema).max(MAX_PATH_LENGTH);

const treeSchema: z.ZodType<TreeChoice> = z.object({
  kind: z.enum(['top-down', 'bottom-up', 'time-order', 'sandwich']),
  siblings: z.enum(['name', 'weight']).exactOptional(),
  widths: z.enum(['time', 'weight']).exactOptional(),
});

const range = z.object({ start: z.number(), end: z.number() }).refine(({ start, end }) => start < end);
const graphPlace = z.object({ path, span: range.nullable() }).nullable();
const sort = z.object({ column: z.string().max(100), direction: z.enum(['ascending', 'descending']) }).nullable();

const viewSchema = z.object({
  valueType: z.object({ type: name, unit: name }),
  /** null: all. */
  threads: z
    .array(z.object({ pid: z.number(), tid: z.number(), name }))
    .min(1)
    .max(100_000)
    .nullable(),
  /** Nanoseconds after the profile's time origin; null: all. */
  timeRange: range.nullable(),
  /** Ranges that the user went into, each within those before it, all around the time range. Absent: none. */
  committed: z.array(range).max(1000).exactOptional(),
  transforms: namedTransformsSchema,
  tree: treeSchema,
  orientation: z.enum(['flame', 'icicle']),
  /** null: what suits the profile. */
  colour: z.enum(COLOUR_CHOICES).nullable(),
  zoom: path,
  search: z.string().max(MAX_PATTERN_LENGTH),
  linked: z.boolean(),
  /** Where graphs beside the call tree are zoomed. Absent: nowhere. */
  graphPlaces: z
    .object({
      timeOrder: graphPlace,
      sandwich: z.object({ centre: functionRefSchema, callers: graphPlace, callees: graphPlace }).nullable(),
    })
    .exactOptional(),
  /** Absent: as it is at first. */
  time: z
    .object({
      form: z.enum(['strip', 'threads', 'heat-map']),
      window: range.nullable(),
      threadOrder: z.enum(['weight', 'name']),
      asText: z.boolean(),
    })
    .exactOptional(),
  /** Absent: as they are at first. */
  tables: z
    .object({
      pattern: z.string().max(MAX_PATTERN_LENGTH),
      hiddenModules: z.array(name).max(100_000),
      functionSort: sort,
      treeSort: sort,
    })
    .exactOptional(),
});

const viewsSchema = z.object({
  views: z.array(viewSchema).min(1).max(MAX_VIEWS),
  /** → views */
  active: z.number().int().nonnegative(),
  /** By view: its part of the room. */
  shares: z.array(z.number().min(0.01).max(1)).max(MAX_VIEWS),
});
export type ViewDocument = z.infer<typeof viewSchema>;
export type ViewsDocument = z.infer<typeof viewsSchema>;

/** What a tab's views look at; null where there is none yet. */
export function serialiseViews({ views, activeView, shares }: TabViewsState): ViewsDocument | null {
  if (activeView === null) return null;
  return { views: views.map(serialiseView), active: views.indexOf(activeView), shares: [...shares] };
}

function serialiseView({ profile, store }: ProfileView): ViewDocument {
  const { selection, zoomPath, graphPlaces, searchText, time, tables, ...state } = store.get();
  const { transforms, tree, committed, orientation, colour, linked } = state;
  const { type, unit } = profile.valueTypes[selection.valueType]!;
  const threads = selection.threads?.map((thread) => {
    const { pid, tid, name: called } = profile.threads[thread]!;
    return { pid, tid, name: called };
  });
  return {
    valueType: { type, unit },
    threads: threads === undefined || threads.length === 0 ? null : threads,
    timeRange: selection.timeRange,
    ...(committed.length === 0 ? {} : { committed: [...committed] }),
    transforms: [...transforms],
    tree,
    orientation,
    colour,
    zoom: [...zoomPath],
    search: searchText,
    linked,
    ...(isNowhere(graphPlaces) ? {} : { graphPlaces: graphPlacesDocument(graphPlaces) }),
    ...(time === INITIAL_TIME_LOOK ? {} : { time }),
    ...(tables === INITIAL_TABLES_LOOK ? {} : { tables: { ...tables, hiddenModules: [...tables.hiddenModules] } }),
  };
}

type GraphPlacesDocument = NonNullable<ViewDocument['graphPlaces']>;

const isNowhere = ({ timeOrder, sandwich }: GraphPlaces): boolean => timeOrder === null && sandwich === null;

function graphPlacesDocument({ timeOrder, sandwich }: GraphPlaces): GraphPlacesDocument {
  const kept = (place: GraphPlace | null): GraphPlacesDocument['timeOrder'] =>
    place === null ? null : { path: [...place.path], span: place.span };
  return {
    timeOrder: kept(timeOrder),
    sandwich:
      sandwich === null ? null : { ...sandwich, callers: kept(sandwich.callers), callees: kept(sandwich.callees) },
  };
}

export interface RestoredViews {
  /** Empty where there is nothing to restore. */
  readonly initial: readonly Partial<ViewState>[];
  readonly active: number;
  readonly shares: readonly number[];
  /** What does not fit the profile, each in one line. */
  readonly missing: readonly string[];
}

/** `kept`: what {@link serialiseViews} gave, from wherever it was kept. What the profile does not have is left out, and said. */
export function restoreViews(kept: unknown, profile: OpenedProfile): RestoredViews {
  const nothing = { initial: [], active: 0, shares: [], missing: [] };
  if (kept === undefined || kept === null) return nothing;
  const parsed = viewsSchema.safeParse(kept);
  if (!parsed.success) return { ...nothing, missing: ['The saved views can’t be read; the file opens with defaults.'] };
  const { views, active, shares } = parsed.data;
  const missing = new Set<string>();
  const say = (line: string): void => void missing.add(line);
  return { initial: views.map((view) => restoreView(view, profile, say)), active, shares, missing: [...missing] };
}

function restoreView(kept: ViewDocument, profile: OpenedProfile, say: (line: string) => void): Partial<ViewState> {
  const { transforms, tree, orientation, colour, zoom, graphPlaces, search, linked, time, tables } = kept;
  const selection = restoreSelection(kept, profile, say);
  return {
    selection,
    committed: readCommitted(kept.committed ?? NO_COMMITS, selection.timeRange),
    transforms,
    tree,
    orientation,
    colour,
    zoomPath: zoom,
    searchText: search,
    linked,
    ...(graphPlaces === undefined ? {} : { graphPlaces }),
    ...(time === undefined || !profile.hasTime ? {} : { time }),
    ...(tables === undefined ? {} : { tables }),
  };
}

function restoreSelection(
  { valueType, threads, timeRange }: ViewDocument,
  profile: OpenedProfile,
  say: (line: string) => void,
): Selection {
  const found = profile.valueTypes.findIndex(({ type, unit }) => type === valueType.type && unit === valueType.unit);
  if (found < 0) say(`The file no longer has the value type ${valueType.type}.`);
  if (timeRange !== null && !profile.hasTime) say('The file no longer has timestamps; the time range was removed.');
  return {
    valueType: found < 0 ? profile.metadata.defaultValueType : (found as ValueTypeIndex),
    threads: threads === null ? null : restoreThreads(threads, profile, say),
    timeRange: profile.hasTime ? timeRange : null,
  };
}

function restoreThreads(
  kept: NonNullable<ViewDocument['threads']>,
  { threads }: OpenedProfile,
  say: (line: string) => void,
): Selection['threads'] {
  const rows = new Map(threads.map(({ pid, tid, name: called }, row) => [JSON.stringify([pid, tid, called]), row]));
  const found = kept.flatMap(({ pid, tid, name: called }) => rows.get(JSON.stringify([pid, tid, called])) ?? []);
  const lost = kept.length - found.length;
  if (found.length === 0) say('None of the selected threads are in the file any more; all threads are shown.');
  else if (lost > 0) say(`${lost} of the selected threads are no longer in the file.`);
  return found.length === 0 ? null : (found as ThreadIndex[]);
}
