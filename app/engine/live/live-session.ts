import { randomBytes } from 'node:crypto';
import type { LiveEvent, LiveStatus, LiveWindow } from '#core/contract/live.ts';
import type { CaptureDocument, ProcessRow } from '#core/contract/schemas.ts';
import { LiveBaseline } from '#core/live/baseline/baseline.ts';
import { LiveStore, type LiveSnapshot } from '#core/live/live-store.ts';
import { RollingWindows, type RollingWindow } from '#core/live/rolling-window.ts';
import { ImportFailure } from '#core/model/failure.ts';
import { writeNative } from '#core/model/native/write.ts';
import { countText } from '#core/units/format.ts';
import type { LivePiece, LiveProgress } from '#collectors/collector.ts';
import { findProcess } from '#collectors/target/processes.ts';
import type { Library } from '../library/library.ts';
import type { JournalEntry } from '../targets/journal.ts';
import { Collection } from './collection.ts';
import type { LiveContext, LivePart, LiveRequest, LiveSession } from './live.types.ts';
import { firstStatus } from './first-status.ts';
import { LiveTime } from './live-time.ts';
import { LiveLosses } from './losses.ts';
import { LiveRates } from './rates.ts';
import { describeEnd } from './outcome-text.ts';
import { pinnedCapture, pinnedWindow, type PinnedBaseline, type PinnedCapture, type PinnedMoment } from './pinned.ts';
import { RateCap } from './rate-cap.ts';
import { finishRaw, keepRaw } from './keep-raw.ts';
import type { RawKeeper } from './raw-keeper.ts';
import { saveSnapshot, savedText, type LiveSubject } from './save-snapshot.ts';
import { SuccessorSearch } from './successor.ts';

/** Milliseconds between updates if no data arrives. */
const IDLE_MS = 1000;
/** Milliseconds for which data is collected before it is read. */
const GATHER_MS = 100;
const MAX_EVENTS = 200;

export async function startLive(context: LiveContext, request: LiveRequest): Promise<LiveSession> {
  const { collector } = context;
  const scope = collector.scope(request.plan.options);
  const process = scope?.kind === 'pid' ? await findProcess(request.target, scope.pid) : null;
  const entry = await context.journal?.begin(request.targetId, request.target);
  return new RunningLive(context, request, process, entry);
}

class RunningLive implements LiveSession {
  readonly id = randomBytes(8).toString('hex');
  readonly #hasBegun = Promise.withResolvers<void>();
  readonly begun = this.#hasBegun.promise;
  readonly ended: Promise<void>;
  readonly #context: LiveContext;
  readonly #request: LiveRequest;
  readonly #process: ProcessRow | null;
  readonly #store: LiveStore;
  readonly #collection: Collection;
  readonly #listeners = new Set<(status: LiveStatus) => void>();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #startedAt: number;
  readonly #rates: LiveRates;
  readonly #time: LiveTime;
  readonly #cap: RateCap;
  /** Null: raw output is not kept. */
  readonly #raw: RawKeeper | null;
  #status: LiveStatus;
  #updating: Promise<void> = Promise.resolve();
  #soon: NodeJS.Timeout | null = null;
  #isMetering = false;
  #hasFinding = false;
  /** The newest problem that was noted; null while samples arrive. */
  #problem: string | null = null;
  /** The rate can't be lowered further. */
  #isSlowest = false;
  readonly #losses = new LiveLosses();
  /** When the newest samples arrived, by the monotonic clock. */
  #newestArrival = 0;
  readonly #windows = new RollingWindows();
  #baseline: PinnedBaseline | null = null;
  #pins = 0;
  /** Null: no successor is looked for. */
  readonly #successors: SuccessorSearch | null;

