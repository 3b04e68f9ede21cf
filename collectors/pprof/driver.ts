import { ImportFailure } from '#core/model/failure.ts';
import type { PprofOptions } from '#core/contract/pprof.ts';
import type { Diagnostic } from '#core/model/diagnostics.ts';
import type {
  CaptureSink,
  Clock,
  Plan,
  PlanStep,
  Recording,
  RecordingOutcome,
  RecordingProgress,
} from '../collector.ts';
import { readProcStat } from '../target/processes.ts';
import type { Target } from '../target/target.ts';
import { PprofFailure } from './explain-failure.ts';
import { fetchBody, LIMITS, type FetchLimits } from './http-fetch.ts';
import { RAW_FILE, sampledSeconds, STATES_FILE } from './plan.ts';
import { readBack } from './read-back.ts';
import { openRoute } from './route.ts';

const PROGRESS_MS = 400;

/** Fetches what was planned. What goes wrong is told by the outcome. `limits`: others in tests. */
export function startPprof(
  target: Target,
  plan: Plan<PprofOptions>,
  sink: CaptureSink,
  clock: Clock,
  limits: FetchLimits = LIMITS,
): Recording {
  return new PprofRecording(target, plan, sink, clock, limits);
}

class PprofRecording implements Recording {
  readonly outcome: Promise<RecordingOutcome>;
  readonly #target: Target;
  readonly #plan: Plan<PprofOptions>;
  readonly #sink: CaptureSink;
  readonly #clock: Clock;
  readonly #limits: FetchLimits;
  readonly #listeners = new Set<(progress: RecordingProgress) => void>();
  readonly #messages: string[] = [];
  readonly #ending = new AbortController();
  /** Seconds that the server samples before it answers. */
  readonly #sampled: number;
  #state: RecordingProgress['state'] = 'preparing';
  #ask: 'stop' | 'cancel' | null = null;
  #startedAt: number | null = null;
  /** Milliseconds of the monotonic clock. */
  #begin = 0;
  #end: number | null = null;
  #samples = 0;
  #bytes = 0;

  constructor(target: Target, plan: Plan<PprofOptions>, sink: CaptureSink, clock: Clock, limits: FetchLimits) {
    this.#target = target;
    this.#plan = plan;
    this.#sink = sink;
    this.#clock = clock;
    this.#limits = limits;
    this.#sampled = sampledSeconds(plan);
    this.outcome = this.#run();
  }

