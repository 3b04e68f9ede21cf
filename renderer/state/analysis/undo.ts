import type { Store } from '../store.ts';

/** A bounded undo history. */
export interface ViewHistory<T> {
  /**
   * Records the state before a change. Changes of the same kind in quick succession form one step; null always starts a
   * new step.
   */
  readonly record: (before: T, kind: string | null) => void;
  /** Returns the state to restore; null if there is none. Skips steps that would change nothing. */
  readonly undo: (now: T) => T | null;
  readonly redo: (now: T) => T | null;
  readonly canUndo: (now: T) => boolean;
  readonly canRedo: (now: T) => boolean;
}

/** Maximum number of undo steps. */
const MAX_STEPS = 200;
/**
 * Changes of one kind that follow each other within this time in ms form one step, for example while a range is
 * dragged.
 */
const ONE_CHANGE_MS = 1000;

/** `same` returns whether two states look the same; such a change is not a step. */
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

/** Undo and redo of a tab; its store says which of them is possible. */
export interface Undo {
  /** Called before a change; see `ViewHistory.record`. */
  readonly record: (kind: string | null) => void;
  /** Called after each change. */
  readonly update: () => void;
  readonly undo: () => void;
  readonly redo: () => void;
}

interface UndoOptions<T> {
  readonly store: Store<{ readonly canUndo: boolean; readonly canRedo: boolean }>;
  /** Returns the state that undo restores. */
  readonly snapshot: () => T;
  readonly same: (a: T, b: T) => boolean;
  readonly restore: (snapshot: T) => void;
}

export function createUndo<T>({ store, snapshot, same, restore }: UndoOptions<T>): Undo {
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
    record: (kind) => history.record(snapshot(), kind),
    update,
    undo: () => goTo(history.undo(snapshot())),
    redo: () => goTo(history.redo(snapshot())),
  };
}
