import type { CallNodeIndex } from '#core/model/brand.ts';
import { findFunctions } from '#core/analyze/function-ref.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import type { Orientation } from '../../ui/flame/flame-graph.types.ts';
import type { ColourChoice } from '../colour-choice.ts';
import type { SourceLook } from '../source/source.types.ts';
import type { TablesLook } from '../../ui/table/tables-look.ts';
import { readCommitted, withRange } from '../../ui/time/committed-ranges.ts';
import type { TimeChoice } from '../../ui/time/committed-ranges.ts';
import type { TimeLook } from '../time/time-look.ts';
import type { ProfileClient } from '../clients/worker-client.ts';
import { OWN_TREE } from '../../analysis/methods.ts';
import type { ParamsOf, PickedPlace, ResultOf } from '../../analysis/methods.ts';
import type {
  Analysis,
  FunctionNames,
  OpenedProfile,
  ProfileMethod,
  ProfileMethods,
  ProfileSource,
  TreeChoice,
} from '../../analysis/profile/protocol.ts';
import { joinFunctions } from './join-functions.ts';
import { isOutdated, toProblem } from '../problem.ts';
import { createStore } from '../store.ts';
import type { Store } from '../store.ts';
import { unlessOutdated } from '../analysis/tab-worker.ts';
import { createAnalysisView } from '../analysis/analysis-view.ts';
import { initialViewState, inputsOf, sameInputs } from './view-state.ts';
import type { GraphPlaces, Picked, PointedTime, ViewChoices, ViewInputs, ViewState } from './view-state.ts';

/** One way of looking at a profile. A tab has one or more, which share its worker. */
export interface ProfileView {
  /** Unlike any other of the tab; what the worker calls the view. */
  readonly id: number;
  readonly profile: OpenedProfile;
  readonly store: Store<ViewState>;
  /** Apart from the state, which is kept: it changes with each movement of the pointer. */
  readonly pointedTime: Store<PointedTime>;
  /** The tab's worker; null once the tab is closed. */
  readonly client: () => ProfileClient | null;
  /** Asks the worker; never answered where the question is outdated or the tab closed. */
  readonly ask: <M extends ProfileMethod>(
    method: M,
    params: ParamsOf<ProfileMethods, M>,
  ) => Promise<ResultOf<ProfileMethods, M>>;
  /** Ends once the analysis is up to date. There is no need to start it: every change does. */
  readonly analyse: () => Promise<void>;
  /** Back to what the analysis on screen is of, at once; what was being analysed is withdrawn. */
  readonly cancel: () => void;
  readonly dispose: () => void;
  /** A range that is not within the committed ones leaves them; null: all of the innermost. */
  readonly select: (change: Partial<Selection>) => void;
  /** Into a range, or back out. */
  readonly commitTime: (choice: TimeChoice, threads?: Selection['threads']) => void;
  readonly setTransforms: (transforms: readonly NamedTransform[]) => void;
  /** What is not given stays. */
  readonly setTree: (change: Partial<TreeChoice>) => void;
  readonly setOrientation: (orientation: Orientation) => void;
  readonly setColour: (colour: ColourChoice) => void;
  /** How time is drawn; changes nothing of what is analysed. */
  readonly lookAtTime: (change: Partial<TimeLook>) => void;
  /** What tables leave out and how they are sorted. */
  readonly lookAtTables: (change: Partial<TablesLook>) => void;
  readonly lookAtSource: (change: Partial<SourceLook>) => void;
  readonly zoom: (node: CallNodeIndex) => void;
  /** Where graphs beside the call tree are zoomed. */
  readonly lookAtGraphs: (change: Partial<GraphPlaces>) => void;
  readonly setSearch: (text: string) => void;
  readonly pick: (picked: Omit<Picked, 'revision'> | null) => void;
  /** What another linked view changed, or what undo brings back. */
  readonly follow: (change: SharedChange & Partial<ViewChoices>) => void;
}

/** What linked views have in common. */
export interface SharedChange extends Partial<
  Pick<ViewState, 'transforms' | 'committed' | 'searchText' | 'pickedPlace'>
> {
  readonly threads?: Selection['threads'];
  readonly timeRange?: Selection['timeRange'];
}

export interface ViewNeeds {
  readonly id: number;
  readonly profile: OpenedProfile;
  readonly client: () => ProfileClient | null;
  /** Revisions are the worker's, not the view's. */
  readonly nextRevision: () => number;
  readonly initial: Partial<ViewState>;
  /** Before each change that undo takes back; see `ViewHistory.record`. */
  readonly willChange: (kind: string | null) => void;
  /** After each change that linked views follow. */
  readonly share: (change: SharedChange) => void;
}

/** Answers to outdated questions are dropped. */
export function createProfileView({ id, profile, client, nextRevision, initial, ...needs }: ViewNeeds): ProfileView {
  const store = createStore<ViewState>({ ...initialViewState(profile.metadata.defaultValueType), ...initial });
  /** Where the user was in the trees that are not shown. */
  const zoomPaths = new Map<TreeChoice['kind'], ViewState['zoomPath']>();
  const functions = (): FunctionNames => store.get().analysis?.functions ?? profile.functions;
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
      functions: made === null ? null : joinFunctions(profile.functions, made),
    }),
    functions,
    toPicked: (found, revision) => ({ ...found, revision }),
    setBusy: (analysing) => {
      store.set({ analysing });
    },
    willReplace: () => {
      store.set({ details: null });
    },
    onAnalysis: () => void describePicked(),
    zoomKeeper: () => {
      const { kind } = store.get().tree;
      return (zoomPath) => {
        if (store.get().tree.kind === kind) store.set({ zoomPath });
        else zoomPaths.set(kind, zoomPath);
      };
    },
  });

  async function describePicked(): Promise<void> {
    const own = client();
    const { picked, analysis: described } = store.get();
    if (own === null || described === null || picked === null) return;
    const { func } = picked;
    const { revision } = described;
    // Rows of another tree mean nothing in this one: fall back to the function's heaviest row.
    const exactStack = picked.node !== null && picked.revision === revision;
    try {
      const node = exactStack ? picked.node : await own.call('heaviest', { revision, func });
      const [path, neighbours] = await Promise.all([
        node === null ? [] : own.call('path', { revision, tree: OWN_TREE, node }),
        own.call('neighbours', { revision, func }),
      ]);
      const now = store.get();
      if (now.picked !== picked || now.analysis !== described) return;
      store.set({ details: { picked, exactStack, stack: path.slice(1), ...neighbours } });
    } catch (error) {
      const problem = toProblem(error);
      if (!isOutdated(problem)) store.set({ problem });
    }
  }

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
    void describePicked();
  }

  /** What another view picked: the function, wherever it is here. */
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
    profile,
    store,
    pointedTime: createStore<PointedTime>({ time: null, on: 'strip' }),
    client,
    ask: (method, params) => unlessOutdated(client()?.call(method, params)),
    analyse: analysis.run,
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
    setOrientation: (orientation) => {
      store.set({ orientation });
    },
    setColour: (colour) => {
      store.set({ colour });
    },
    lookAtTables: (part) => {
      store.set({ tables: { ...store.get().tables, ...part } });
    },
    lookAtSource: (part) => {
      store.set({ source: { ...store.get().source, ...part } });
    },
    lookAtTime: (part) => {
      store.set({ time: { ...store.get().time, ...part } });
    },
    lookAtGraphs: (part) => {
      store.set({ graphPlaces: { ...store.get().graphPlaces, ...part } });
    },
    zoom: analysis.zoom,
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
