import type { CaptureDocument } from '#core/contract/schemas.ts';
import { createStore } from '../store.ts';
import { createViewHistory } from '../view-history.ts';
import type { CompareClient, WorkerEvents } from '../clients/worker-client.ts';
import type { SideChoice } from '../../analysis/compare-protocol.ts';
import { CANCELLED, WorkerFailure } from '../clients/worker-client.ts';
import { createCompareAsking } from './asking.ts';
import type { CompareAsking } from './asking.ts';
import { initialState } from './seed.ts';
import type { CompareSeed } from './seed.ts';
import { createComparePlaces } from './places.ts';
import { createCompareReading } from './reading.ts';
import type { CompareReading } from './reading.ts';
import { allCaptures, mapCaptures } from './sides.ts';
import type { CompareCapture, CompareInput, CompareSide, CompareState, CompareTab } from './compare.types.ts';

export type StartCompareClient = (events: WorkerEvents) => CompareClient;

export interface CompareTabNeeds {
  readonly startClient: StartCompareClient;
  readonly documentOf: (captureId: string) => Promise<CaptureDocument | null>;
}

interface Running {
  readonly client: CompareClient;
  readonly reading: CompareReading;
  readonly asking: CompareAsking<Snapshot>;
}

/** What undo goes back to. */
interface Snapshot extends Pick<CompareState, 'options'> {
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

/** Reads and compares nothing yet: `load` does. */
export function createCompareTab(id: string, seed: CompareSeed, needs: CompareTabNeeds): CompareTab {
  const store = createStore<CompareState>(initialState(seed));
  const history = createViewHistory<Snapshot>(sameText, () => performance.now());
  let lastKey = 0;
  let lastRevision = 0;
  /** By key: what was taken out, for undo to bring back. */
  const removed = new Map<number, CompareCapture>();
  let running: Running | null = null;

  const call: CompareTab['ask'] = (method, params) =>
    running === null ? Promise.reject(new WorkerFailure(CANCELLED)) : running.client.call(method, params);
  const ask: CompareTab['ask'] = async (method, params) => {
    try {
      return await call(method, params);
    } catch (error) {
      const outdated = error instanceof WorkerFailure && ['stale', 'cancelled'].includes(error.failure.code);
      if (!outdated) throw error;
      return new Promise<never>(() => undefined);
    }
  };
  const places = createComparePlaces(store, ask, call);

  function start(): Running {
    const client = needs.startClient({
      onProgress: (readBytes, totalBytes) => {
        const { reading } = store.get();
        if (reading !== null) store.set({ reading: { ...reading, readBytes, totalBytes } });
      },
      onStep: (step, done) => {
        if (store.get().comparing !== null) store.set({ comparing: { step, done } });
      },
    });
    const own = (): CompareClient | null => (running?.client === client ? client : null);
    return {
      client,
      reading: createCompareReading({ store, client: own, documentOf: needs.documentOf }),
      asking: createCompareAsking({
        store,
        client: own,
        nextRevision: () => (lastRevision += 1),
        choices: snapshot,
        placed: places.placed,
        onCompared: places.follow,
      }),
    };
  }

  function end(): void {
    running?.client.dispose();
    running = null;
  }

  async function update(): Promise<void> {
    const own = running;
    if (own === null) return;
    await own.reading.run();
    if (running === own) await own.asking.run();
  }

  /** What was read goes with its worker. */
  function waiting(capture: CompareCapture): CompareCapture {
    return { ...capture, phase: 'waiting', opened: null, problem: null };
  }

  /** Its worker may have ended by itself. */
  function isBroken(): boolean {
    const { problem } = store.get();
    return [problem, ...allCaptures(store.get()).map((capture) => capture.problem)].some(
      (one) => one?.code === 'internal',
    );
  }

  async function load(): Promise<void> {
    if (isBroken()) end();
    if (running === null) {
      store.set(mapCaptures(store.get(), waiting));
      running = start();
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

  const snapshot = (): Snapshot => {
    const { before, after, options } = store.get();
    return { before: keptSide(before), after: keptSide(after), options };
  };

  function tellHistory(): void {
    store.set({ canUndo: history.canUndo(snapshot()), canRedo: history.canRedo(snapshot()) });
  }

  function change(what: Partial<CompareState>, kind: string | null = null): void {
    history.record(snapshot(), kind);
    store.set(what);
    tellHistory();
    void update();
  }

  function goTo(target: Snapshot | null): void {
    if (target === null) return;
    const { before, after, options } = target;
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
    tellHistory();
    void update();
  }

  function putAway(capture: CompareCapture): void {
    const { key, opened } = capture;
    removed.set(key, waiting(capture));
    if (opened !== null) void running?.client.call('forget', { capture: opened.capture }).catch(() => null);
  }

  for (const side of ['before', 'after'] as const) {
    store.set({ [side]: { ...store.get()[side], captures: seed[side].map(captureOf) } });
  }

  return {
    kind: 'compare',
    id,
    store,
    load,
    cancel: () => {
      const shown = running?.asking.shown() ?? null;
      if (shown !== null && store.get().reading === null) {
        goTo(shown);
        return;
      }
      end();
      store.set({
        ...mapCaptures(store.get(), waiting),
        reading: null,
        comparing: null,
        compared: null,
        stopped: true,
      });
    },
    dispose: end,
    ask,
    rename: (name) => {
      store.set({ name });
    },
    setExperiment: (experimentId) => {
      store.set({ experimentId });
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
    setSearch: places.setSearch,
    zoom: places.zoom,
    pick: places.pick,
    hover: places.hover,
    undo: () => {
      goTo(history.undo(snapshot()));
    },
    redo: () => {
      goTo(history.redo(snapshot()));
    },
  };
}
