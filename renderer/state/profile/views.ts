import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { ProfileClient } from '../clients/worker-client.ts';
import type { OpenedProfile } from '../../analysis/profile/protocol.ts';
import { createProfileView, type ProfileView, type SharedChange } from './view.ts';
import type { NoteBook } from '../notes/note-book.ts';
import type { Store } from '../store.ts';
import { createUndo } from '../analysis/undo.ts';
import { choicesOf, sameChoices, UNANSWERED, type ViewChoices, type ViewState } from './view-state.ts';

/** Number of graphs that fit side by side on a wide screen. */
export const MAX_VIEWS = 4;
/** Minimum share of the views' total width; a narrower view shows nothing useful. */
export const MIN_SHARE = 0.12;

/** The user's defaults for a new view of a value type. */
export type ViewDefaults = Partial<Pick<ViewState, 'tree' | 'orientation' | 'colour'>>;
export type DefaultsFor = (valueType: OpenedProfile['valueTypes'][number], profile: OpenedProfile) => ViewDefaults;

export interface TabViewsState {
  /** The views from left to right; at least one once the profile is read. */
  readonly views: readonly ProfileView[];
  /** The view to which the toolbar, tables and shortcuts apply. */
  readonly activeView: ProfileView | null;
  /** Share of the width by view; they sum to 1. */
  readonly shares: readonly number[];
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

/** The views of one profile, their shared state, and their undo history. */
export interface TabViews {
  readonly activateView: (view: ProfileView) => void;
  /** Adds a copy of the active view next to it, with another value type if given. Returns null if there is no room. */
  readonly splitView: (valueType?: ValueTypeIndex) => ProfileView | null;
  readonly closeView: (view: ProfileView) => void;
  /** Linking a view again applies the others' shared state to it. */
  readonly linkView: (view: ProfileView, linked: boolean) => void;
  /** Moves the border after a view; only the two views at that border change. */
  readonly resizeView: (index: number, share: number) => void;
  /** Undoes the last change in any view: threads, time, value type, transforms or tree. */
  readonly undo: () => void;
  readonly redo: () => void;
  /** Called before and after a change of the tab's notes, which can also be undone. */
  readonly willChangeNotes: () => void;
  readonly notesChanged: () => void;
}

/** The state while no profile is open. */
export const NO_VIEWS: TabViewsState = { views: [], activeView: null, shares: [], canUndo: false, canRedo: false };

interface TabViewsDependencies {
  readonly store: Store<TabViewsState>;
  readonly profile: () => OpenedProfile;
  readonly client: () => ProfileClient | null;
  readonly nextRevision: () => number;
  readonly defaultsFor: DefaultsFor;
  /** The initial views; if empty, one view of the profile's default value type. */
  readonly initial: readonly Partial<ViewState>[];
  readonly notes: Pick<NoteBook, 'position' | 'goTo'>;
}

/** The choices of each view, by view ID. */
type Choices = ReadonlyMap<number, ViewChoices>;

/** The state that undo restores. */
interface ViewsSnapshot {
  readonly choices: Choices;
  /** See `NoteBook.position`. */
  readonly notes: number;
}

/** Puts views into the store, before their first analysis. */
export function createTabViews({
  store,
  profile,
  client,
  nextRevision,
  defaultsFor,
  initial,
  notes,
}: TabViewsDependencies): TabViews {
  let lastId = 0;

  const snapshot = (): ViewsSnapshot => ({
    choices: new Map(store.get().views.map((view) => [view.id, choicesOf(view.store.get())])),
    notes: notes.position(),
  });

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
      share: (change) => share(view, change),
    });
    return view;
  }

  /**
   * Returns the choices that undo restores for the current views. A view that did not exist then keeps its choices;
   * linked views stay in step.
   */
  function as(target: Choices): Choices {
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

  const history = createUndo<ViewsSnapshot>({
    store,
    snapshot,
    same: (a, now) =>
      a.notes === now.notes && [...as(a.choices)].every(([id, inputs]) => sameChoices(inputs, now.choices.get(id)!)),
    restore: (target) => {
      const inputs = as(target.choices);
      notes.goTo(target.notes);
      for (const view of store.get().views) {
        const own = inputs.get(view.id)!;
        if (!sameChoices(own, view.store.get())) view.follow(own);
      }
    },
  });

  function ofType(valueType: ValueTypeIndex): ViewDefaults {
    const { type, unit } = profile().valueTypes[valueType]!;
    return defaultsFor({ type, unit }, profile());
  }

  /** Returns the initial views: for a heap profile, memory in use next to allocated memory. */
  const first = (): readonly Partial<ViewState>[] => {
    const { defaultValueType } = profile().metadata;
    const beside = allocatedBeside(profile().valueTypes, defaultValueType);
    const alone = ofType(defaultValueType);
    if (beside === null) return [alone];
    return [alone, { ...ofType(beside), selection: { valueType: beside, threads: null, timeRange: null } }];
  };
  const views = (initial.length === 0 ? first() : initial.slice(0, MAX_VIEWS)).map(create);
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
    willChangeNotes: () => history.record(null),
    notesChanged: history.update,
  };
}

/**
 * Returns the initial state of a copied view. With another value type, the user's defaults for that type take
 * precedence.
 */
function likeView(
  state: ViewState,
  valueType: ValueTypeIndex | undefined,
  ofType: (valueType: ValueTypeIndex) => ViewDefaults,
): Partial<ViewState> {
  const copy = { ...state, ...UNANSWERED };
  if (valueType === undefined || valueType === state.selection.valueType) return copy;
  return { ...copy, selection: { ...state.selection, valueType }, ...ofType(valueType) };
}

/** Returns the allocated counterpart (`alloc_space`) of memory in use (`inuse_space`); null if there is none. */
export function allocatedBeside(
  valueTypes: OpenedProfile['valueTypes'],
  valueType: ValueTypeIndex,
): ValueTypeIndex | null {
  const { type = '', unit } = valueTypes[valueType] ?? {};
  if (!type.startsWith('inuse_')) return null;
  const wanted = type.replace('inuse_', 'alloc_');
  const found = valueTypes.findIndex((other) => other.type === wanted && other.unit === unit);
  return found < 0 ? null : (found as ValueTypeIndex);
}
