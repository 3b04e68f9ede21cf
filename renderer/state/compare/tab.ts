import type { CaptureDocument } from '#core/contract/schemas.ts';
import { SIDES } from '#core/contract/side.ts';
import { createStore } from '../store.ts';
import { NO_RANGES } from '../kept-ranges.ts';
import { createNoteBook, type NoteBook, type NoteKeeper } from '../notes/note-book.ts';
import { createAnalysisView } from '../analysis/analysis-view.ts';
import { createTabWorker, unlessOutdated } from '../analysis/tab-worker.ts';
import type { CompareClient, WorkerEvents } from '../clients/worker-client.ts';
import type { ComparisonSource } from '../../analysis/comparison/methods.ts';
import type { Compared, CompareQuestion } from '../../analysis/comparison/protocol.ts';
import { initialState, type CompareSeed } from './seed.ts';
import { createCompareReading } from './reading.ts';
import { allCaptures, mapCaptures, questionOf } from './sides.ts';
import { createSideChanges, waiting, type CompareSnapshot } from './side-changes.ts';
import { UNION } from './source.ts';
import type { ComparePicked, CompareState, CompareTab } from './compare.types.ts';

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

/** Creates a tab without reading anything; call `load`. */
export function createCompareTab(id: string, seed: CompareSeed, needs: CompareTabOptions): CompareTab {
  const store = createStore<CompareState>(initialState(seed));
  const notes: NoteBook = createNoteBook({
    keeper: needs.noteKeeper,
    willChange: () => history.record(null),
    changed: () => history.update(),
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
  const sides = createSideChanges({ store, notes, client, update: () => void update() });
  const { history, change } = sides;
  const reading = createCompareReading({ store, client, documentOf: needs.documentOf });
  const view = createAnalysisView<ComparisonSource, ChosenQuestion, Compared, ComparePicked>({
    store,
    client,
    nextRevision: worker.nextRevision,
    tree: UNION,
    question: () => {
      const question = questionOf(store.get());
      return question === null ? null : { key: JSON.stringify(question), question, choices: sides.snapshot() };
    },
    isSame: (a, b) => a.key === b.key,
    asked: ({ question }) => question,
    answered: (compared) => compared,
    functions: () => store.get().analysis?.functions ?? null,
    toPicked: (found) => found,
    setBusy: (isBusy) => store.set({ comparing: isBusy ? { step: 'measure', done: 0 } : null }),
    willReplace: () => store.set({ hovered: null }),
  });

  async function update(): Promise<void> {
    const own = client();
    if (own === null) return;
    await reading.run();
    if (client() === own) await view.run();
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

  void notes.follow(seed.experimentId);
  for (const side of SIDES) {
    store.set({ [side]: { ...store.get()[side], captures: seed[side].map(sides.captureOf) } });
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
        sides.restore(shown.choices);
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
    rename: (name) => store.set({ name }),
    setExperiment: (experimentId) => {
      store.set({ experimentId });
      void notes.follow(experimentId);
    },
    ...sides.changes,
    setOptions: (options) => change({ options: { ...store.get().options, ...options } }),
    setLook: (look) => store.set({ look: { ...store.get().look, ...look } }),
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
    guide: (guideStep) => store.set({ guideStep }),
    undo: history.undo,
    redo: history.redo,
  };
}
