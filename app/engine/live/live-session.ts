import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveEvent, LiveStatus, LiveWindow } from '#core/contract/live.ts';
import type { CaptureDocument, ProcessRow } from '#core/contract/schemas.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { LiveBaseline, type PinnedProfile } from '#core/live/baseline/baseline.ts';
import { LiveStore, type LiveRange, type LiveSnapshot, type TimedWeights } from '#core/live/live-store.ts';
import { RollingWindows, type RollingWindow } from '#core/live/rolling-window.ts';
import { ImportFailure } from '#core/model/failure.ts';
import type { Recording } from '#collectors/collector.ts';
import { measureRuns, type MeasuredRuns } from '#collectors/target/runs-cpu.ts';
import { findProcess } from '#collectors/target/processes.ts';
import type { Library } from '../library/library.ts';
import type { JournalEntry } from '../targets/journal.ts';
import type { LiveContext, LiveRequest, LiveSession } from './live.types.ts';
import { LiveRates } from './live-rates.ts';
import { describeEnd, isKnown, isLinkLost } from './outcome-text.ts';
import { baselineFacts, pinnedCapture, pinnedWindow, type PinnedBaseline, type PinnedCapture } from './pinned.ts';
import { saveSnapshot, savedText } from './save-snapshot.ts';
import { findSuccessor } from './successor.ts';
import { chunksOf, createWatchedSink, type WatchedSink } from './watched-sink.ts';

/** One run of the collector; there are several if the connection was lost. */
interface Collecting {
  readonly runs: MeasuredRuns;
  readonly sink: WatchedSink;
  readonly recording: Recording;
}

/** Milliseconds between updates if no data arrives. */
const IDLE_MS = 1000;
/** Milliseconds for which text is collected before it is read. */
const GATHER_MS = 100;
/** Milliseconds between readings of the collector's CPU time. Over a link, each reading takes two short commands. */
const METER_MS = { local: 1000, ssh: 4000 };
const MAX_EVENTS = 200;
const MAX_GAPS = 100;
/** Milliseconds for which reconnecting is tried, and between attempts. */
const RESUME_MS = 600_000;
const RETRY_MS = 2000;

export async function startLive(context: LiveContext, request: LiveRequest): Promise<LiveSession> {
  const { collector } = context;
  const scope = collector.scope(request.plan.options);
  const process = scope?.kind === 'pid' ? await findProcess(request.target, scope.pid) : null;
  const entry = await context.journal?.begin(request.targetId, request.target);
  return new RunningLive(context, request, process, entry);
}

class RunningLive implements LiveSession {
  readonly id = randomBytes(8).toString('hex');
  readonly begun: Promise<void>;
  readonly ended: Promise<void>;
  readonly #begin: () => void;
  readonly #context: LiveContext;
  readonly #request: LiveRequest;
  readonly #process: ProcessRow | null;
  #runs: MeasuredRuns;
  #sink: WatchedSink;
  readonly #store: LiveStore;
  #recording: Recording;
  readonly #listeners = new Set<(status: LiveStatus) => void>();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #startedAt: number;
  readonly #rates: LiveRates;
  #status: LiveStatus;
  #updating: Promise<void> = Promise.resolve();
  #soon: NodeJS.Timeout | null = null;
  #isMetering = false;
  #hasFinding = false;
  #isStopped = false;
  /** Lost samples before the last reset. */
  #lostBefore = 0;
  /** When the newest samples arrived, by the monotonic clock. */
  #newestArrival = 0;
  readonly #windows = new RollingWindows();
  #baseline: PinnedBaseline | null = null;
  #pins = 0;
  /** Ranges without a connection, after the store's time origin. */
  #gaps: readonly LiveRange[] = [];
  /** Time of the newest sample before the connection was lost; null while connected. */
  #gapFrom: number | null = null;
  readonly #stopping = Promise.withResolvers<'over'>();

