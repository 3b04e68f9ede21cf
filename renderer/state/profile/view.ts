import type { CallNodeIndex } from '#core/model/brand.ts';
import type { TreeLineage } from '#core/analyze/graph/flame-slice.ts';
import { findFunctions, type FunctionRef } from '#core/analyze/function-ref.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import type { Orientation } from '../../ui/flame/graph.types.ts';
import type { ColourChoice } from '../colour-choice.ts';
import type { SourceLook } from '../source/source.types.ts';
import type { TablesDisplay } from '../../ui/table/tables-display.ts';
import { readCommitted, withRange, type TimeChoice } from '../../ui/time/committed-ranges.ts';
import type { TimeDisplay } from '../time/time-display.ts';
import type { ProfileClient } from '../clients/worker-client.ts';
import { OWN_TREE, type ParamsOf, type PickedPlace, type ResultOf } from '../../analysis/methods.ts';
import type {
  Analysis,
  FunctionNames,
  OpenedProfile,
  ProfileMethod,
  ProfileMethods,
  ProfileSource,
  TreeChoice,
} from '../../analysis/profile/protocol.ts';
import { NO_RANGES, type KeptRanges } from '../kept-ranges.ts';
import { createStore, type Store } from '../store.ts';
import { unlessOutdated } from '../analysis/tab-worker.ts';
import { createAnalysisView } from '../analysis/analysis-view.ts';
import { describePicked } from './describe-picked.ts';
import { joinFunctions } from './join-functions.ts';
import {
  initialViewState,
  inputsOf,
  sameInputs,
  type GraphPlaces,
  type Picked,
  type PointedTime,
  type ViewChoices,
  type ViewInputs,
  type ViewState,
} from './view-state.ts';

/** A view of a profile. A tab has one or more, which share its worker. */
export interface ProfileView {
  /** Unique within the tab; also identifies the view in the worker. */
  readonly id: number;
  /** The newest snapshot, if the profile grows: rows are only added to its functions and threads. */
  readonly profile: OpenedProfile;
  readonly store: Store<ViewState>;
  /** Separate from the state, which is saved: it changes with each pointer movement. */
  readonly pointedTime: Store<PointedTime>;
  /** Separate from the state, which is saved. */
  readonly ranges: Store<KeptRanges>;
  /** The tab's worker; null after the tab was closed. */
  readonly client: () => ProfileClient | null;
  /** Sends a request to the worker; never resolves if the question is outdated or the tab closed. */
  readonly ask: <M extends ProfileMethod>(
    method: M,
    params: ParamsOf<ProfileMethods, M>,
  ) => Promise<ResultOf<ProfileMethods, M>>;
  /**
   * Resolves when the analysis is up to date. Every change starts an analysis, so there is no need to call it for that.
   */
  readonly analyse: () => Promise<void>;
  /** Analyses the profile again after it has grown. */
  readonly renew: () => Promise<void>;
  /** Stays the same object while only the profile grows. */
  readonly lineage: () => TreeLineage;
  /** Reverts immediately to the inputs of the analysis on screen and withdraws the running one. */
  readonly cancel: () => void;
  readonly dispose: () => void;
  /** Selecting a range outside the committed ones exits them; null selects the whole innermost range. */
  readonly select: (change: Partial<Selection>) => void;
  /** Enters a range or leaves it. */
  readonly commitTime: (choice: TimeChoice, threads?: Selection['threads']) => void;
  readonly setTransforms: (transforms: readonly NamedTransform[]) => void;
  /** Fields not given stay unchanged. */
  readonly setTree: (change: Partial<TreeChoice>) => void;
  readonly setOrientation: (orientation: Orientation) => void;
  readonly setColour: (colour: ColourChoice) => void;
  /** Changes how time is drawn, which does not affect the analysis. */
  readonly lookAtTime: (change: Partial<TimeDisplay>) => void;
  /** Changes the filters and order of the tables. */
  readonly lookAtTables: (change: Partial<TablesDisplay>) => void;
  readonly lookAtSource: (change: Partial<SourceLook>) => void;
  readonly zoom: (node: CallNodeIndex) => void;
  /** See `AnalysisView.zoomTo`. */
  readonly zoomTo: (path: readonly FunctionRef[]) => Promise<void>;
  /** Changes the zoomed places of the graphs other than the call tree. */
  readonly lookAtGraphs: (change: Partial<GraphPlaces>) => void;
  readonly setSearch: (text: string) => void;
  readonly pick: (picked: Omit<Picked, 'revision'> | null) => void;
  /** Applies a change from another linked view, or from undo. */
  readonly follow: (change: SharedChange & Partial<ViewChoices>) => void;
}

