import type { FunctionRef } from '#core/analyze/function-ref.ts';
import type { TreeLineage } from '#core/analyze/graph/flame-slice.ts';
import type { CallNodeIndex } from '#core/model/brand.ts';
import { asProfileTab, type OpenTab } from './tabs/open-tab.ts';
import type { CompareTab } from './compare/compare.types.ts';
import type { ProfileView } from './profile/view.ts';
import type { GraphPlaces } from './profile/view-state.ts';
import { sameRanges, type KeptRanges } from './kept-ranges.ts';
import type { Store } from './store.ts';
import type { TabActions } from './opening/actions.ts';
import type { WorkbenchState } from './workbench-state.ts';

/** What can be zoomed: a view of a profile, or a comparison. */
type ZoomedView = ProfileView | CompareTab;

/** A place in the history: the active tab and the zooms of its graphs. */
interface Place {
  readonly tab: string;
  readonly view: ZoomedView | null;
  /** Revision of the analysis to which `node` belongs; null before the first. */
  readonly revision: number | null;
  /** The zoomed node of the call tree. */
  readonly node: CallNodeIndex | null;
  /** The zooms of a profile's other graphs; null for others. */
  readonly graphs: GraphPlaces | null;
  /** The parts of the zoomed nodes that fill the graphs. */
  readonly ranges: KeptRanges['of'];
  /** Stays the same object while the profile only grows. */
  readonly lineage: TreeLineage | null;
  /** The path of `node`, which finds it in later trees of the lineage. */
  readonly path: readonly FunctionRef[];
}

/** The history of tabs and zooms, for Back and Forward of the mouse and the browser. */
export interface Navigation {
  /** Returns false at the end of the history, or if the next place is not in the given view. */
  readonly go: (step: 1 | -1, within?: ProfileView) => boolean;
}

/** Maximum number of places; older ones are forgotten. */
const MAX_PLACES = 200;

export function createNavigation(
  store: Pick<Store<WorkbenchState>, 'get' | 'subscribe'>,
  tabs: Pick<TabActions, 'activate'>,
): Navigation {
  let places: readonly Place[] = [];
  let at = -1;
  let isMoving = false;
  let stopFollowing: readonly (() => void)[] = [];
  let followed: string | null = null;

  function here(): Place | null {
    const { activeTab, tabs: open } = store.get();
    if (activeTab === null) return null;
    const view = viewOf(open.find(({ id }) => id === activeTab));
    const state = view?.store.get();
    return {
      tab: activeTab,
      view,
      revision: state?.analysis?.revision ?? null,
      node: state?.zoomNode ?? null,
      graphs: asProfile(view)?.store.get().graphPlaces ?? null,
      ranges: view?.ranges.get().of ?? {},
      lineage: view?.lineage() ?? null,
      path: state?.zoomPath ?? [],
    };
  }

  function record(): void {
    const place = here();
    if (isMoving || place === null) return;
    const now = places[at];
    // A tab has no view while it loads; its place is the same before and after.
    if (now?.tab === place.tab && (now.view === null || place.view === null)) {
      places = places.with(at, place);
      return;
    }
    const isSameView = now !== undefined && now.tab === place.tab && now.view === place.view;
    const isSameTree = isSameView && now.lineage === place.lineage;
    const isSameZoom = isSameTree && now.node === place.node && sameGraphs(now, place);
    const isSameRange = isSameZoom && sameRanges(now.ranges, place.ranges);
    const change = place.view?.ranges.get().change;
    if (isSameZoom && !isSameRange && change === 'zoom') return;
    if (isSameTree && (now.revision !== place.revision || isSameRange || (isSameZoom && change === 'gesture'))) {
      places = places.with(at, place);
      return;
    }
    // A new analysis has new nodes, so it replaces the place instead of adding one.
    const kept = isSameView && now.revision !== place.revision ? places.slice(0, at) : places.slice(0, at + 1);
    places = [...kept, place].slice(-MAX_PLACES);
    at = places.length - 1;
  }

  /** Also follows the view of the active tab. */
  function follow(): void {
    const { activeTab, tabs: open } = store.get();
    const tab = open.find(({ id }) => id === activeTab);
    const view = viewOf(tab);
    const key = `${activeTab} ${view?.id}`;
    if (key !== followed) {
      followed = key;
      for (const stop of stopFollowing) stop();
      const profile = asProfileTab(tab);
      stopFollowing = [
        ...(profile === null ? [] : [profile.store.subscribe(follow)]),
        ...(view === null ? [] : [view.store.subscribe(record), view.ranges.subscribe(record)]),
      ];
    }
    record();
  }
  store.subscribe(follow);

  /** Returns whether a place is still valid and differs from the current one. */
  function isThere(place: Place, from: Place | null): boolean {
    if (!store.get().tabs.some(({ id }) => id === place.tab)) return false;
    if (from === null || place.tab !== from.tab) return true;
    if (place.view !== from.view || place.lineage !== from.lineage) return false;
    if (place.graphs?.sandwich?.centre !== from.graphs?.sandwich?.centre) return false;
    if (!sameGraphs(place, from) || !sameRanges(place.ranges, from.ranges)) return true;
    return place.revision === from.revision ? place.node !== from.node : !samePath(place.path, from.path);
  }

  return {
    go(step, within) {
      const from = here();
      let to = at + step;
      while (places[to] !== undefined && !isThere(places[to]!, from)) to += step;
      const place = places[to];
      if (place === undefined || (within !== undefined && place.view !== within)) return false;
      at = to;
      isMoving = true;
      tabs.activate(place.tab);
      const { view, node, revision, lineage, path, graphs, ranges } = place;
      const state = view?.store.get();
      const end = (): void => {
        isMoving = false;
        follow();
      };
      if (view !== null && node !== null && view.lineage() === lineage) {
        view.ranges.set({ of: ranges });
        if (graphs !== null) asProfile(view)?.lookAtGraphs(graphs);
        if (state?.analysis?.revision !== revision) {
          void view.zoomTo(path).then(end);
          return true;
        }
        if (state?.zoomNode !== node) view.zoom(node);
      }
      end();
      return true;
    },
  };
}

/** Returns the view whose zoom is part of the history; null if the tab has none yet. */
function viewOf(tab: OpenTab | undefined): ZoomedView | null {
  if (tab === undefined || tab.kind === 'load') return null;
  return tab.kind === 'compare' ? tab : tab.store.get().activeView;
}

const asProfile = (view: ZoomedView | null): ProfileView | null =>
  view !== null && 'lookAtGraphs' in view ? view : null;

/** Another function in the centre of the sandwich is another graph, whose zoom follows. */
function sameGraphs({ graphs: a }: Place, { graphs: b }: Place): boolean {
  if (a?.sandwich?.centre !== b?.sandwich?.centre) return true;
  return (
    a?.timeOrder === b?.timeOrder &&
    a?.sandwich?.callers === b?.sandwich?.callers &&
    a?.sandwich?.callees === b?.sandwich?.callees
  );
}

const samePath = (a: readonly FunctionRef[], b: readonly FunctionRef[]): boolean =>
  a.length === b.length && a.every((ref, at) => JSON.stringify(ref) === JSON.stringify(b[at]));
