import type { LiveStatus } from '#core/contract/live.ts';
import type { LiveSpan } from '#core/live/live-store.ts';
import { earliest } from '#core/live/rows.ts';
import { tarHeader, tarPadding, TAR_END } from '../experiments/tar.ts';
import type { AnyCollector, CaptureSink, RawPart } from '#collectors/collector.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { diagnostic, type Diagnostic } from '#core/model/diagnostics.ts';
import { messageOf } from '#core/model/failure.ts';
import type { CaptureChanges, CaptureWriter } from '../library/captures/writer.ts';
import { SAVED_FILE } from './save-snapshot.ts';

/** Distance in bytes of the places where a ring can be cut. */
const CUT_BYTES = 64 << 10;
/** Archive of parts that are files of their own. */
const WINDOWS_FILE = 'windows.tar';

/** How raw output is kept. */
export interface RawKeeping {
  readonly collector: AnyCollector;
  /** The newest bytes that are kept; null keeps all. */
  readonly maxBytes: number | null;
  /** Begins a capture whose primary file is `primaryFile`. */
  readonly create: (files: { readonly primaryFile: string; readonly otherFiles: string[] }) => Promise<CaptureWriter>;
  /** Called once with the reason if nothing more can be written. */
  readonly onTrouble: (reason: string) => void;
  /** Unix epoch milliseconds. */
  readonly now: () => number;
}

/** Facts of the whole session. */
export interface RawFacts {
  /** Unix epoch milliseconds of the newest sample. */
  readonly newestAt: number;
  readonly lost: number;
  /** What opens parts that are files of their own. */
  readonly merged: () => Iterable<Uint8Array>;
}

/**
 * Writes the raw output of a live session into a capture of the library: all of it, or a ring of the newest. If a ring
 * is full, its older half is dropped.
 */
export class RawKeeper {
  readonly #keeping: RawKeeping;
  readonly #fileName: string;
  readonly #isArchive: boolean;
  #writer: CaptureWriter | null = null;
  /** What the parts of the capture begin with. */
  #head: Uint8Array | null = null;
  #run = -1;
  #size = 0;
  #dropped = 0;
  /** Offsets at which a part begins, in the whole output. */
  #cuts: number[] = [];
  #parts = 0;
  #pending: Promise<void> = Promise.resolve();
  #isBroken = false;
  #samples = 0;
  /** The time of all samples, in nanoseconds of the source's clock. */
  #range = { start: Infinity, end: -Infinity };
  readonly #finished: CaptureDocument[] = [];

  constructor(keeping: RawKeeping) {
    this.#keeping = keeping;
    const { live, output } = keeping.collector;
    this.#isArchive = live.hasFileParts;
    this.#fileName = this.#isArchive ? WINDOWS_FILE : output.primaryFile;
  }

