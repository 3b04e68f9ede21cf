import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { toProblem } from '../../state/problem.ts';
import type { Problem } from '../../ui/problem.ts';
import { createStore, type Store } from '../../state/store.ts';
import type { ShownPreview } from '../../state/transforms/draft.ts';

export type PreviewState =
  /** A field must still be filled in. */
  | { readonly status: 'none' }
  | { readonly status: 'running' }
  | { readonly status: 'shown'; readonly preview: ShownPreview }
  | { readonly status: 'refused'; readonly problem: Problem };

/** Previews transforms while they are edited. Only the latest counts, and one request is pending at a time. */
interface Previewer {
  readonly store: Store<{ readonly state: PreviewState }>;
  /** Null if there is no transform yet. */
  readonly ask: (transform: NamedTransform | null) => void;
  /** Resolves with the latest result, without the pause in typing. */
  readonly settled: () => Promise<PreviewState>;
}

/** Pause in typing before a pattern runs, in ms. */
const TYPING_MS = 120;

export function createPreviewer(preview: (transform: NamedTransform) => Promise<ShownPreview>): Previewer {
  const store = createStore<{ readonly state: PreviewState }>({ state: { status: 'none' } });
  let wanted: NamedTransform | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | null = null;

  async function tryOne(transform: NamedTransform): Promise<PreviewState> {
    try {
      return { status: 'shown', preview: await preview(transform) };
    } catch (error) {
      return { status: 'refused', problem: toProblem(error) };
    }
  }

  async function tryNewest(): Promise<void> {
    for (;;) {
      const tried = wanted;
      const state: PreviewState = tried === null ? { status: 'none' } : await tryOne(tried);
      if (tried !== wanted) continue;
      store.set({ state });
      return;
    }
  }

  function run(): Promise<void> {
    clearTimeout(timer);
    running ??= tryNewest().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    store,
    ask: (transform) => {
      clearTimeout(timer);
      wanted = transform;
      store.set({ state: { status: transform === null ? 'none' : 'running' } });
      if (transform !== null) timer = setTimeout(() => void run(), TYPING_MS);
    },
    settled: async () => {
      if (store.get().state.status === 'running') await run();
      return store.get().state;
    },
  };
}
