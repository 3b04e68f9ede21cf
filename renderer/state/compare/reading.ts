import type { CaptureDocument } from '#core/contract/schemas.ts';
import { toProblem } from '../problem.ts';
import { readCached } from '../analysis/read-cached.ts';
import type { Store } from '../store.ts';
import type { CompareClient } from '../clients/worker-client.ts';
import type { CompareCapture, CompareState } from './compare.types.ts';
import { allCaptures, changeCapture } from './sides.ts';

interface CompareReadingDependencies {
  readonly store: Store<CompareState>;
  readonly client: () => CompareClient | null;
  /** Returns what the library records about a capture; null for files. */
  readonly documentOf: (captureId: string) => Promise<CaptureDocument | null>;
}

/** Reads the captures of a comparison one after another; each is already read in parallel parts. */
interface CompareReading {
  /**
   * Resolves when no capture is waiting or the worker is gone. A capture that cannot be read is excluded, with the
   * reason.
   */
  readonly run: () => Promise<void>;
}

export function createCompareReading({ store, client, documentOf }: CompareReadingDependencies): CompareReading {
  let running: { readonly own: CompareClient; readonly done: Promise<void> } | null = null;

  function change(key: number, what: Partial<CompareCapture>): void {
    store.set(changeCapture(store.get(), key, what));
  }

  async function read(own: CompareClient, { key, source, origin, format = null }: CompareCapture): Promise<void> {
    const captures = allCaptures(store.get());
    store.set({
      ...changeCapture(store.get(), key, { phase: 'reading', problem: null }),
      reading: {
        number: captures.filter(({ phase }) => phase === 'ready' || phase === 'failed').length + 1,
        of: captures.length,
        fileName: source.fileName,
        readBytes: 0,
        totalBytes: null,
      },
    });
    try {
      const stored = origin.kind === 'capture' ? await documentOf(origin.id) : null;
      const document = stored ?? (origin.kind === 'fleet' ? (origin.replicate?.document ?? null) : null);
      const name = stored?.name ?? source.fileName;
      const { reading } = store.get();
      if (reading !== null) store.set({ reading: { ...reading, fileName: name } });
      const { result: opened, cache } = await readCached(
        source,
        format !== null,
        (bytes) => own.call('open', { source: bytes, format, document, name }),
        () => client() === own,
        () => store.get().reading?.readBytes ?? 0,
      );
      if (client() !== own) return;
      if (allCaptures(store.get()).every((capture) => capture.key !== key)) {
        // The capture was removed in the meantime.
        await own.call('forget', { capture: opened.capture });
        return;
      }
      change(key, { phase: 'ready', opened });
      // Failing to store the cache only makes the next opening slower.
      if (cache !== null) await own.call('cache', { ...cache, capture: opened.capture }).catch(() => null);
    } catch (error) {
      if (client() === own) change(key, { phase: 'failed', problem: toProblem(error) });
    }
  }

  async function loop(own: CompareClient): Promise<void> {
    // Yields first, so that the caller sees the loop as running even if no capture is waiting.
    await Promise.resolve();
    for (;;) {
      const next = allCaptures(store.get()).find(({ phase }) => phase === 'waiting');
      if (next === undefined || client() !== own) break;
      await read(own, next);
    }
    if (client() !== own) return;
    running = null;
    store.set({ reading: null });
  }

  return {
    run: () => {
      const own = client();
      if (own === null) return Promise.resolve();
      if (running?.own !== own) running = { own, done: loop(own) };
      return running.done;
    },
  };
}
