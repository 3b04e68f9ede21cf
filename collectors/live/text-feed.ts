import type { CollectorOptions } from '#core/contract/schemas.ts';
import type { Profile } from '#core/model/profile.ts';
import type { LiveSpan } from '#core/live/live-store.ts';
import type { CaptureSink, Collector, LiveFeed, LivePiece, LiveStart, RecordingOutcome } from '../collector.ts';
import { chunksOf } from './chunks-of.ts';

/** Cuts a tool's output into texts that can be read one by one. */
export interface TextCutter {
  /** Returns the complete texts that end in the chunk, which may be kept. */
  push(chunk: Uint8Array): readonly CutText[];
  /** What every text begins with, such as a header; it is also what the recording reads back. */
  readonly head: Uint8Array | null;
}

export interface CutText {
  /** Empty if nothing was sampled. */
  readonly chunks: readonly Uint8Array[];
  /** See {@link LivePiece.span}. */
  readonly span: LiveSpan | null;
  /** See {@link LivePiece.problem}. */
  readonly problem?: string;
}

interface TextOutput {
  /** The file that holds the output; others are not kept. */
  readonly fileName: string;
  /** Importer id of that file. */
  readonly format: string;
  readonly cutter: TextCutter;
  /** Completes the outcome, whose recording has kept nothing to judge. */
  readonly conclude?: (outcome: RecordingOutcome) => RecordingOutcome;
}

type WaitingText = CutText & { readonly arrivedAt: number };

/** Runs a recording that appends text, and keeps only what has not been taken yet. */
export function startTextFeed<Options extends CollectorOptions>(
  collector: Pick<Collector<Options>, 'start'>,
  { target, plan, clock, onPiece, onRaw }: LiveStart<Options>,
  { fileName, format, cutter, conclude }: TextOutput,
): LiveFeed {
  let waiting: WaitingText[] = [];
  const sink: CaptureSink = {
    async append(name, bytes) {
      if (name !== fileName) return;
      // The collector may reuse its buffer.
      const texts = cutter.push(bytes.slice());
      if (texts.length === 0) return;
      const arrivedAt = clock.monotonic();
      waiting.push(...texts.map((text) => ({ ...text, arrivedAt })));
      onPiece();
      // A slow disk slows the collector, which counts what it loses.
      for (const { chunks } of texts) if (chunks.length > 0) await onRaw?.({ head: cutter.head, chunks });
    },
    async *read(name) {
      if (name === fileName && cutter.head !== null) yield await Promise.resolve(cutter.head);
    },
    replace: () => Promise.resolve(),
  };
  const recording = collector.start(target, plan, sink, clock);

  async function read(chunks: readonly Uint8Array[]): Promise<Profile | null> {
    if (chunks.length === 0) return null;
    const all = cutter.head === null ? chunks : [cutter.head, ...chunks];
    // Loaded with the first text: recordings start without the importers.
    const { importProfile } = await import('#core/import/import-profile.ts');
    return importProfile({ fileName, size: null, chunks: () => chunksOf(all) }, { format });
  }

  return {
    onProgress: (listener) => recording.onProgress(listener),
    async take() {
      const texts = joinUnspanned(waiting);
      waiting = [];
      const pieces: LivePiece[] = [];
      for (const { chunks, ...text } of texts) pieces.push({ ...text, profile: await read(chunks) });
      return pieces;
    },
    stop: () => recording.stop(),
    outcome: conclude === undefined ? recording.outcome : recording.outcome.then(conclude),
  };
}

/** Joins neighbours whose samples have their own times. */
function joinUnspanned(texts: readonly WaitingText[]): WaitingText[] {
  const joined: WaitingText[] = [];
  for (const text of texts) {
    const last = joined.at(-1);
    if (last?.span !== null || text.span !== null || text.problem !== undefined) joined.push(text);
    else joined[joined.length - 1] = { ...text, chunks: [...last.chunks, ...text.chunks] };
  }
  return joined;
}
