import type { CaptureDocument } from '#core/contract/schemas.ts';
import { createStore } from '../store.ts';
import { NO_RANGES } from '../kept-ranges.ts';
import { createUndo } from '../analysis/undo.ts';
import { createNoteBook, type NoteBook, type NoteKeeper } from '../notes/note-book.ts';
import { createAnalysisView } from '../analysis/analysis-view.ts';
import { createTabWorker, unlessOutdated } from '../analysis/tab-worker.ts';
import type { CompareClient, WorkerEvents } from '../clients/worker-client.ts';
import type { ComparisonSource } from '../../analysis/comparison/methods.ts';
import type { Compared, CompareQuestion, SideChoice } from '../../analysis/comparison/protocol.ts';
import { initialState } from './seed.ts';
import type { CompareSeed } from './seed.ts';
import { createCompareReading } from './reading.ts';
import { allCaptures, mapCaptures, questionOf } from './sides.ts';
import { UNION } from './source.ts';
import type {
  CompareCapture,
  CompareInput,
  ComparePicked,
  CompareSide,
  CompareState,
  CompareTab,
} from './compare.types.ts';

export type StartCompareClient = (events: WorkerEvents) => CompareClient;

interface CompareTabOptions {
  readonly startClient: StartCompareClient;
  readonly documentOf: (captureId: string) => Promise<CaptureDocument | null>;
  /** Null if notes last as long as the tab. */
  readonly noteKeeper: NoteKeeper | null;
}

/** A question with the choices that led to it, and a key that identifies it. */
interface ChosenQuestion {
  readonly key: string;
  readonly question: CompareQuestion;
  readonly choices: CompareSnapshot;
}

/** The state that undo restores. */
interface CompareSnapshot extends Pick<CompareState, 'options'> {
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

/** Creates a tab without reading anything; call `load`. */
export function createCompareTab(id: string, seed: CompareSeed, needs: CompareTabOptions): CompareTab {
  const store = createStore<CompareState>(initialState(seed));
  let lastKey = 0;
  /** Removed captures by key, for undo. */
  const removed = new Map<number, CompareCapture>();
  const notes: NoteBook = createNoteBook({
    keeper: needs.noteKeeper,
    willChange: () => {
      history.record(null);
    },
    changed: () => {
      history.update();
    },
  });
  const worker = createTabWorker(() =>
    needs.startClient({
      onProgress: (readBytes, totalBytes) => {
        const { reading } = store.get();
        if (reading !== null) store.set({ reading: { ...reading, readBytes, totalBytes } });
      },
      onStep: (step, done) => {
        if (store.get().comparing !== null) store.set({ comparing: { step, done } });
      },
    }),
  );
  const { client } = worker;
  const reading = createCompareReading({ store, client, documentOf: needs.documentOf });
  const view = createAnalysisView<ComparisonSource, ChosenQuestion, Compared, ComparePicked>({
    store,
    client,
    nextRevision: worker.nextRevision,
    tree: UNION,
    question: () => {
      const question = questionOf(store.get());
      return question === null ? null : { key: JSON.stringify(question), question, choices: snapshot() };
    },
    isSame: (a, b) => a.key === b.key,
    asked: ({ question }) => question,
    answered: (compared) => compared,
    functions: () => store.get().analysis?.functions ?? null,
    toPicked: (found) => found,
    setBusy: (isBusy) => {
      store.set({ comparing: isBusy ? { step: 'measure', done: 0 } : null });
    },
    willReplace: () => {
      store.set({ hovered: null });
    },
  });

  async function update(): Promise<void> {
    const own = client();
    if (own === null) return;
    await reading.run();
    if (client() === own) await view.run();
  }

  /** Captures must be read again because their worker is gone. */
  function waiting(capture: CompareCapture): CompareCapture {
    return { ...capture, phase: 'waiting', opened: null, problem: null };
  }

  /** Returns whether the worker ended unexpectedly. */
  function isBroken(): boolean {
    const { problem } = store.get();
    return [problem, ...allCaptures(store.get()).map((capture) => capture.problem)].some(
      (one) => one?.code === 'internal',
    );
  }

  async function load(): Promise<void> {
    if (client() === null || isBroken()) {
      store.set(mapCaptures(store.get(), waiting));
      worker.start();
    } else {
      store.set(mapCaptures(store.get(), (capture) => (capture.phase === 'failed' ? waiting(capture) : capture)));
    }
    store.set({ stopped: false, problem: null });
    await update();
  }

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
    for (const capture of there.values()) putAway(capture);
    void update();
  }

  const history = createUndo<CompareSnapshot>({ store, snapshot, same: sameText, restore });

  function change(what: Partial<CompareState>, kind: string | null = null): void {
    history.record(kind);
    store.set(what);
    history.update();
    void update();
  }

  function putAway(capture: CompareCapture): void {
    const { key, opened } = capture;
    removed.set(key, waiting(capture));
    if (opened !== null)
      void client()
        ?.call('forget', { capture: opened.capture })
        .catch(() => null);
  }

  void notes.follow(seed.experimentId);
  for (const side of ['before', 'after'] as const) {
    store.set({ [side]: { ...store.get()[side], captures: seed[side].map(captureOf) } });
  }

  return {
    kind: 'compare',
    id,
    store,
    ranges: createStore(NO_RANGES),
    notes,
    load,
    cancel: () => {
      const shown = view.shown();
      if (shown !== null && store.get().reading === null) {
        restore(shown.choices);
        history.update();
        return;
      }
      worker.end();
      store.set({
        ...mapCaptures(store.get(), waiting),
        reading: null,
        comparing: null,
        analysis: null,
        stopped: true,
      });
    },
    dispose: () => {
      view.dispose();
      worker.end();
    },
    ask: (method, params) => unlessOutdated(client()?.call(method, params)),
    rename: (name) => {
      store.set({ name });
    },
    setExperiment: (experimentId) => {
      store.set({ experimentId });
      void notes.follow(experimentId);
    },
    add: (side, inputs) => {
      const own = store.get()[side];
      change({ [side]: { ...own, captures: [...own.captures, ...inputs.map(captureOf)] } });
    },
    remove: (key) => {
      const gone = allCaptures(store.get()).find((capture) => capture.key === key);
      if (gone === undefined) return;
      change(mapCaptures(store.get(), (capture) => (capture.key === key ? null : capture)));
      putAway(gone);
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
    setOptions: (options) => {
      change({ options: { ...store.get().options, ...options } });
    },
    setLook: (look) => {
      store.set({ look: { ...store.get().look, ...look } });
    },
    lookAtTable: (table) => {
      const { look } = store.get();
      store.set({ look: { ...look, table: { ...look.table, ...table } } });
    },
    setSearch: view.setSearch,
    zoom: view.zoom,
    zoomTo: view.zoomTo,
    lineage: view.lineage,
    pick: view.pick,
    hover: (hovered) => {
      const now = store.get().hovered;
      if (now?.func === hovered?.func && now?.node === hovered?.node) return;
      store.set({ hovered });
    },
    undo: history.undo,
    redo: history.redo,
  };
}
