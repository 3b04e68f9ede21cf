import type { Store } from '../store.ts';

/** What was looked at before, and before that; bounded. */
export interface ViewHistory<T> {
  /** Before a change. Changes of the same kind in quick succession are one step; null: a step of its own. */
  readonly record: (before: T, kind: string | null) => void;
  /** What to go back to; null where there is nothing. Steps that would change nothing are skipped. */
  readonly undo: (now: T) => T | null;
  readonly redo: (now: T) => T | null;
  readonly canUndo: (now: T) => boolean;
  readonly canRedo: (now: T) => boolean;
}

/** Nobody goes back further. */
const MAX_STEPS = 200;
/** A range that is moved by keys or dragged in steps is one change while they come faster than this. */
const ONE_CHANGE_MS = 1000;

/** `same`: the two look the same, so that going from one to the other is no step. */
export function createViewHistory<T>(same: (a: T, b: T) => boolean, clock: () => number): ViewHistory<T> {
  let past: T[] = [];
  let future: T[] = [];
  let lastKind: string | null = null;
  let lastTime = -Infinity;

  function step(from: T[], to: T[], now: T): T | null {
    while (from.length > 0) {
      const target = from.pop()!;
      if (same(target, now)) continue;
      to.push(now);
      lastKind = null;
      return target;
    }
    return null;
  }

  return {
    record: (before, kind) => {
      const goesOn = kind !== null && kind === lastKind && clock() - lastTime < ONE_CHANGE_MS;
      lastKind = kind;
      lastTime = clock();
      future = [];
      if (!goesOn) past = [...past, before].slice(-MAX_STEPS);
    },
    undo: (now) => step(past, future, now),
    redo: (now) => step(future, past, now),
    canUndo: (now) => past.some((one) => !same(one, now)),
    canRedo: (now) => future.some((one) => !same(one, now)),
  };
}

/** Undo and redo of a tab: what can be taken back is in its store. */
export interface Undo {
  /** Before a change; see `ViewHistory.record`. */
  readonly record: (kind: string | null) => void;
  /** After each change. */
  readonly update: () => void;
  readonly undo: () => void;
  readonly redo: () => void;
}

interface UndoNeeds<T> {
  readonly store: Store<{ readonly canUndo: boolean; readonly canRedo: boolean }>;
  /** What undo goes back to, of now. */
  readonly snapshot: () => T;
  readonly same: (a: T, b: T) => boolean;
  readonly restore: (snapshot: T) => void;
}

export function createUndo<T>({ store, snapshot, same, restore }: UndoNeeds<T>): Undo {
  const history = createViewHistory(same, () => performance.now());
  const update = (): void => {
    const now = snapshot();
    store.set({ canUndo: history.canUndo(now), canRedo: history.canRedo(now) });
  };
  const goTo = (target: T | null): void => {
    if (target === null) return;
    restore(target);
    update();
  };
  return {
    record: (kind) => {
      history.record(snapshot(), kind);
    },
    update,
    undo: () => {
      goTo(history.undo(snapshot()));
    },
    redo: () => {
      goTo(history.redo(snapshot()));
    },
  };
}
