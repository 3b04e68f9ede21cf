import { randomBytes } from 'node:crypto';
import type { LiveEvent, LiveStatus, LiveWindow } from '#core/contract/live.ts';
import type { CaptureDocument, ProcessRow } from '#core/contract/schemas.ts';
import { LiveBaseline, type PinnedProfile } from '#core/live/baseline/baseline.ts';
import { LiveStore, type LiveSnapshot } from '#core/live/live-store.ts';
import { RollingWindows, type RollingWindow } from '#core/live/rolling-window.ts';
import { ImportFailure } from '#core/model/failure.ts';
import type { LivePiece, LiveProgress } from '#collectors/collector.ts';
import { findProcess } from '#collectors/target/processes.ts';
import type { Library } from '../library/library.ts';
import type { JournalEntry } from '../targets/journal.ts';
import { Collection } from './collection.ts';
import type { LiveContext, LivePart, LiveRequest, LiveSession } from './live.types.ts';
import { LiveGaps } from './gaps.ts';
import { LiveRates } from './rates.ts';
import { describeEnd } from './outcome-text.ts';
import {
  baselineFacts,
  pinnedCapture,
  pinnedWindow,
  type PinnedBaseline,
  type PinnedCapture,
  type PinnedMoment,
} from './pinned.ts';
import { RateCap } from './rate-cap.ts';
import { saveSnapshot, savedText } from './save-snapshot.ts';
import { findSuccessor } from './successor.ts';

