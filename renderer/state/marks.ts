import type { TimeMark } from '#core/contract/schemas.ts';
import type { EngineClient } from './engine-client.ts';
import { toProblem } from './problem.ts';
import type { Problem } from '../ui/problem.ts';
import { createStore } from './store.ts';
import type { Store } from './store.ts';

/** Where the marks of a capture are kept. */
export interface MarkKeeper {
  read(captureId: string): Promise<readonly TimeMark[]>;
  /** Adds or replaces by id, removes others; answers what there is then. */
  change(captureId: string, put: readonly TimeMark[], remove: readonly string[]): Promise<readonly TimeMark[]>;
}

export interface MarksState {
  /** In the order of time. */
  readonly marks: readonly TimeMark[];
  /** Why the newest change was not kept; it shows until the tab is closed. */
  readonly problem: Problem | null;
}

/** The named moments and stretches of one opened file. */
export interface MarkBook {
  readonly store: Store<MarksState>;
  /** The library's capture that the file is; null: none, and marks last as long as the tab. */
  readonly follow: (captureId: string | null) => Promise<void>;
  readonly put: (mark: TimeMark) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
}

/** What the window shows changes at once; what the library says of it follows. */
export function createMarkBook(keeper: MarkKeeper | null): MarkBook {
  const store = createStore<MarksState>({ marks: [], problem: null });
  let capture: string | null = null;

  const show = (marks: Iterable<TimeMark>): void => {
    store.set({ marks: [...marks].sort((a, b) => a.start - b.start || a.name.localeCompare(b.name)) });
  };

  async function keep(put: readonly TimeMark[], remove: readonly string[]): Promise<void> {
    if (capture === null || keeper === null) return;
    try {
      await keeper.change(capture, put, remove);
      store.set({ problem: null });
    } catch (error) {
      store.set({ problem: toProblem(error) });
    }
  }

  const without = (id: string): TimeMark[] => store.get().marks.filter((mark) => mark.id !== id);

  return {
    store,
    async follow(captureId) {
      if (captureId === null || captureId === capture || keeper === null) return;
      capture = captureId;
      const made = store.get().marks;
      try {
        const kept = made.length === 0 ? await keeper.read(captureId) : await keeper.change(captureId, made, []);
        // What was made while the library was asked stays.
        show(new Map([...kept, ...store.get().marks].map((mark) => [mark.id, mark])).values());
      } catch (error) {
        store.set({ problem: toProblem(error) });
      }
    },
    async put(mark) {
      show([...without(mark.id), mark]);
      await keep([mark], []);
    },
    async remove(id) {
      show(without(id));
      await keep([], [id]);
    },
  };
}

/** The notes of captures in the library. */
export function engineMarkKeeper(engine: EngineClient): MarkKeeper {
  return {
    read: async (id) => (await engine.call('library.notes', { id })).marks ?? [],
    change: async (id, put, remove) => {
      const notes = await engine.call('library.mark', { id, put: [...put], remove: [...remove] });
      return notes.marks ?? [];
    },
  };
}