  /** The size on disk, and its limit. */
  get status(): NonNullable<LiveStatus['raw']> {
    const bytes = this.#finished.reduce((sum, { sizeBytes }) => sum + sizeBytes, this.#size);
    return { bytes, maxBytes: this.#keeping.maxBytes };
  }

  /** `run` counts the runs of the collector from 0. Never rejects. */
  add(part: RawPart, run: number): Promise<void> {
    this.#pending = this.#pending.then(async () => {
      if (this.#isBroken) return;
      await this.#add(part, run).catch((error: unknown) => {
        this.#isBroken = true;
        this.#keeping.onTrouble(messageOf(error));
      });
    });
    return this.#pending;
  }

  /** Counts samples that were read from the parts. `times` are in nanoseconds of the source's clock. */
  count(samples: number, times: Float64Array, span: LiveSpan | null): void {
    this.#samples += samples;
    let { start, end } = this.#range;
    const length = span === null ? 0 : Number(span.end - span.start);
    const first = earliest(times);
    for (const time of times) end = Math.max(end, time);
    start = Math.min(start, first);
    this.#range = { start, end: Math.max(end, first + length) };
  }

  /** Returns the captures, which are complete; none if nothing was kept. Rejects if the last one can't be completed. */
  async finish(facts: RawFacts): Promise<readonly CaptureDocument[]> {
    await this.#pending;
    await this.#finishCapture(facts);
    return this.#finished;
  }

  async #add({ head, chunks }: RawPart, run: number): Promise<void> {
    // A header describes the rows after it, so a run with another one begins another capture.
    if (run !== this.#run && this.#head !== null) await this.#finishCapture(null);
    this.#run = run;
    const writer = this.#writer ?? (await this.#begin(head));
    if (this.#size - (this.#cuts.at(-1) ?? -Infinity) >= CUT_BYTES) this.#cuts.push(this.#size);
    for (const bytes of this.#isArchive ? this.#asFile(chunks) : chunks) await this.#write(writer, bytes);
    const { maxBytes } = this.#keeping;
    if (maxBytes !== null && this.#size > maxBytes) await this.#dropHalf(writer, maxBytes / 2);
  }

  async #begin(head: Uint8Array | null): Promise<CaptureWriter> {
    const { collector, create } = this.#keeping;
    const writer = (this.#writer = await create(
      this.#isArchive
        ? { primaryFile: SAVED_FILE, otherFiles: [WINDOWS_FILE] }
        : { primaryFile: collector.output.primaryFile, otherFiles: [] },
    ));
    this.#head = head;
    this.#size = 0;
    this.#cuts = [];
    if (head !== null) await this.#write(writer, head);
    return writer;
  }

  async #write(writer: CaptureWriter, bytes: Uint8Array): Promise<void> {
    await writer.append(this.#fileName, bytes);
    this.#size += bytes.length;
  }

  *#asFile(chunks: readonly Uint8Array[]): Generator<Uint8Array> {
    const size = chunks.reduce((sum, { length }) => sum + length, 0);
    this.#parts += 1;
    yield tarHeader(`${String(this.#parts).padStart(6, '0')}.pprof`, size, this.#keeping.now());
    yield* chunks;
    yield tarPadding(size);
  }

  async #dropHalf(writer: CaptureWriter, kept: number): Promise<void> {
    const cut = this.#cuts.find((at) => this.#size - at <= kept) ?? this.#size;
    const head = this.#head ?? new Uint8Array();
    await writer.replace(this.#fileName, withoutStart(writer, this.#fileName, head, cut));
    this.#dropped += cut - head.length;
    this.#size -= cut - head.length;
    this.#cuts = this.#cuts.filter((at) => at >= cut).map((at) => at - cut + head.length);
  }

  /** Completes the capture. Without facts, or for a ring, its facts are read from the file. */
  async #finishCapture(facts: RawFacts | null): Promise<void> {
    const writer = this.#writer;
    this.#writer = null;
    if (writer === null) return;
    try {
      this.#finished.push(await this.#complete(writer, facts));
    } catch (error) {
      await writer.finish({ incomplete: true });
      throw error;
    }
    this.#size = 0;
    this.#dropped = 0;
  }

  async #complete(writer: CaptureWriter, facts: RawFacts | null): Promise<CaptureDocument> {
    const diagnostics = this.#dropped === 0 ? [] : [droppedFrom(this.#dropped)];
    if (facts !== null && this.#isArchive) {
      await this.#write(writer, TAR_END);
      for (const chunk of facts.merged()) await writer.append(SAVED_FILE, chunk);
    }
    const isWhole = this.#isArchive || (this.#dropped === 0 && this.#finished.length === 0);
    if (facts !== null && isWhole && this.#samples > 0) {
      const durationMs = Math.round((this.#range.end - this.#range.start) / 1e6);
      const startedAt = Math.round(facts.newestAt - durationMs);
      return writer.finish({ samples: this.#samples, startedAt, durationMs, lostSamples: facts.lost, diagnostics });
    }
    const {
      samples,
      lost,
      durationMs,
      quality,
      diagnostics: found,
    } = await this.#keeping.collector.recover(null, writer);
    const changes: CaptureChanges = {
      samples,
      durationMs,
      startedAt: durationMs === null ? null : Math.round(this.#keeping.now() - durationMs),
      // Older losses are unknown to a ring.
      lostSamples: this.#dropped === 0 ? lost : null,
      ...(quality === null ? {} : { quality }),
      diagnostics: [...diagnostics, ...found],
    };
    return writer.finish(changes);
  }
}

/** Yields the head and what follows the first `cut` bytes. */
async function* withoutStart(
  files: Pick<CaptureSink, 'read'>,
  fileName: string,
  head: Uint8Array,
  cut: number,
): AsyncGenerator<Uint8Array> {
  yield head;
  let at = 0;
  for await (const chunk of files.read(fileName)) {
    const start = Math.max(0, cut - at);
    if (start < chunk.length) yield chunk.subarray(start);
    at += chunk.length;
  }
}

const droppedFrom = (bytes: number): Diagnostic =>
  diagnostic(
    'live-ring',
    `This is the newest part of a live session; ${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB before it were not kept.`,
    { severity: 'info' },
  );
