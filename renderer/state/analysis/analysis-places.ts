import type { FunctionRef } from '#core/analyze/function-ref.ts';
import type { CallNodeIndex } from '#core/model/brand.ts';
import type { FoundPlace } from '../../analysis/answer.ts';
import type { PickedPlace, SourceTypes } from '../../analysis/methods.ts';
import type { FunctionNames } from '../../analysis/profile/protocol.ts';
import { functionRefOf, pathRefs } from '../function-text.ts';
import type { Store } from '../store.ts';
import type { AnalysisState, SharedClient } from './analysis-state.ts';

/** What a source provides for the places in its trees. */
export interface PlacesSource<S extends SourceTypes, Analysis, Picked> {
  readonly store: Store<AnalysisState<Analysis, Picked, S['matches']>>;
  /** Null while the tab has no worker. */
  readonly client: () => SharedClient<S> | null;
  /** The tree that zoomed and selected nodes refer to. */
  readonly tree: S['tree'];
  /** The functions that current function indices refer to. */
  readonly functions: () => FunctionNames | null;
  readonly toPicked: (found: FoundPlace, revision: number) => Picked;
  /**
   * Returns a function that stores a zoom path for the current view, whatever is shown when it is called. If absent,
   * the path is kept in the store.
   */
  readonly zoomKeeper?: () => (path: readonly FunctionRef[]) => void;
}

/** Where a view is zoomed to and what is picked in it, by node and by names. */
export interface AnalysisPlaces<Picked> {
  /** Resolves when the names of the places to restore are known. */
  readonly named: () => Promise<void>;
  readonly zoom: (node: CallNodeIndex) => void;
  /** Zooms to a path, or its deepest caller in the tree; resolves when it is shown. */
  readonly zoomTo: (path: readonly FunctionRef[]) => Promise<void>;
  readonly pick: (found: FoundPlace | null) => void;
  /** Works as `pick` does, for a function named in another view. */
  readonly take: (picked: Picked | null, place: PickedPlace | null) => void;
}

export function createAnalysisPlaces<
  S extends SourceTypes,
  Analysis extends { readonly revision: number },
  Picked extends FoundPlace,
>(source: PlacesSource<S, Analysis, Picked>): AnalysisPlaces<Picked> {
  const { store, client } = source;
  let placing: Promise<void> = Promise.resolve();

  /** Returns the node's path by names, used to find it again in the next analysis; null if the question is outdated. */
  async function pathOf(node: CallNodeIndex): Promise<readonly FunctionRef[] | null> {
    const { analysis } = store.get();
    if (analysis === null || node === 0) return [];
    const asking = client()?.call('path', { revision: analysis.revision, tree: source.tree, node });
    const path = (await asking?.catch(() => null)) ?? null;
    return path === null || store.get().analysis !== analysis ? null : pathRefs(path);
  }

  function keepInStore(zoomPath: readonly FunctionRef[]): void {
    store.set({ zoomPath });
  }

  async function placeZoom(node: CallNodeIndex): Promise<void> {
    const keep = source.zoomKeeper?.() ?? keepInStore;
    const path = await pathOf(node);
    if (path !== null && store.get().zoomNode === node) keep(path);
  }

  async function findZoom(path: readonly FunctionRef[]): Promise<void> {
    const { analysis } = store.get();
    const zoom = { zoom: path, picked: null, revision: analysis?.revision ?? 0 };
    const found =
      (await client()
        ?.call('find-places', zoom)
        .catch(() => null)) ?? null;
    if (found !== null && store.get().analysis === analysis && store.get().zoomPath === path)
      store.set({ zoomNode: found.zoomNode });
  }

  async function placePicked(picked: Picked, node: CallNodeIndex, place: PickedPlace): Promise<void> {
    const path = await pathOf(node);
    if (path !== null && store.get().picked === picked) store.set({ pickedPlace: { ...place, path } });
  }

  function place(work: Promise<void>): void {
    placing = Promise.all([placing, work]).then(() => undefined);
  }

  function take(picked: Picked | null, pickedPlace: PickedPlace | null): void {
    store.set({ picked, pickedPlace });
    if (picked !== null && picked.node !== null && pickedPlace !== null) {
      place(placePicked(picked, picked.node, pickedPlace));
    }
  }

  return {
    named: () => placing,
    zoom: (zoomNode) => {
      store.set({ zoomNode });
      place(placeZoom(zoomNode));
    },
    zoomTo: (path) => {
      (source.zoomKeeper?.() ?? keepInStore)(path);
      const found = findZoom(path);
      place(found);
      return found;
    },
    pick: (found) => {
      const functions = source.functions();
      if (functions === null) return;
      const picked = found === null ? null : source.toPicked(found, store.get().analysis?.revision ?? 0);
      take(picked, found === null ? null : { func: functionRefOf(functions, found.func), path: null });
    },
    take,
  };
}