  onProgress(listener: (progress: RecordingProgress) => void): void {
    this.#listeners.add(listener);
    listener(this.#progress());
  }

  /** What a server has begun to send is kept. While it samples there is nothing yet: pprof sends a profile when its time is over. */
  async stop(): Promise<void> {
    if (this.#ask === null && !isFinal(this.#state)) {
      this.#ask = 'stop';
      if (this.#bytes === 0 && this.#sampled > 0) this.#ending.abort(this.#stoppedEarly());
      this.#setState('stopping');
    }
    await this.outcome;
  }

  async cancel(): Promise<void> {
    if (this.#ask !== 'cancel' && !isFinal(this.#state)) {
      this.#ask = 'cancel';
      this.#ending.abort(new PprofFailure('cancelled', 'cancelled', null));
      this.#setState('stopping');
    }
    await this.outcome;
  }

  async #run(): Promise<RecordingOutcome> {
    // Listeners come before the first word.
    await Promise.resolve();
    const timer = setInterval(() => this.#announce(), PROGRESS_MS);
    let outcome: RecordingOutcome;
    try {
      await this.#identify();
      await this.#fetchAll();
      outcome = await this.#keep();
    } catch (error) {
      outcome = this.#refuse(error);
    } finally {
      clearInterval(timer);
    }
    this.#setState(outcome.state);
    this.#listeners.clear();
    return outcome;
  }

  /** A process that was looked for is still the one that was found. */
  async #identify(): Promise<void> {
    const { scope } = this.#plan.options;
    if (scope.kind !== 'pid') return;
    const stat = await readProcStat(this.#target, scope.pid);
    if (stat !== null && (scope.startTicks === null || stat.startTicks === scope.startTicks)) return;
    throw new PprofFailure('no-such-process', `process ${scope.pid} has ended`, 'pick a running one');
  }

  async #fetchAll(): Promise<void> {
    for (const [index, step] of this.#plan.steps.entries()) {
      if (step.kind === 'request') await this.#fetch(step, index === 0 ? RAW_FILE : STATES_FILE);
    }
    this.#end ??= this.#clock.monotonic();
  }

  async #fetch(step: Extract<PlanStep, { kind: 'request' }>, file: string): Promise<void> {
    const { signal } = this.#ending;
    signal.throwIfAborted();
    const route = await openRoute(this.#target, step.url);
    try {
      await fetchBody({
        url: step.url,
        options: this.#plan.options,
        seconds: file === RAW_FILE ? this.#sampled : 0,
        signal,
        limits: this.#limits,
        ...(route.via === undefined ? {} : { via: route.via }),
        onSent: () => this.#beginRecording(),
        onChunk: async (chunk) => {
          this.#bytes += chunk.length;
          await this.#sink.append(file, chunk);
        },
      });
    } finally {
      await route.close();
    }
  }

  #beginRecording(): void {
    if (this.#startedAt !== null) return;
    this.#startedAt = this.#clock.now();
    this.#begin = this.#clock.monotonic();
    if (this.#sampled > 0) this.#messages.push(`the server samples for ${this.#sampled} s, then sends the profile`);
    if (this.#state === 'preparing') this.#setState('recording');
  }

  async #keep(): Promise<RecordingOutcome> {
    const { samples, durationMs, quality } = await readBack(this.#sink).catch((error: unknown) => {
      if (error instanceof ImportFailure) throw this.#notProfile(error);
      throw error;
    });
    this.#samples = samples;
    return {
      ...this.#facts(),
      state: this.#ask === 'cancel' ? 'cancelled' : 'finished',
      durationMs: durationMs ?? this.#elapsedMs(),
      quality,
      diagnostics: samples === 0 ? [emptyProfile(this.#plan)] : [],
      error: null,
    };
  }

  #refuse(error: unknown): RecordingOutcome {
    const isCancelled = this.#ask === 'cancel';
    return {
      ...this.#facts(),
      state: isCancelled ? 'cancelled' : 'failed',
      durationMs: this.#elapsedMs(),
      quality: null,
      diagnostics: [],
      error: isCancelled ? null : toFailure(error),
    };
  }

  #facts() {
    return {
      incomplete: false,
      primaryFile: RAW_FILE,
      otherFiles: this.#plan.otherFiles,
      exit: null,
      samples: this.#samples,
      lost: 0,
      startedAt: this.#startedAt,
      event: this.#plan.event,
      cpuSeconds: null,
    };
  }

  #notProfile(error: ImportFailure): PprofFailure {
    const url = this.#url;
    return error.failure === 'too-large'
      ? new PprofFailure('too-large', `${url} sent a profile that is too large: ${error.message}`, null)
      : new PprofFailure(
          'not-a-profile',
          `${url} did not send a profile: ${error.message}`,
          'check the address: give the service’s root or one of its profiles',
        );
  }

  get #url(): string {
    const [step] = this.#plan.steps;
    return step?.kind === 'request' ? step.url : '';
  }

  #stoppedEarly(): PprofFailure {
    return new PprofFailure(
      'stopped-early',
      `stopped after ${(this.#elapsedMs() / 1000).toFixed(1)} of ${this.#sampled} s: the server sends the profile only at the end`,
      'let it finish, or record fewer seconds',
    );
  }

  #setState(state: RecordingProgress['state']): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#announce();
  }

  #announce(): void {
    const progress = this.#progress();
    for (const listener of this.#listeners) listener(progress);
  }

  #elapsedMs(): number {
    return this.#startedAt === null ? 0 : (this.#end ?? this.#clock.monotonic()) - this.#begin;
  }

  #progress(): RecordingProgress {
    return {
      state: this.#state,
      elapsedMs: this.#elapsedMs(),
      samples: this.#samples,
      lost: 0,
      bytes: this.#bytes,
      messages: [...this.#messages],
    };
  }
}

const isFinal = (state: RecordingProgress['state']): boolean =>
  state === 'finished' || state === 'failed' || state === 'cancelled';

/** Kinds that Go records only where the program asks for it. */
const SWITCHES: Readonly<Record<string, string>> = {
  block: 'the program must call runtime.SetBlockProfileRate',
  mutex: 'the program must call runtime.SetMutexProfileFraction',
};

function emptyProfile({ event }: Pick<Plan<PprofOptions>, 'event'>): Diagnostic {
  return {
    code: 'empty-profile',
    severity: 'warning',
    message: `The ${event ?? ''} profile has no samples.`,
    count: 1,
    first: null,
    remedy: SWITCHES[event ?? ''] ?? 'record while the service works',
  };
}

/** Errors of a sink and of a connection may carry a code and a remedy. */
function toFailure(error: unknown): NonNullable<RecordingOutcome['error']> {
  if (!(error instanceof Error)) return { code: 'internal', message: String(error), remedy: null };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'internal';
  const remedy = 'remedy' in error && typeof error.remedy === 'string' ? error.remedy : null;
  if (code === 'ENOSPC') return { code: 'disk-full', message: 'the disk is full', remedy: remedy ?? 'free some space' };
  return { code, message: error.message, remedy };
}