  constructor(context: LiveContext, request: LiveRequest, process: ProcessRow | null, entry: JournalEntry | undefined) {
    const { collector, clock } = context;
    const { plan, target, targetId } = request;
    this.#context = context;
    this.#request = request;
    this.#process = process;
    this.#store = new LiveStore({
      format: collector.output.format ?? plan.collector,
      rateHz: plan.rateHz,
      tool: plan.collector,
      toolVersion: plan.toolVersion,
      hostName: target.host,
    });
    const begun = Promise.withResolvers<void>();
    this.begun = begun.promise;
    this.#begin = begun.resolve;
    this.#startedAt = clock.monotonic();
    this.#rates = new LiveRates(this.#startedAt);
    this.#status = {
      liveId: this.id,
      target: targetId,
      host: target.host,
      title: collector.title(plan.options, process),
      pid: process?.pid ?? null,
      options: plan.options,
      successor: null,
      state: 'preparing',
      update: 0,
      elapsedMs: 0,
      samples: 0,
      samplesPerSecond: 0,
      lost: 0,
      rateHz: plan.rateHz,
      collectorCpu: null,
      latencyMs: null,
      rows: 0,
      baseline: null,
      events: [],
      error: null,
    };
    ({ runs: this.#runs, sink: this.#sink, recording: this.#recording } = this.#collect(entry));
    this.#timers.push(setInterval(() => void this.#update(), IDLE_MS));
    this.#timers.push(setInterval(() => void this.#measure(), METER_MS[target.kind]));
    this.ended = this.#conclude(entry);
  }

  get status(): LiveStatus {
    return this.#status;
  }

  /** Starts the collector. */
  #collect(entry: JournalEntry | undefined): Collecting {
    const { collector, clock } = this.#context;
    const { target, plan } = this.#request;
    const runs = measureRuns(entry?.target ?? target);
    const monotonic = (): number => clock.monotonic();
    const sink = createWatchedSink(collector.output.primaryFile, monotonic, () => this.#updateSoon());
    const recording = collector.start(runs.target, plan, sink, clock);
    /** Samples lost in the earlier runs. */
    const before = this.#status.lost;
    recording.onProgress(({ state, lost, finding }) => {
      if (state === 'recording' && this.#status.state === 'preparing') {
        this.#note('started', `Watching ${this.#status.title} on ${target.host}.`);
        this.#change({ state: 'running' });
      }
      if (state === 'stopping' && this.#isStopped) this.#change({ state: 'stopping' });
      if (before + lost > this.#status.lost) this.#noteLost(before + lost);
      if (finding !== undefined && !this.#hasFinding) {
        this.#hasFinding = true;
        this.#note('note', finding.message);
      }
    });
    return { runs, sink, recording };
  }

  onStatus(listener: (status: LiveStatus) => void): () => void {
    this.#listeners.add(listener);
    listener(this.#status);
    return () => this.#listeners.delete(listener);
  }

  rolling(wanted: LiveWindow): LiveSnapshot & RollingWindow {
    const window = this.#windows.choose(this.#store, wanted);
    return { ...window, ...this.#store.snapshot(window.seconds) };
  }

  reset(): void {
    this.#store.reset();
    this.#rates.reset();
    this.#lostBefore = this.#status.lost;
    this.#note('reset', 'The samples so far were forgotten.');
    this.#change({ samples: 0, rows: 0, update: this.#status.update + 1 });
  }

  async save(library: Pick<Library, 'create'>, seconds: number | null, name: string | null): Promise<CaptureDocument> {
    await this.#update();
    const lost = this.#status.lost - this.#lostBefore;
    const document = await saveSnapshot(library, this.#store.snapshot(seconds), {
      sessionId: this.id,
      name,
      process: this.#process,
      collector: this.#context.collector,
      ...this.#request,
      newestAt: this.#context.clock.now() - (this.#context.clock.monotonic() - this.#newestArrival),
      // The time of a loss is not known exactly, so a part of the session has no count unless nothing was lost.
      lost: seconds === null || lost === 0 ? lost : null,
    });
    this.#note('saved', savedText(document));
    this.#tell();
    return document;
  }

  pin(from: LiveWindow | PinnedCapture): void {
    const pinned =
      typeof from === 'object' && from !== null ? pinnedCapture(this.#store, from) : this.#pinnedWindow(from);
    const { name, seconds } = pinned;
    const baseline = new LiveBaseline(this.#store, pinned);
    const { isJudged } = baseline;
    this.#baseline = { id: ++this.#pins, ...baselineFacts(pinned, this.#request.plan.rateHz), baseline };
    const { id, rateHz } = this.#baseline;
    this.#note(
      'note',
      `Compared with ${name}.${isJudged ? '' : ' It is too short, or has no times, so nothing is coloured.'}`,
    );
    this.#change({ baseline: { id, name, seconds, rateHz, isJudged }, update: this.#status.update + 1 });
  }

  unpin(): void {
    if (this.#baseline === null) return;
    this.#baseline = null;
    this.#change({ baseline: null, update: this.#status.update + 1 });
  }

  get pinned(): PinnedBaseline | null {
    return this.#baseline;
  }

  #pinnedWindow(wanted: LiveWindow): PinnedProfile {
    const window = this.#windows.choose(this.#store, wanted);
    return pinnedWindow(this.#store, window.seconds);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopping.resolve('over');
    void this.#recording.stop();
    await this.ended;
  }

  #updateSoon(): void {
    if (this.#soon !== null) return;
    this.#soon = setTimeout(() => {
      this.#soon = null;
      void this.#update();
    }, GATHER_MS);
  }

  /** Reads what has arrived, one update after another. */
  #update(): Promise<void> {
    this.#updating = this.#updating
      .then(() => this.#readNew())
      .catch((error: unknown) => {
        this.#note(
          'note',
          error instanceof ImportFailure ? `Text could not be read: ${error.message}.` : String(error),
        );
      });
    return this.#updating;
  }

  async #readNew(): Promise<void> {
    const { clock, collector } = this.#context;
    const now = clock.monotonic();
    const text = this.#sink.take();
    if (text === null)
      return this.#change({ samplesPerSecond: this.#rates.samplesPerSecond(now), elapsedMs: now - this.#startedAt });
    const profile = await importProfile(
      { fileName: collector.output.primaryFile, size: null, chunks: () => chunksOf(text.chunks) },
      collector.output.format === null ? {} : { format: collector.output.format },
    );
    const before = this.#store.appended.samples;
    const rows = this.#store.append(profile, BigInt(Math.round(now * 1e6)));
    this.#endGap(rows);
    this.#baseline?.baseline.add(rows, this.#gaps);
    const { samples } = this.#store.appended;
    this.#rates.addSamples(samples - before, now);
    this.#newestArrival = text.arrivedAt;
    this.#change({
      samples,
      samplesPerSecond: this.#rates.samplesPerSecond(now),
      latencyMs:
        samples === before
          ? this.#status.latencyMs
          : this.#rates.latency(profile.samples.time, profile.metadata.timeOrigin, now),
      elapsedMs: now - this.#startedAt,
      rows: this.#store.rowCount,
      update: this.#status.update + (samples === before ? 0 : 1),
    });
    if (samples > 0) this.#begin();
  }

  /** Reads the CPU time of the collector's processes. */
  async #measure(): Promise<void> {
    if (this.#isMetering || this.#status.state !== 'running') return;
    this.#isMetering = true;
    try {
      const seconds = await this.#runs.read();
      const collectorCpu = this.#rates.cpus(seconds, this.#context.clock.monotonic());
      if (collectorCpu !== null) this.#change({ collectorCpu });
    } catch {
      // The connection is lost; the outcome reports it.
    } finally {
      this.#isMetering = false;
    }
  }

  #noteLost(lost: number): void {
    const more = lost - this.#status.lost;
    this.#note(
      'lost',
      `perf lost ${more.toLocaleString('en')} ${more === 1 ? 'sample' : 'samples'}: its buffer was full.`,
    );
    this.#change({ lost });
  }

  async #conclude(entry: JournalEntry | undefined): Promise<void> {
    let outcome = await this.#recording.outcome;
    while (isLinkLost(outcome)) {
      await this.#update();
      await entry?.end(false);
      if (!(await this.#waitForLink())) break;
      entry = await this.#context.journal?.begin(this.#request.targetId, this.#request.target);
      ({ runs: this.#runs, sink: this.#sink, recording: this.#recording } = this.#collect(entry));
      if (this.#isStopped) void this.#recording.stop();
      outcome = await this.#recording.outcome;
    }
    await this.#update();
    for (const timer of this.#timers) clearInterval(timer);
    if (this.#soon !== null) clearTimeout(this.#soon);
    await entry?.end(outcome.exit === null ? outcome.error?.code !== 'internal' : isKnown(outcome));
    // If the collector ended by itself, its process has ended too; perf ends slightly before the process is gone.
    const endedAlone = !this.#isStopped && this.#request.plan.options.seconds === null;
    this.#note('ended', describeEnd(outcome, endedAlone ? `${this.#status.title} has ended.` : 'Stopped.'));
    const failed = outcome.state === 'failed' && this.#status.samples === 0;
    const error =
      outcome.error === null ? null : [outcome.error.message, outcome.error.remedy].filter(Boolean).join('; ');
    this.#change({
      state: failed ? 'failed' : 'ended',
      error,
      samplesPerSecond: 0,
      lost: Math.max(outcome.lost, this.#status.lost),
    });
    this.#begin();
    if (endedAlone && !failed && this.#context.offersSuccessor && this.#process !== null) {
      void this.#offerSuccessor(this.#process).catch(() => undefined);
    }
  }

  /** Returns whether the target can be reached again. */
  async #waitForLink(): Promise<boolean> {
    const { clock, reconnect } = this.#context;
    if (reconnect === undefined || this.#isStopped) return false;
    const { target, plan } = this.#request;
    this.#gapFrom ??= this.#store.newest;
    this.#note('gap', `The link to ${target.host} was lost; reconnecting.`);
    this.#tell();
    const { seconds } = plan.options;
    const deadline = Math.min(
      clock.monotonic() + RESUME_MS,
      seconds === null ? Infinity : this.#startedAt + seconds * 1000,
    );
    while (clock.monotonic() < deadline && !this.#isStopped) {
      const found = await Promise.race([reconnect(), this.#stopping.promise]);
      if (found === 'up') {
        if (seconds !== null) this.#timers.push(setTimeout(() => void this.stop(), deadline - clock.monotonic()));
        return true;
      }
      if (found === 'over') return false;
      await Promise.race([sleep(RETRY_MS, undefined, { ref: false }), this.#stopping.promise]);
    }
    return false;
  }

  /** Records the time without a connection as a gap, once samples arrive again. */
  #endGap({ time }: TimedWeights): void {
    if (this.#gapFrom === null || time.length === 0) return;
    const gap = { start: this.#gapFrom, end: time.reduce((least, one) => Math.min(least, one), Infinity) };
    this.#gapFrom = null;
    this.#gaps = [...this.#gaps, gap].slice(-MAX_GAPS);
    this.#note('gap', `Reconnected: no samples for ${((gap.end - gap.start) / 1e9).toFixed(1)} s.`);
  }

  async #offerSuccessor(ended: ProcessRow): Promise<void> {
    const { clock } = this.#context;
    const successor = await findSuccessor(this.#request.target, ended, clock, () => this.#isStopped);
    if (successor === null) return;
    this.#note('restarted', `${successor.name} runs again as process ${successor.pid}.`);
    this.#change({ successor });
  }

  #note(kind: LiveEvent['kind'], text: string): void {
    const events = [...this.#status.events, { at: this.#context.clock.now(), kind, text }].slice(-MAX_EVENTS);
    this.#status = { ...this.#status, events };
  }

  #change(change: Partial<LiveStatus>): void {
    this.#status = { ...this.#status, ...change };
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener(this.#status);
  }
}
