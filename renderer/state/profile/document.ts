import type { Selection } from '#core/analyze/view/stack-view.ts';
import type { ThreadIndex, ValueTypeIndex } from '#core/model/brand.ts';
import type { GraphPlace } from '../../analysis/profile/graph-protocol.ts';
import type { OpenedProfile } from '../../analysis/profile/protocol.ts';
import { INITIAL_TABLES_DISPLAY } from '../../ui/table/tables-display.ts';
import { NO_COMMITS, readCommitted } from '../../ui/time/committed-ranges.ts';
import { INITIAL_TIME_DISPLAY } from '../time/time-display.ts';
import type { ViewDocument, ViewsDocument } from './document-schema.ts';
import type { ProfileView } from './view.ts';
import type { TabViewsState } from './views.ts';
import type { GraphPlaces, ViewState } from './view-state.ts';
import { loadPart } from '../../ui/load-part.ts';

/** Returns the state of a tab's views; null if there is none yet. */
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
    ...(time === INITIAL_TIME_DISPLAY ? {} : { time }),
    ...(tables === INITIAL_TABLES_DISPLAY ? {} : { tables: { ...tables, hiddenModules: [...tables.hiddenModules] } }),
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

interface RestoredViews {
  /** Empty if there is nothing to restore. */
  readonly initial: readonly Partial<ViewState>[];
  readonly active: number;
  readonly shares: readonly number[];
  /** What does not fit the profile, one line each. */
  readonly missing: readonly string[];
}

/**
 * Reads the result of {@link serialiseViews}, or a search alone, from any storage; null if there is none, undefined if
 * it is invalid. The schema is loaded only when there is something to read.
 */
export async function readViews(
  kept: unknown,
): Promise<ViewsDocument | Pick<ViewDocument, 'search'> | null | undefined> {
  if (kept === undefined || kept === null) return null;
  const { searchSchema, viewsSchema } = await loadPart(() => import('./document-schema.ts'));
  return viewsSchema.or(searchSchema).safeParse(kept).data;
}

/** Restores views. What the profile lacks is dropped and listed in `missing`. */
export function restoreViews(document: Awaited<ReturnType<typeof readViews>>, profile: OpenedProfile): RestoredViews {
  const nothing = { initial: [], active: 0, shares: [], missing: [] };
  if (document === null) return nothing;
  if (document === undefined) {
    return { ...nothing, missing: ['The saved views can’t be read; the file opens with defaults.'] };
  }
  if ('search' in document) return { ...nothing, initial: [{ searchText: document.search }], shares: [1] };
  const { views, active, shares } = document;
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
  if (found.length === 0) say('The selected threads are no longer in the file; all threads are shown.');
  else if (lost > 0) say(`${lost} of the selected threads are no longer in the file.`);
  return found.length === 0 ? null : (found as ThreadIndex[]);
}