/** The state that linked views share. */
export interface SharedChange extends Partial<
  Pick<ViewState, 'transforms' | 'committed' | 'searchText' | 'pickedPlace'>
> {
  readonly threads?: Selection['threads'];
  readonly timeRange?: Selection['timeRange'];
}

interface ProfileViewOptions {
  readonly id: number;
  readonly profile: () => OpenedProfile;
  readonly client: () => ProfileClient | null;
  /** Revisions are numbered per worker, not per view. */
  readonly nextRevision: () => number;
  readonly initial: Partial<ViewState>;
  /** Called before each change that can be undone; see `ViewHistory.record`. */
  readonly willChange: (kind: string | null) => void;
  /** Called after each change that linked views follow. */
  readonly share: (change: SharedChange) => void;
}

/** Creates a view. Answers to outdated questions are dropped. */
export function createProfileView({
  id,
  profile,
  client,
  nextRevision,
  initial,
  ...needs
}: ProfileViewOptions): ProfileView {
  const store = createStore<ViewState>({ ...initialViewState(profile().metadata.defaultValueType), ...initial });
  /** Zoom paths of the trees that are not shown. */
  const zoomPaths = new Map<TreeChoice['kind'], ViewState['zoomPath']>();
  const functions = (): FunctionNames => store.get().analysis?.functions ?? profile().functions;
  const analysis = createAnalysisView<ProfileSource, ViewInputs, Analysis, Picked>({
    store,
    client,
    nextRevision,
    tree: OWN_TREE,
    question: () => inputsOf(store.get()),
    isSame: sameInputs,
    asked: (inputs) => ({ view: id, ...inputs }),
    answered: ({ made, ...answer }) => ({
      ...answer,
      functions: made === null ? null : joinFunctions(profile().functions, made),
    }),
    functions,
    toPicked: (found, revision) => ({ ...found, revision }),
    setBusy: (analysing) => store.set({ analysing }),
    willReplace: () => store.set({ details: null }),
    onAnalysis: () => void describePicked(store, client()),
    zoomKeeper: () => {
      const { kind } = store.get().tree;
      return (zoomPath) => {
        if (store.get().tree.kind === kind) store.set({ zoomPath });
        else zoomPaths.set(kind, zoomPath);
      };
    },
  });

  function apply({ tree, ...change }: Partial<ViewChoices>): void {
    const { tree: before, zoomPath, pickedPlace } = store.get();
    if (tree !== undefined && tree.kind !== before.kind) {
      zoomPaths.set(before.kind, zoomPath);
      store.set({
        zoomPath: zoomPaths.get(tree.kind) ?? [],
        pickedPlace: pickedPlace === null ? null : { ...pickedPlace, path: null },
      });
    }
    store.set(tree === undefined ? change : { ...change, tree });
    void analysis.run();
  }

  function choose(selection: Selection, time: Partial<TimeChoice>, shared: SharedChange): void {
    const { timeRange = selection.timeRange, ...commits } = time;
    apply({ ...commits, selection: { ...selection, timeRange } });
    needs.share({ ...shared, ...time });
  }

  function pick(change: () => void): void {
    store.set({ details: null });
    change();
    void describePicked(store, client());
  }

  /** Selects the function that another view selected, wherever it is in this one. */
  function followPicked(shared: PickedPlace | null): void {
    const names = functions();
    const live = new Uint8Array(names.length).fill(1);
    const table = { strings: names.strings, functions: names };
    const func = shared === null ? undefined : findFunctions(table, live, [shared.func])[0]![0];
    const revision = store.get().analysis?.revision ?? 0;
    const picked = func === undefined ? null : ({ func, node: null, revision } as Picked);
    pick(() => analysis.take(picked, shared === null ? null : { func: shared.func, path: null }));
  }

  return {
    id,
    get profile() {
      return profile();
    },
    store,
    pointedTime: createStore<PointedTime>({ time: null, on: 'strip' }),
    ranges: createStore(NO_RANGES),
    client,
    ask: (method, params) => unlessOutdated(client()?.call(method, params)),
    analyse: analysis.run,
    renew: analysis.renew,
    lineage: analysis.lineage,
    cancel: () => {
      const before = analysis.shown();
      if (before === null) return;
      const { threads, timeRange } = before.selection;
      const committed = readCommitted(store.get().committed, timeRange);
      apply({ ...before, committed });
      needs.share({ threads, timeRange, committed, transforms: before.transforms });
      store.set({ analysing: false });
    },
    dispose: () => {
      analysis.dispose();
      void client()
        ?.call('close-view', { view: id })
        .catch(() => null);
    },
    select: ({ timeRange, ...change }) => {
      const { selection, committed } = store.get();
      const time = timeRange === undefined ? {} : withRange(committed, timeRange);
      const { valueType: _own, ...shared } = change;
      needs.willChange(timeRange !== undefined && Object.keys(change).length === 0 ? 'timeRange' : null);
      choose({ ...selection, ...change }, time, shared);
    },
    commitTime: (choice, threads) => {
      const { selection, time } = store.get();
      const shared = threads === undefined ? {} : { threads };
      needs.willChange(null);
      store.set({ time: { ...time, window: null } });
      choose({ ...selection, ...shared }, choice, shared);
    },
    setTransforms: (transforms) => {
      needs.willChange(null);
      apply({ transforms });
      needs.share({ transforms });
    },
    setTree: (change) => {
      const tree = { ...store.get().tree, ...change };
      if (JSON.stringify(tree) === JSON.stringify(store.get().tree)) return;
      needs.willChange(null);
      apply({ tree });
      needs.share({});
    },
    setOrientation: (orientation) => store.set({ orientation }),
    setColour: (colour) => store.set({ colour }),
    lookAtTables: (part) => store.set({ tables: { ...store.get().tables, ...part } }),
    lookAtSource: (part) => store.set({ source: { ...store.get().source, ...part } }),
    lookAtTime: (part) => store.set({ time: { ...store.get().time, ...part } }),
    lookAtGraphs: (part) => store.set({ graphPlaces: { ...store.get().graphPlaces, ...part } }),
    zoom: analysis.zoom,
    zoomTo: analysis.zoomTo,
    setSearch: (searchText) => {
      analysis.setSearch(searchText);
      needs.share({ searchText });
    },
    pick: (chosen) => {
      pick(() => analysis.pick(chosen));
      needs.share({ pickedPlace: store.get().pickedPlace });
    },
    follow: ({ threads, timeRange, searchText, pickedPlace, ...inputs }) => {
      const { selection } = store.get();
      const follows = {
        ...(threads === undefined ? {} : { threads }),
        ...(timeRange === undefined ? {} : { timeRange }),
      };
      if (Object.keys(follows).length > 0) apply({ ...inputs, selection: { ...selection, ...follows } });
      else if (Object.keys(inputs).length > 0) apply(inputs);
      if (searchText !== undefined) analysis.setSearch(searchText);
      if (pickedPlace !== undefined) followPicked(pickedPlace);
    },
  };
}
