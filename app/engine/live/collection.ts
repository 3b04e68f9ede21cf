import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyPlan, LiveFeed, LiveProgress, RawPart, RecordingOutcome } from '#collectors/collector.ts';
import { toFailure } from '#collectors/recording-failure.ts';
import { measureRuns, type MeasuredRuns, type RunsReading } from '#collectors/target/runs-cpu.ts';
import type { JournalEntry } from '../targets/journal.ts';
import type { LiveContext, LiveRequest } from './live.types.ts';
import { isKnown, isLinkLost } from './outcome-text.ts';

/** Milliseconds for which reconnecting is tried, and between attempts. */
const RESUME_MS = 600_000;
const RETRY_MS = 2000;

interface CollectionEvents {
  /** Called when there is something to take. */
  readonly onPiece: () => void;
  /** `run` counts the runs of the collector from 0. */
  readonly onProgress: (progress: LiveProgress, run: number) => void;
  /** See `LiveStart.onRaw`. */
  readonly onRaw: ((part: RawPart, run: number) => Promise<void>) | undefined;
  /** Reads everything that has arrived before a run is replaced. */
  readonly drain: () => Promise<void>;
  /** The link was lost, or the collector begins again with another plan. */
  readonly onBreak: (why: 'link' | 'plan') => void;
}

/** The runs of a collector on one target: it runs again after a lost connection, and with another plan if asked to. */
export class Collection {
  readonly #context: LiveContext;
  readonly #request: LiveRequest;
  readonly #events: CollectionEvents;
  #plan: AnyPlan;
  /** The plan of the next run, for which this one ends. */
  #next: AnyPlan | null = null;
  #run = 0;
  #entry: JournalEntry | undefined;
  #feed: LiveFeed;
  #runs: MeasuredRuns;
  #isStopped = false;
  readonly #stopping = Promise.withResolvers<'over'>();

  constructor(context: LiveContext, request: LiveRequest, entry: JournalEntry | undefined, events: CollectionEvents) {
    this.#context = context;
    this.#request = request;
    this.#events = events;
    this.#plan = request.plan;
    this.#entry = entry;
    ({ feed: this.#feed, runs: this.#runs } = this.#start());
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  get plan(): AnyPlan {
    return this.#plan;
  }

  take(): ReturnType<LiveFeed['take']> {
    return this.#feed.take();
  }

  /** Waits for the next reading of the collector's processes; null if there is none. */
  reading(): Promise<RunsReading | null> {
    return this.#runs.next();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopping.resolve('over');
    void this.#feed.stop();
  }

  /** Ends the current run and begins again with another plan. */
  restart(plan: AnyPlan): void {
    if (this.#isStopped) return;
    this.#next = plan;
    void this.#feed.stop();
  }

  /** Resolves with the outcome of the last run, when nothing runs any more. */
  async end(): Promise<RecordingOutcome> {
    for (;;) {
      const outcome = await this.#feed.outcome;
      this.#runs.end();
      await this.#events.drain();
      const next = this.#next;
      this.#next = null;
      const isLost = isLinkLost(outcome);
      await this.#entry?.end(isLost ? false : outcome.exit === null ? !isInternal(outcome) : isKnown(outcome));
      const isReplaced = next !== null && !this.#isStopped && outcome.error === null;
      if (!isLost && !isReplaced) return outcome;
      this.#events.onBreak(isLost ? 'link' : 'plan');
      if (isLost && !(await this.#waitForLink())) return outcome;
      if (next !== null) this.#plan = next;
      try {
        this.#entry = await this.#context.journal?.begin(this.#request.targetId, this.#request.target);
      } catch (error) {
        return { ...outcome, state: 'failed', error: toFailure(error) };
      }
      this.#run += 1;
      ({ feed: this.#feed, runs: this.#runs } = this.#start());
      if (this.#isStopped) void this.#feed.stop();
    }
  }

  #start(): { readonly feed: LiveFeed; readonly runs: MeasuredRuns } {
    const { clock, collector } = this.#context;
    const runs = measureRuns(this.#entry?.target ?? this.#request.target);
    const { onPiece, onRaw } = this.#events;
    const run = this.#run;
    const feed = collector.live.start(collector, {
      target: runs.target,
      plan: this.#plan,
      clock,
      onPiece,
      onRaw: onRaw && ((part) => onRaw(part, run)),
    });
    feed.onProgress((progress) => this.#events.onProgress(progress, run));
    return { feed, runs };
  }

  /** Returns whether the target can be reached again. */
  async #waitForLink(): Promise<boolean> {
    const { clock, reconnect } = this.#context;
    if (reconnect === undefined || this.#isStopped) return false;
    const deadline = clock.monotonic() + RESUME_MS;
    while (clock.monotonic() < deadline && !this.#isStopped) {
      const found = await Promise.race([reconnect(), this.#stopping.promise]);
      if (found === 'up') return true;
      if (found === 'over') return false;
      await Promise.race([sleep(RETRY_MS, undefined, { ref: false }), this.#stopping.promise]);
    }
    return false;
  }
}

const isInternal = ({ error }: RecordingOutcome): boolean => error?.code === 'internal';
