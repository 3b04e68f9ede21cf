import { createUndo, type Undo } from '../analysis/undo.ts';
import type { CompareClient } from '../clients/worker-client.ts';
import type { NoteBook } from '../notes/note-book.ts';
import type { Store } from '../store.ts';
import type { SideChoice } from '../../analysis/comparison/protocol.ts';
import type { CompareCapture, CompareInput, CompareSide, CompareState, CompareTab } from './compare.types.ts';
import { allCaptures, mapCaptures } from './sides.ts';

/** The state that undo restores. */
export interface CompareSnapshot extends Pick<CompareState, 'options'> {
  /** See `NoteBook.position`. */
  readonly notes: number;
  readonly before: KeptSide;
  readonly after: KeptSide;
}

interface KeptSide extends SideChoice {
  readonly captures: readonly Pick<CompareCapture, 'key' | 'requests'>[];
}

const keptSide = ({ captures, ...choice }: CompareSide): KeptSide => ({
  ...choice,
  captures: captures.map(({ key, requests }) => ({ key, requests })),
});

const sameText = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Captures must be read again because their worker is gone. */
export function waiting(capture: CompareCapture): CompareCapture {
  return { ...capture, phase: 'waiting', opened: null, problem: null };
}

interface SideChanges {
  readonly changes: Pick<
    CompareTab,
    'add' | 'remove' | 'moveAcross' | 'setRequests' | 'setCaptureId' | 'swap' | 'choose'
  >;
  /** Gives a capture a key of its own, and adds it to no side. */
  readonly captureOf: (input: CompareInput) => CompareCapture;
  readonly snapshot: () => CompareSnapshot;
  readonly restore: (snapshot: CompareSnapshot) => void;
  /** Makes a change that can be undone; see `ViewHistory.record` for `kind`. */
  readonly change: (what: Partial<CompareState>, kind?: string | null) => void;
  readonly history: Undo;
}

interface SideChangesOptions {
  readonly store: Store<CompareState>;
  readonly notes: NoteBook;
  readonly client: () => CompareClient | null;
  /** Called after each change. */
  readonly update: () => void;
}

/** The changes to both sides of a comparison, which undo takes back, with the captures that were removed. */
export function createSideChanges({ store, notes, client, update }: SideChangesOptions): SideChanges {
  let lastKey = 0;
  /** Removed captures by key, for undo. */
  const removed = new Map<number, CompareCapture>();
  const captureOf = (input: CompareInput): CompareCapture => {
    lastKey += 1;
    return { ...input, key: lastKey, phase: 'waiting', opened: null, problem: null };
  };

  const snapshot = (): CompareSnapshot => {
    const { before, after, options } = store.get();
    return { before: keptSide(before), after: keptSide(after), options, notes: notes.position() };
  };

  function restore({ before, after, options, notes: position }: CompareSnapshot): void {
    notes.goTo(position);
    const there = new Map(allCaptures(store.get()).map((capture) => [capture.key, capture]));
    const restored = ({ captures, ...choice }: KeptSide): CompareSide => ({
      ...choice,
      captures: captures.flatMap(({ key, requests }) => {
        const capture = there.get(key) ?? removed.get(key);
        there.delete(key);
        return capture === undefined ? [] : [{ ...capture, requests }];
      }),
    });
    store.set({ before: restored(before), after: restored(after), options });
    for (const capture of there.values()) discardCapture(capture);
    update();
  }

  const history = createUndo<CompareSnapshot>({ store, snapshot, same: sameText, restore });

  function change(what: Partial<CompareState>, kind: string | null = null): void {
    history.record(kind);
    store.set(what);
    history.update();
    update();
  }

  function discardCapture(capture: CompareCapture): void {
    const { key, opened } = capture;
    removed.set(key, waiting(capture));
    if (opened !== null)
      void client()
        ?.call('forget', { capture: opened.capture })
        .catch(() => null);
  }

  const changes: SideChanges['changes'] = {
    add: (side, inputs) => {
      const own = store.get()[side];
      change({ [side]: { ...own, captures: [...own.captures, ...inputs.map(captureOf)] } });
    },
    remove: (key) => {
      const gone = allCaptures(store.get()).find((capture) => capture.key === key);
      if (gone === undefined) return;
      change(mapCaptures(store.get(), (capture) => (capture.key === key ? null : capture)));
      discardCapture(gone);
    },
    moveAcross: (key) => {
      const { before, after } = store.get();
      const [from, to] = before.captures.some((capture) => capture.key === key) ? [before, after] : [after, before];
      const moved = from.captures.filter((capture) => capture.key === key);
      const rest = { ...from, captures: from.captures.filter((capture) => capture.key !== key) };
      const taken = { ...to, captures: [...to.captures, ...moved] };
      change(from === before ? { before: rest, after: taken } : { before: taken, after: rest });
    },
    setRequests: (requests) => {
      change(
        mapCaptures(store.get(), (capture) => {
          const given = requests.get(capture.key);
          return given === undefined ? capture : { ...capture, requests: given };
        }),
      );
    },
    setCaptureId: (key, captureId) => {
      store.set(
        mapCaptures(store.get(), (capture) =>
          capture.key === key ? { ...capture, origin: { kind: 'capture', id: captureId } } : capture,
        ),
      );
    },
    swap: () => {
      const { before, after } = store.get();
      change({ before: after, after: before });
    },
    choose: (side, choice) => {
      const kind = Object.keys(choice).join() === 'timeRange' ? `${side} timeRange` : null;
      change({ [side]: { ...store.get()[side], ...choice } }, kind);
    },
  };
  return { changes, captureOf, snapshot, restore, change, history };
}