  constructor(context: LiveContext, request: LiveRequest, process: ProcessRow | null, entry: JournalEntry | undefined) {
    const { collector, clock } = context;
    const { plan, target, seconds } = request;
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
    this.#startedAt = clock.monotonic();
    this.#rates = new LiveRates(this.#startedAt);
    this.#cap = new RateCap(request.limits.maxCpus);
    this.#time = new LiveTime(target, clock, (kind, text) => this.#note(kind, text));
    this.#successors = context.offersSuccessor && process !== null ? new SuccessorSearch(target, process, clock) : null;
    this.#status = firstStatus(this.id, context, request, process);
    this.#raw = keepRaw(context, request, this.#subject, (text) => {
      this.#note('note', text);
      this.#tell();
    });
    this.#collection = new Collection(context, request, entry, {
      onPiece: () => this.#updateSoon(),
      onProgress: (progress, run) => this.#progress(progress, run, seconds),
      onRaw: this.#raw === null ? undefined : (part, run) => this.#raw!.add(part, run),
      drain: () => this.#update(),
      onBreak: (why) => this.#break(why),
    });
    this.#timers.push(setInterval(() => void this.#update(), IDLE_MS));
    this.#timers.push(setInterval(() => void this.#measure(), IDLE_MS));
    this.ended = this.#conclude();
  }

  get status(): LiveStatus {
    return this.#status;
  }

  #progress({ state, lost, finding, problem, missed }: LiveProgress, run: number, seconds: number | null): void {
    if (state === 'recording' && this.#status.state === 'preparing') {
      this.#note('started', `Watching ${this.#status.title} on ${this.#request.target.host}.`);
      this.#change({ state: 'running' });
      if (seconds !== null) this.#timers.push(setTimeout(() => void this.stop(), seconds * 1000));
    }
    if (state === 'stopping' && this.#collection.isStopped) this.#change({ state: 'stopping' });
    this.#tellLost(this.#losses.add(run, lost));
    if (finding !== undefined && !this.#hasFinding) {
      this.#hasFinding = true;
      this.#note('note', finding.message);
    }
    if (missed !== undefined && this.#losses.miss(missed)) this.#note('lost', missed.message);
    if (problem !== undefined && problem !== this.#problem) {
      this.#note('gap', problem);
      this.#tell();
    }
    this.#problem = problem ?? null;
  }

  #break(why: 'link' | 'plan'): void {
    this.#time.break(why, this.#store.newest);
    this.#rates.restart();
    if (why === 'link') this.#note('gap', `The link to ${this.#request.target.host} was lost; reconnecting.`);
    this.#tell();
  }

  get #subject(): LiveSubject {
    const { collector } = this.#context;
    const { plan, target } = this.#request;
    return { sessionId: this.id, process: this.#process, collector, plan, target };
  }

  /** Unix epoch milliseconds of the newest sample. */
  get #newestAt(): number {
    const { clock } = this.#context;
    return clock.now() - (clock.monotonic() - this.#newestArrival);
  }

  onStatus(listener: (status: LiveStatus) => void): () => void {
    this.#listeners.add(listener);
    listener(this.#status);
    return () => this.#listeners.delete(listener);
  }

  rolling(wanted: LiveWindow, until: number | null = null): LiveSnapshot & RollingWindow {
    const window = this.#windows.choose(this.#store, wanted, until);
    return { ...window, ...this.#store.snapshot(window.seconds, until) };
  }

  reset(): void {
    this.#store.reset();
    this.#time.gaps.reset();
    this.#rates.reset();
    this.#losses.reset();
    this.#note('reset', 'The samples so far were forgotten.');
    this.#change({ samples: 0, rows: 0, gaps: [], gapSeconds: 0, update: this.#status.update + 1 });
  }

  async save(library: Pick<Library, 'create'>, { seconds, until }: LivePart): Promise<CaptureDocument> {
    await this.#update();
    const { lost, diagnostics } = this.#losses.sinceReset;
    const snapshot = this.#store.snapshot(seconds, until);
    const sinceThenNs = (this.#store.newest ?? 0) - (snapshot.range?.end ?? 0);
    const document = await saveSnapshot(library, snapshot, {
      ...this.#subject,
      newestAt: this.#newestAt - sinceThenNs / 1e6,
      // The time of a loss is not known exactly, so a part of the session has no count unless nothing was lost.
      lost: (seconds === null && until === null) || lost === 0 ? lost : null,
      diagnostics,
    });
    this.#note('saved', savedText(document));
    this.#tell();
    return document;
  }

  pin(from: PinnedMoment | PinnedCapture): void {
    const store = this.#store;
    const pinned =
      'profile' in from
        ? pinnedCapture(store, from)
        : pinnedWindow(store, this.#windows.choose(store, from.window, from.until).seconds, from.until);
    const { name, seconds } = pinned;
    const baseline = new LiveBaseline(store, pinned);
    const { isJudged } = baseline;
    this.#baseline = {
      id: ++this.#pins,
      rateHz: pinned.profile.metadata.rateHz ?? this.#request.plan.rateHz,
      baseline,
    };
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

  async stop(): Promise<void> {
    this.#collection.stop();
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
          error instanceof ImportFailure ? `A part could not be read: ${error.message}.` : String(error),
        );
      });
    return this.#updating;
  }

  async #readNew(): Promise<void> {
    const { clock } = this.#context;
    const now = clock.monotonic();
    const before = this.#store.appended.samples;
    let latencyMs: number | null = null;
    for (const piece of await this.#collection.take()) latencyMs = this.#append(piece, now) ?? latencyMs;
    const { samples } = this.#store.appended;
    if (samples !== before) this.#rates.addSamples(samples - before, now);
    this.#change({
      samples,
      samplesPerSecond: this.#rates.samplesPerSecond(now),
      latencyMs: latencyMs ?? this.#status.latencyMs,
      elapsedMs: now - this.#startedAt,
      gaps: this.#time.gaps.noted,
      gapSeconds: this.#time.gaps.seconds,
      rows: this.#store.rowCount,
      raw: this.#raw?.status ?? null,
      update: this.#status.update + (samples === before ? 0 : 1),
    });
    if (samples > 0) this.#hasBegun.resolve();
  }

  /** Returns the latency; null without samples. */
  #append(piece: LivePiece, now: number): number | null {
    if (piece.problem !== undefined) this.#note('lost', piece.problem);
    const sampled = piece.profile?.samples.length === 0 ? null : piece.profile;
    if (sampled === null && piece.span === null) return null;
    const { profile, span, latencyMs } = this.#time.place(sampled, piece.span, this.#store.newest);
    const before = this.#store.appended.samples;
    const rows = this.#store.append(profile, BigInt(Math.round(now * 1e6)), span);
    if (profile !== null) this.#raw?.count(this.#store.appended.samples - before, rows.time, span);
    this.#time.add(rows, span, this.#store.timeOrigin);
    this.#baseline?.baseline.add(rows, this.#time.gaps.list);
    this.#newestArrival = piece.arrivedAt;
    return profile === null ? null : latencyMs;
  }

  /** Reads the CPU time of the collector's processes. */
  async #measure(): Promise<void> {
    if (this.#isMetering || this.#status.state !== 'running') return;
    this.#isMetering = true;
    try {
      const reading = await this.#collection.reading();
      if (reading === null) return;
      const collectorCpu = this.#rates.cpus(reading.cpuSeconds, this.#context.clock.monotonic());
      if (collectorCpu !== null) {
        this.#change({ collectorCpu });
        if (!this.#isSlowest && this.#cap.isExceeded(collectorCpu)) await this.#slowDown(collectorCpu);
      }
      const { gaps } = this.#time;
      if (this.#time.compare(reading, this.#store.newest)) this.#change({ gaps: gaps.noted, gapSeconds: gaps.seconds });
    } catch {
      // The connection is lost; the outcome reports it.
    } finally {
      this.#isMetering = false;
    }
  }

  /** Halves the rate, because the collector takes too much of the target's CPU. */
  async #slowDown(cpus: number): Promise<void> {
    const { collector, replan } = this.#context;
    const { plan } = this.#collection;
    const options = collector.live.slower(plan.options);
    const slower = options === null ? null : ((await replan?.(options)) ?? null);
    const limit = `The collector took ${percent(cpus)} of a CPU, more than ${percent(this.#request.limits.maxCpus ?? 0)}`;
    if (slower === null) {
      this.#isSlowest = true;
      this.#note('rate', `${limit}; its rate can’t be lowered further.`);
      return this.#tell();
    }
    this.#note('rate', `${limit}: it samples at ${slower.rateHz} Hz from here on, instead of ${plan.rateHz} Hz.`);
    this.#change({ rateHz: slower.rateHz, options: slower.options });
    this.#collection.restart(slower);
  }

  #tellLost(more: number): void {
    if (more === 0) return;
    const { label } = this.#context.collector;
    this.#note('lost', `${label} lost ${countText(more, 'sample')}.`);
    this.#change({ lost: this.#losses.lost });
  }

  async #conclude(): Promise<void> {
    const outcome = await this.#collection.end();
    for (const timer of this.#timers) clearInterval(timer);
    if (this.#soon !== null) clearTimeout(this.#soon);
    // If the collector ended by itself, its process has ended too; perf ends slightly before the process is gone.
    const endedAlone = !this.#collection.isStopped;
    this.#tellLost(this.#losses.end(outcome.lost));
    if (this.#raw !== null) {
      const merged = (): Uint8Array[] => writeNative(this.#store.snapshot(null).profile);
      const facts = { newestAt: this.#newestAt, lost: this.#status.lost, merged };
      for (const { kind, text } of await finishRaw(this.#raw, facts)) this.#note(kind, text);
      this.#change({ raw: this.#raw.status });
    }
    const name = this.#request.recordingId === undefined ? this.#status.title : 'The recording';
    this.#note('ended', describeEnd(outcome, endedAlone ? `${name} has ended.` : 'Stopped.'));
    const failed = outcome.state === 'failed' && this.#status.samples === 0;
    const error =
      outcome.error === null ? null : [outcome.error.message, outcome.error.remedy].filter(Boolean).join('; ');
    this.#change({ state: failed ? 'failed' : 'ended', error, samplesPerSecond: 0 });
    this.#hasBegun.resolve();
    this.#successors?.end();
    if (endedAlone && !failed) void this.#offerSuccessor().catch(() => undefined);
  }

  async #offerSuccessor(): Promise<void> {
    const found = (await this.#successors?.find(() => this.#collection.isStopped)) ?? null;
    if (found === null) return;
    const { process, by } = found;
    this.#note('restarted', `${process.name} runs again as process ${process.pid} (${by}).`);
    this.#change({ successor: process });
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

const percent = (cpus: number): string => `${(cpus * 100).toFixed(0)} %`;
