import type { TreeLineage } from '#core/analyze/graph/flame-slice.ts';
import { rowOfPath } from '#core/analyze/graph/row-of-path.ts';
import type { FunctionRef } from '#core/analyze/function-ref.ts';
import type { CallNodeIndex } from '#core/model/brand.ts';
import type { FoundPlace } from '../../analysis/answer.ts';
import type {
  AnalysisMethods,
  FoundPlaces,
  ParamsOf,
  PickedPlace,
  ResultOf,
  SourceTypes,
} from '../../analysis/methods.ts';
import type { FunctionNames } from '../../analysis/profile/protocol.ts';
import type { Problem } from '../../ui/problem.ts';
import { functionRefOf, pathRefs } from '../function-text.ts';
import { isOutdated, toProblem } from '../problem.ts';
import type { Store } from '../store.ts';

export type SearchState<Matches> =
  | { readonly status: 'none' }
  | { readonly status: 'running' }
  /** `revision` is that of the searched analysis: the previous one until the newest is searched. */
  | { readonly status: 'matched'; readonly matches: Matches; readonly revision: number }
  | { readonly status: 'refused'; readonly message: string };

/** The state that views of all sources share. */
export interface AnalysisState<Analysis, Picked, Matches> {
  /** Stays the analysis of earlier choices until the worker has answered; null before the first answer. */
  readonly analysis: Analysis | null;
  /** Why the newest analysis failed or was refused; the previous one stays on screen. */
  readonly problem: Problem | null;
  readonly searchText: string;
  readonly search: SearchState<Matches>;
  /** The node of `zoomPath` in the analysis, or its deepest caller in the tree. */
  readonly zoomNode: CallNodeIndex;
  /** Path of the zoomed node, from below the root down; kept even if the current tree lacks it. */
  readonly zoomPath: readonly FunctionRef[];
  readonly picked: Picked | null;
  /** The selection by names; kept even if the analysis lacks the function. */
  readonly pickedPlace: PickedPlace | null;
}

/** A worker client, reduced to the methods that all sources share. */
interface SharedClient<S extends SourceTypes> {
  call<M extends keyof AnalysisMethods<S>>(
    method: M,
    params: ParamsOf<AnalysisMethods<S>, M>,
  ): Promise<ResultOf<AnalysisMethods<S>, M>>;
}

/**
 * What a source (a profile or a comparison) provides for its views. `Question` holds the choices, `Analysis` the
 * answer.
 */
interface AnalysisSource<
  S extends SourceTypes,
  Question,
  Analysis extends FoundPlaces & { readonly revision: number },
  Picked extends FoundPlace,
> {
  readonly store: Store<AnalysisState<Analysis, Picked, S['matches']>>;
  /** Null while the tab has no worker. */
  readonly client: () => SharedClient<S> | null;
  /** Returns a revision number that is unique within the tab. */
  readonly nextRevision: () => number;
  /** The tree that zoomed and selected nodes refer to. */
  readonly tree: S['tree'];
  /** Null if there is nothing to analyse. */
  readonly question: () => Question | null;
  readonly isSame: (a: Question, b: Question) => boolean;
  /** Converts the question to the form sent to the worker. */
  readonly asked: (question: Question) => S['question'];
  readonly answered: (answer: S['answer']) => Analysis;
  /** The functions that current function indices refer to. */
  readonly functions: () => FunctionNames | null;
  readonly toPicked: (found: FoundPlace, revision: number) => Picked;
  readonly setBusy: (isBusy: boolean) => void;
  /** Called just before the content on screen is replaced, to forget its state. */
  readonly willReplace: () => void;
  /** Called when a new analysis is in the store. */
  readonly onAnalysis?: () => void;
  /**
   * Returns a function that stores a zoom path for the current view, whatever is shown when it is called. If absent,
   * the path is kept in the store.
   */
  readonly zoomKeeper?: () => (path: readonly FunctionRef[]) => void;
}

/**
 * A view of a source. It keeps the analysis in step with the choices, and its places and search in step with the
 * analysis.
 */
interface AnalysisView<Question, Picked> {
  /**
   * Resolves when the newest question is answered, refused, or cannot be asked. Withdraws an analysis that has become
   * outdated.
   */
  readonly run: () => Promise<void>;
  /** Asks the same question again without showing progress, because the source has grown. */
  readonly renew: () => Promise<void>;
  /** Stays the same object while only the source grows. */
  readonly lineage: () => TreeLineage;
  /** The question of the analysis on screen; null if there is none. */
  readonly shown: () => Question | null;
  readonly zoom: (node: CallNodeIndex) => void;
  /** Zooms to a path, or its deepest caller in the tree; resolves when it is shown. */
  readonly zoomTo: (path: readonly FunctionRef[]) => Promise<void>;
  readonly pick: (found: FoundPlace | null) => void;
  /** Works as `pick` does, for a function named in another view. */
  readonly take: (picked: Picked | null, place: PickedPlace | null) => void;
  /** Searches after a short pause; an empty text clears the search. */
  readonly setSearch: (text: string) => void;
  readonly dispose: () => void;
}

type PlacesByName = Pick<AnalysisState<unknown, unknown, unknown>, 'zoomPath' | 'pickedPlace'>;

/** Pause in typing before a pattern runs, in ms; matches must be on screen 150 ms after the last key. */
const SEARCH_DELAY_MS = 40;

