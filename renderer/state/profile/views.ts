import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { ProfileClient } from '../clients/worker-client.ts';
import type { OpenedProfile } from '../../analysis/profile/protocol.ts';
import { createProfileView } from './view.ts';
import type { ProfileView, SharedChange } from './view.ts';
import type { Store } from '../store.ts';
import { createUndo } from '../analysis/undo.ts';
import { choicesOf, sameChoices, UNANSWERED } from './view-state.ts';
import type { ViewChoices, ViewState } from './view-state.ts';

/** Graphs side by side that a wide screen has room for. */
export const MAX_VIEWS = 4;
/** Of all views' room: a narrower one shows nothing. */
export const MIN_SHARE = 0.12;

/** How a new view of a value type begins, where the user set it. */
export type ViewDefaults = Partial<Pick<ViewState, 'tree' | 'orientation' | 'colour'>>;
export type DefaultsFor = (valueType: OpenedProfile['valueTypes'][number], profile: OpenedProfile) => ViewDefaults;

export interface TabViewsState {
  /** At least one once the profile is there; in the order in which they stand side by side. */
  readonly views: readonly ProfileView[];
  /** The view that toolbar, tables and keys are about. */
  readonly activeView: ProfileView | null;
  /** By view: its part of the room; they sum to 1. */
  readonly shares: readonly number[];
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

/** The views of one profile: which there are, what they have in common, and what was looked at before. */
export interface TabViews {
  readonly activateView: (view: ProfileView) => void;
  /** Beside the active view and like it, by another value type where one is given. Null where there is no room. */
  readonly splitView: (valueType?: ValueTypeIndex) => ProfileView | null;
  readonly closeView: (view: ProfileView) => void;
  /** A view that is linked again takes over what the others have in common. */
  readonly linkView: (view: ProfileView, linked: boolean) => void;
  /** Moves the border after a view; the views but these two keep their room. */
  readonly resizeView: (index: number, share: number) => void;
  /** Takes back what changed last in any view: threads, time, value type, transforms, tree. */
  readonly undo: () => void;
  readonly redo: () => void;
}

/** No views, where no profile is open. */
export const NO_VIEWS: TabViewsState = { views: [], activeView: null, shares: [], canUndo: false, canRedo: false };

interface TabViewsDependencies {
  readonly store: Store<TabViewsState>;
  readonly profile: OpenedProfile;
  readonly client: () => ProfileClient | null;
  readonly nextRevision: () => number;
  readonly defaultsFor: DefaultsFor;
  /** The views to begin with; one by the profile's own value type where there are none. */
  readonly initial: readonly Partial<ViewState>[];
}

/** What undo goes back to: the choices of each view, by its id. */
type Snapshot = ReadonlyMap<number, ViewChoices>;

/** Puts views into the store; none of them has been analysed yet. */
export function createTabViews({
  store,
  profile,
  client,
  nextRevision,
  defaultsFor,
  initial,
}: TabViewsDependencies): TabViews {
  let lastId = 0;

  const snapshot = (): Snapshot => new Map(store.get().views.map((view) => [view.id, choicesOf(view.store.get())]));

  function share(from: ProfileView, change: SharedChange): void {
    if (from.store.get().linked && Object.keys(change).length > 0) {
      for (const view of store.get().views) if (view !== from && view.store.get().linked) view.follow(change);
    }
    history.update();
  }

  function create(state: Partial<ViewState>): ProfileView {
    lastId += 1;
    const view: ProfileView = createProfileView({
      id: lastId,
      profile,
      client,
      nextRevision,
      initial: state,
      willChange: history.record,
      share: (change) => {
        share(view, change);
      },
    });
    return view;
  }

  /** What the views of now go back to: one that was not there then is as it is; what linked views have in common stays in common. */
  function as(target: Snapshot): Snapshot {
    const { views: open } = store.get();
    const leader = open.find((view) => view.store.get().linked && target.has(view.id));
    const common = leader === undefined ? null : target.get(leader.id)!;
    return new Map(
      open.map((view) => {
        const state = view.store.get();
        const own = target.get(view.id) ?? choicesOf(state);
        if (common === null || !state.linked) return [view.id, own];
        const { transforms, committed } = common;
        const { threads, timeRange } = common.selection;
        return [view.id, { ...own, transforms, committed, selection: { ...own.selection, threads, timeRange } }];
      }),
    );
  }

  const history = createUndo<Snapshot>({
    store,
    snapshot,
    same: (a, now) => [...as(a)].every(([id, inputs]) => sameChoices(inputs, now.get(id)!)),
    restore: (target) => {
      const inputs = as(target);
      for (const view of store.get().views) {
        const own = inputs.get(view.id)!;
        if (!sameChoices(own, view.store.get())) view.follow(own);
      }
    },
  });

  function ofType(valueType: ValueTypeIndex): ViewDefaults {
    const { type, unit } = profile.valueTypes[valueType]!;
    return defaultsFor({ type, unit }, profile);
  }

  const first = (): Partial<ViewState> => ofType(profile.metadata.defaultValueType);
  const views = (initial.length === 0 ? [first()] : initial.slice(0, MAX_VIEWS)).map(create);
  store.set({ ...NO_VIEWS, views, activeView: views[0]!, shares: views.map(() => 1 / views.length) });

  return {
    activateView: (view) => {
      const { views: open, activeView } = store.get();
      if (view !== activeView && open.includes(view)) store.set({ activeView: view });
    },
    splitView: (valueType) => {
      const { activeView, views: open, shares } = store.get();
      if (activeView === null || open.length >= MAX_VIEWS) return null;
      const view = create(likeView(activeView.store.get(), valueType, ofType));
      const at = open.indexOf(activeView);
      const rest = open.length / (open.length + 1);
      const scaled = shares.map((one) => one * rest);
      store.set({
        views: [...open.slice(0, at + 1), view, ...open.slice(at + 1)],
        shares: [...scaled.slice(0, at + 1), 1 - rest, ...scaled.slice(at + 1)],
        activeView: view,
      });
      void view.analyse();
      return view;
    },
    closeView: (view) => {
      const { views: open, shares, activeView } = store.get();
      const at = open.indexOf(view);
      if (at < 0 || open.length === 1) return;
      const left = open.filter((other) => other !== view);
      const rest = shares.filter((_, index) => index !== at);
      const sum = rest.reduce((total, one) => total + one, 0);
      const neighbour = left[Math.min(at, left.length - 1)]!;
      store.set({
        views: left,
        shares: rest.map((one) => one / sum),
        activeView: activeView === view ? neighbour : activeView,
      });
      view.dispose();
      history.update();
    },
    linkView: (view, linked) => {
      const leader = store.get().views.find((other) => other !== view && other.store.get().linked);
      view.store.set({ linked });
      if (!linked || leader === undefined) return;
      const { selection, transforms, committed, searchText, pickedPlace } = leader.store.get();
      const { threads, timeRange } = selection;
      history.record(null);
      view.follow({ threads, timeRange, committed, transforms, searchText, pickedPlace });
      history.update();
    },
    resizeView: (index, wanted) => {
      const { shares } = store.get();
      const both = shares[index]! + shares[index + 1]!;
      const own = Math.max(MIN_SHARE, Math.min(both - MIN_SHARE, wanted));
      store.set({ shares: [...shares.slice(0, index), own, both - own, ...shares.slice(index + 2)] });
    },
    undo: history.undo,
    redo: history.redo,
  };
}

/** A copy looks as the view does; of another value type, as the user likes that type, else as the view. */
function likeView(
  state: ViewState,
  valueType: ValueTypeIndex | undefined,
  ofType: (valueType: ValueTypeIndex) => ViewDefaults,
): Partial<ViewState> {
  const copy = { ...state, ...UNANSWERED };
  if (valueType === undefined || valueType === state.selection.valueType) return copy;
  return { ...copy, selection: { ...state.selection, valueType }, ...ofType(valueType) };
}