/** Milliseconds between updates if no data arrives. */
const IDLE_MS = 1000;
/** Milliseconds for which data is collected before it is read. */
const GATHER_MS = 100;
/** Milliseconds between readings of the collector's CPU time. Over a link, each reading takes two short commands. */
const METER_MS = { local: 1000, ssh: 4000 };
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
  readonly begun: Promise<void>;
  readonly ended: Promise<void>;
  readonly #begin: () => void;
  readonly #context: LiveContext;
  readonly #request: LiveRequest;
  readonly #process: ProcessRow | null;
  readonly #store: LiveStore;
  readonly #collection: Collection;
  readonly #listeners = new Set<(status: LiveStatus) => void>();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #startedAt: number;
  readonly #rates: LiveRates;
  readonly #gaps = new LiveGaps();
  readonly #cap: RateCap;
  #status: LiveStatus;
  #updating: Promise<void> = Promise.resolve();
  #soon: NodeJS.Timeout | null = null;
  #isMetering = false;
  #hasFinding = false;
  /** The newest problem that was noted; null while samples arrive. */
  #problem: string | null = null;
  /** Why there is a gap before the next samples. */
  #broken: keyof typeof AFTER_BREAK = 'source';
  /** The rate can't be lowered further. */
  #isSlowest = false;
  /** Lost samples before the current run, and before the last reset. */
  #lostInRuns = { run: 0, before: 0 };
  #lostBefore = 0;
  /** When the newest samples arrived, by the monotonic clock. */
  #newestArrival = 0;
  readonly #windows = new RollingWindows();
  #baseline: PinnedBaseline | null = null;
  #pins = 0;

  constructor(context: LiveContext, request: LiveRequest, process: ProcessRow | null, entry: JournalEntry | undefined) {
    const { collector, clock } = context;
    const { plan, target, targetId, seconds } = request;
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
    this.#cap = new RateCap(request.limits.maxCpus);
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
      gaps: [],
      gapSeconds: 0,
      rows: 0,
      baseline: null,
      events: [],
      error: null,
    };
    this.#collection = new Collection(context, request, entry, {
      onPiece: () => this.#updateSoon(),
      onProgress: (progress, run) => this.#progress(progress, run, seconds),
      drain: () => this.#update(),
      onBreak: (why) => this.#break(why),
    });
    this.#timers.push(setInterval(() => void this.#update(), IDLE_MS));
    this.#timers.push(setInterval(() => void this.#measure(), METER_MS[target.kind]));
    this.ended = this.#conclude();
  }

  get status(): LiveStatus {
    return this.#status;
  }

  #progress({ state, lost, finding, problem }: LiveProgress, run: number, seconds: number | null): void {
    if (state === 'recording' && this.#status.state === 'preparing') {
      this.#note('started', `Watching ${this.#status.title} on ${this.#request.target.host}.`);
      this.#change({ state: 'running' });
      if (seconds !== null) this.#timers.push(setTimeout(() => void this.stop(), seconds * 1000));
    }
    if (state === 'stopping' && this.#collection.isStopped) this.#change({ state: 'stopping' });
    if (run > this.#lostInRuns.run) this.#lostInRuns = { run, before: this.#status.lost };
    this.#noteLost(this.#lostInRuns.before + lost);
    if (finding !== undefined && !this.#hasFinding) {
      this.#hasFinding = true;
      this.#note('note', finding.message);
    }
    if (problem !== undefined && problem !== this.#problem) {
      this.#note('gap', problem);
      this.#tell();
    }
    this.#problem = problem ?? null;
  }

  #break(why: 'link' | 'plan'): void {
    this.#broken = why;
    this.#gaps.open(this.#store.newest);
    this.#rates.restart();
    if (why === 'link') this.#note('gap', `The link to ${this.#request.target.host} was lost; reconnecting.`);
    this.#tell();
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
    this.#gaps.reset();
    this.#rates.reset();
    this.#lostBefore = this.#status.lost;
    this.#note('reset', 'The samples so far were forgotten.');
    this.#change({ samples: 0, rows: 0, gaps: [], gapSeconds: 0, update: this.#status.update + 1 });
  }

  async save(library: Pick<Library, 'create'>, { seconds, until }: LivePart): Promise<CaptureDocument> {
    await this.#update();
    const lost = this.#status.lost - this.#lostBefore;
    const snapshot = this.#store.snapshot(seconds, until);
    const sinceThenNs = (this.#store.newest ?? 0) - (snapshot.range?.end ?? 0);
    const document = await saveSnapshot(library, snapshot, {
      sessionId: this.id,
      process: this.#process,
      collector: this.#context.collector,
      ...this.#request,
      newestAt: this.#context.clock.now() - (this.#context.clock.monotonic() - this.#newestArrival) - sinceThenNs / 1e6,
      // The time of a loss is not known exactly, so a part of the session has no count unless nothing was lost.
      lost: (seconds === null && until === null) || lost === 0 ? lost : null,
    });
    this.#note('saved', savedText(document));
    this.#tell();
    return document;
  }

  pin(from: PinnedMoment | PinnedCapture): void {
    const pinned = 'profile' in from ? pinnedCapture(this.#store, from) : this.#pinnedMoment(from);
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

  #pinnedMoment({ window: wanted, until }: PinnedMoment): PinnedProfile {
    const window = this.#windows.choose(this.#store, wanted, until);
    return pinnedWindow(this.#store, window.seconds, until);
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
      gaps: this.#gaps.noted,
      gapSeconds: this.#gaps.seconds,
      rows: this.#store.rowCount,
      update: this.#status.update + (samples === before ? 0 : 1),
    });
    if (samples > 0) this.#begin();
  }

  /** Returns the latency; null without samples. */
  #append({ profile, span, arrivedAt }: LivePiece, now: number): number | null {
    if (profile === null || profile.samples.length === 0) {
      if (span !== null) this.#store.advance(span);
      return null;
    }
    const rows = this.#store.append(profile, BigInt(Math.round(now * 1e6)), span);
    const gap = this.#gaps.add(rows, span, this.#store.timeOrigin);
    if (gap !== null) this.#note('gap', `${AFTER_BREAK[this.#broken]}: no samples for ${gap.toFixed(1)} s.`);
    this.#broken = 'source';
    this.#baseline?.baseline.add(rows, this.#gaps.list);
    this.#newestArrival = arrivedAt;
    return span === null
      ? this.#rates.latency(profile.samples.time, profile.metadata.timeOrigin, now)
      : this.#rates.latency(Float64Array.of(0, Number(span.end - span.start)), span.start, now);
  }

  /** Reads the CPU time of the collector's processes. */
  async #measure(): Promise<void> {
    if (this.#isMetering || this.#status.state !== 'running') return;
    this.#isMetering = true;
    try {
      const seconds = await this.#collection.cpuSeconds();
      const collectorCpu = this.#rates.cpus(seconds, this.#context.clock.monotonic());
      if (collectorCpu !== null) {
        this.#change({ collectorCpu });
        if (!this.#isSlowest && this.#cap.isExceeded(collectorCpu)) await this.#slowDown(collectorCpu);
      }
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

  /** `lost` is that of all runs. */
  #noteLost(lost: number): void {
    const more = lost - this.#status.lost;
    if (more <= 0) return;
    const { label } = this.#context.collector;
    this.#note('lost', `${label} lost ${more.toLocaleString('en')} ${more === 1 ? 'sample' : 'samples'}.`);
    this.#change({ lost });
  }

  async #conclude(): Promise<void> {
    const outcome = await this.#collection.end();
    for (const timer of this.#timers) clearInterval(timer);
    if (this.#soon !== null) clearTimeout(this.#soon);
    // If the collector ended by itself, its process has ended too; perf ends slightly before the process is gone.
    const endedAlone = !this.#collection.isStopped;
    this.#noteLost(this.#lostInRuns.before + outcome.lost);
    this.#note('ended', describeEnd(outcome, endedAlone ? `${this.#status.title} has ended.` : 'Stopped.'));
    const failed = outcome.state === 'failed' && this.#status.samples === 0;
    const error =
      outcome.error === null ? null : [outcome.error.message, outcome.error.remedy].filter(Boolean).join('; ');
    this.#change({ state: failed ? 'failed' : 'ended', error, samplesPerSecond: 0 });
    this.#begin();
    if (endedAlone && !failed && this.#context.offersSuccessor && this.#process !== null) {
      void this.#offerSuccessor(this.#process).catch(() => undefined);
    }
  }

  async #offerSuccessor(ended: ProcessRow): Promise<void> {
    const { clock } = this.#context;
    const successor = await findSuccessor(this.#request.target, ended, clock, () => this.#collection.isStopped);
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

const AFTER_BREAK = { link: 'Reconnected', plan: 'Sampling again', source: 'A gap' };

const percent = (cpus: number): string => `${(cpus * 100).toFixed(0)} %`;