export function createAnalysisView<
  S extends SourceTypes,
  Question,
  Analysis extends FoundPlaces & { readonly revision: number },
  Picked extends FoundPlace,
>(source: AnalysisSource<S, Question, Analysis, Picked>): AnalysisView<Question, Picked> {
  const { store, client } = source;
  /** The worker to which the following state belongs. */
  let served: SharedClient<S> | null = null;
  let running: Promise<void> | null = null;
  let asked: { readonly question: Question; readonly revision: number } | null = null;
  let shown: Question | null = null;
  let lineage: TreeLineage = { id: 0, rowOfPath };
  /** True while the worker holds the analysis on screen. */
  let held = false;
  /** Resolves when the names of the places to restore are known. */
  let placing: Promise<void> = Promise.resolve();
  /** True while the source has grown and the same question is asked again. */
  let isRenewing = false;
  let searchTimer: ReturnType<typeof setTimeout> | undefined;

  function isNow(question: Question): boolean {
    const now = source.question();
    return now !== null && source.isSame(question, now);
  }

  const namedPlaces = ({ zoomPath, pickedPlace }: PlacesByName) => ({ zoom: zoomPath, picked: pickedPlace });

  async function analyse(own: SharedClient<S>, question: Question): Promise<Analysis> {
    const revision = source.nextRevision();
    asked = { question, revision };
    let places: PlacesByName = store.get();
    const params = { ...source.asked(question), ...namedPlaces(places), revision };
    const analysis = source.answered(await own.call('analyze', params));
    let found: FoundPlaces = analysis;
    for (;;) {
      await placing;
      const { zoomPath, pickedPlace } = store.get();
      if (zoomPath === places.zoomPath && pickedPlace === places.pickedPlace) return { ...analysis, ...found };
      places = { zoomPath, pickedPlace };
      found = await own.call('find-places', { ...namedPlaces(places), revision });
    }
  }

  function adopt(analysis: Analysis, question: Question): void {
    const { revision, zoomNode, picked } = analysis;
    if (!isRenewing || shown === null || !source.isSame(shown, question)) lineage = { id: lineage.id + 1, rowOfPath };
    shown = question;
    held = true;
    if (!isRenewing) source.willReplace();
    store.set({
      analysis,
      zoomNode,
      picked: picked === null ? null : source.toPicked(picked, revision),
      problem: null,
    });
    void search();
    source.onAnalysis?.();
  }

  function end(problem: Problem | null): void {
    running = null;
    asked = null;
    source.setBusy(false);
    store.set({ problem });
  }

  function clear(): void {
    shown = null;
    source.willReplace();
    store.set({ analysis: null, picked: null });
    end(null);
  }

  async function loop(own: SharedClient<S>): Promise<void> {
    for (;;) {
      await placing;
      const question = source.question();
      if (client() !== own) return;
      if (question === null) return clear();
      try {
        const analysis = await analyse(own, question);
        if (client() !== own) return;
        if (isNow(question)) adopt(analysis, question);
        else held = false;
      } catch (error) {
        const problem = toProblem(error);
        if (client() !== own) return;
        if (problem.code === 'cancelled') return end(null);
        if (problem.code !== 'withdrawn' && isNow(question)) return end(problem);
      }
      if (held && shown !== null && isNow(shown)) return end(null);
    }
  }

  function run(): Promise<void> {
    const own = client();
    if (own === null) return Promise.resolve();
    if (own !== served) {
      [served, running, asked, shown, held] = [own, null, null, null, false];
    }
    const now = source.question();
    if (running === null && held && shown !== null && now !== null && source.isSame(shown, now)) {
      shown = now;
      store.set({ problem: null });
      return Promise.resolve();
    }
    if (asked !== null && !isNow(asked.question)) {
      void own.call('withdraw', { revision: asked.revision }).catch(() => null);
    }
    if (!isRenewing) source.setBusy(true);
    return (running ??= loop(own));
  }

  async function renew(): Promise<void> {
    // The running analysis may be of the source before it grew.
    if (running !== null) await running;
    isRenewing = true;
    held = false;
    try {
      await run();
    } finally {
      isRenewing = false;
    }
  }

  async function search(): Promise<void> {
    const own = client();
    const { searchText, analysis } = store.get();
    if (own === null || analysis === null) return;
    if (searchText === '') return store.set({ search: { status: 'none' } });
    const { revision } = analysis;
    let found: SearchState<S['matches']>;
    try {
      found = { status: 'matched', matches: await own.call('search', { revision, pattern: searchText }), revision };
    } catch (error) {
      const problem = toProblem(error);
      if (isOutdated(problem)) return;
      found = { status: 'refused', message: problem.message };
    }
    const now = store.get();
    if (now.searchText === searchText && now.analysis === analysis) store.set({ search: found });
  }

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
    run,
    renew,
    lineage: () => lineage,
    shown: () => (client() === served ? shown : null),
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
    setSearch: (searchText) => {
      clearTimeout(searchTimer);
      store.set({ searchText, search: { status: searchText === '' ? 'none' : 'running' } });
      searchTimer = setTimeout(() => void search(), searchText === '' ? 0 : SEARCH_DELAY_MS);
    },
    dispose: () => {
      clearTimeout(searchTimer);
    },
  };
}
