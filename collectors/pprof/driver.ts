import { ImportFailure } from '#core/model/failure.ts';
import type { ProcessRow } from '#core/contract/schemas.ts';
import type { PprofOptions } from '#core/contract/pprof.ts';
import { diagnostic, type Diagnostic } from '#core/model/diagnostics.ts';
import { formatValue } from '#core/units/format.ts';
import type { CaptureSink, Clock, Plan, PlanStep, Recording, RecordingOutcome } from '../collector.ts';
import { expectChosen } from '../chosen-process.ts';
import { AttachedRecording } from '../attached-recording.ts';
import { chunksOf } from '../live/chunks-of.ts';
import type { Ask } from '../recording-base.ts';
import { toFailure } from '../recording-failure.ts';
import { findProcess } from '../target/processes.ts';
import type { Target } from '../target/target.ts';
import { PprofFailure } from '../fetch/explain-failure.ts';
import { fetchBody, FETCH_LIMITS, type FetchLimits } from '../fetch/http-fetch.ts';
import { PPROF_RAW_FILE, sampledSeconds, STATES_FILE } from './plan.ts';
import { judgeProgram, UNKNOWN_PROGRAM } from './check-program.ts';
import { nameCode, type CodeNames } from './name-code.ts';
import { NAMED_FILE, readBackPprof } from './read-back.ts';
import { openRoute } from './route.ts';

/** Fetches the planned profiles. Failures are reported by the outcome. `limits` is overridden in tests. */
export function startPprof(
  target: Target,
  plan: Plan<PprofOptions>,
  sink: CaptureSink,
  clock: Clock,
  limits: FetchLimits = FETCH_LIMITS,
): Recording {
  return new PprofRecording(target, plan, sink, clock, limits);
}

class PprofRecording extends AttachedRecording<PprofOptions> {
  readonly #limits: FetchLimits;
  readonly #ending = new AbortController();
  /** Ends requests of profiles, and of names for what has arrived. */
  readonly #stopping = new AbortController();
  /** Seconds for which the server samples before it answers. */
  readonly #sampled: number;
  readonly #received = new Set<string>();
  /** The process that was asked for; null: none was, or it is unknown. */
  #asked: ProcessRow | null = null;

  constructor(target: Target, plan: Plan<PprofOptions>, sink: CaptureSink, clock: Clock, limits: FetchLimits) {
    super(target, plan, sink, clock, PPROF_RAW_FILE);
    this.#limits = limits;
    this.#sampled = sampledSeconds(plan);
  }

  /**
   * A profile that is arriving has a short time for its rest, because a part of it can't be read, and then for its
   * names. While the server samples nothing arrives: pprof sends a profile when its time is over.
   */
  protected override end(ask: Ask): void {
    if (ask === 'cancel') this.#ending.abort(new PprofFailure('cancelled', 'cancelled', null));
    else if (this.bytes === 0 && this.#sampled > 0) this.#stopping.abort(this.#stoppedEarly());
    else this.after(this.#limits.stopMs, () => this.#stopping.abort(this.#stoppedMidway()));
  }

  protected async record(): Promise<RecordingOutcome> {
    try {
      await this.#identify();
      await this.#fetchAll();
      return await this.#keep();
    } catch (error) {
      return this.refuse(error);
    }
  }

  /** Checks that the process is still the one that was found. */
  async #identify(): Promise<void> {
    const { scope } = this.plan.options;
    if (scope.kind !== 'pid') return;
    await expectChosen(this.target, scope);
    this.#asked = await findProcess(this.target, scope.pid);
  }

  /** Refuses the profile of another program. */
  #checkProgram(program: Parameters<typeof judgeProgram>[1]): void {
    if (this.plan.options.scope.kind !== 'pid') return;
    const judged = judgeProgram(this.#asked, program);
    if (judged === 'unknown') this.diagnostics.push(UNKNOWN_PROGRAM);
    else if (judged !== 'same') throw new PprofFailure(judged.code, judged.message, judged.remedy);
  }

  async #fetchAll(): Promise<void> {
    for (const [index, step] of this.plan.steps.entries()) {
      if (step.kind !== 'request' || step.method !== 'GET') continue;
      try {
        await this.#fetch(step, index === 0 ? PPROF_RAW_FILE : STATES_FILE);
      } catch (error) {
        // The profile has arrived.
        if (index === 0 || error !== this.#stopping.signal.reason) throw error;
        this.diagnostics.push(STATES_STOPPED);
      }
    }
    this.markEnd();
  }

  async #fetch(step: Extract<PlanStep, { kind: 'request' }>, file: string): Promise<void> {
    const signal = AbortSignal.any([this.#ending.signal, this.#stopping.signal]);
    signal.throwIfAborted();
    const route = await openRoute(this.target, step.url);
    try {
      await fetchBody({
        url: step.url,
        options: this.plan.options,
        seconds: file === PPROF_RAW_FILE ? this.#sampled : 0,
        signal,
        limits: this.#limits,
        ...(route.via === undefined ? {} : { via: route.via }),
        onSent: () => this.#beginRecording(),
        onChunk: async (chunk) => {
          this.bytes += chunk.length;
          this.#received.add(file);
          await this.sink.append(file, chunk);
        },
      });
    } finally {
      await route.close();
    }
  }

  #beginRecording(): void {
    if (this.startedAt !== null) return;
    if (this.#sampled > 0) this.messages.push(`the server samples for ${this.#sampled} s, then sends the profile`);
    this.markBegin(null);
  }

  async #keep(): Promise<RecordingOutcome> {
    const names = this.#nameCode();
    const { samples, rateHz, durationMs, quality, program, named } = await readBackPprof(
      this.sink,
      names.symbols,
    ).catch((error: unknown) => {
      if (error instanceof ImportFailure) throw this.#notProfile(error);
      throw error;
    });
    this.#checkProgram(program);
    this.samples = samples;
    const diagnostics = [
      ...this.diagnostics,
      ...(samples === 0 ? [emptyProfile(this.plan)] : []),
      ...names.diagnostics(),
    ];
    const files = named === null ? {} : await this.#keepNamed(named, diagnostics);
    return {
      ...this.facts(),
      ...files,
      state: this.ask === 'cancel' ? 'cancelled' : 'finished',
      ...(rateHz === null ? {} : { rateHz }),
      // Without seconds to sample, the request's time says nothing about the profile.
      durationMs: durationMs ?? (this.#sampled > 0 ? this.elapsedMs : null),
      quality,
      diagnostics,
    };
  }

  /** Resolves names while the service still runs, because its binaries may be replaced later. */
  #nameCode(): CodeNames {
    const { options, steps } = this.plan;
    const post = steps.find((step) => step.kind === 'request' && step.method === 'POST');
    return nameCode(this.target, {
      options,
      symbolUrl: post?.kind === 'request' ? post.url : null,
      signal: this.#ending.signal,
      stopped: this.#stopping.signal,
      limits: this.#limits,
      onMessage: (message) => this.messages.push(message),
    });
  }

  /** Keeps what the service sent, even if the file with names can't be written. */
  async #keepNamed(
    chunks: readonly Uint8Array[],
    diagnostics: Diagnostic[],
  ): Promise<Partial<Pick<RecordingOutcome, 'primaryFile' | 'otherFiles'>>> {
    try {
      await this.sink.replace(NAMED_FILE, chunksOf(chunks));
      return { primaryFile: NAMED_FILE, otherFiles: [PPROF_RAW_FILE, ...this.#otherFiles] };
    } catch (error) {
      const { message, remedy } = toFailure(error);
      const what = `Names of code could not be kept: ${message}.`;
      diagnostics.push(diagnostic('names-not-kept', what, { remedy }));
      return {};
    }
  }

  protected override facts() {
    return { ...super.facts(), otherFiles: this.#otherFiles };
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

  get #otherFiles(): string[] {
    return this.plan.otherFiles.filter((file) => this.#received.has(file));
  }

  get #url(): string {
    const [step] = this.plan.steps;
    return step?.kind === 'request' ? step.url : '';
  }

  #stoppedEarly(): PprofFailure {
    return new PprofFailure(
      'stopped-early',
      `stopped after ${(this.elapsedMs / 1000).toFixed(1)} of ${this.#sampled} s: the server sends the profile only at the end`,
      'let it finish, or record fewer seconds',
    );
  }

  #stoppedMidway(): PprofFailure {
    const arrived =
      this.bytes === 0
        ? 'nothing has arrived'
        : `the ${formatValue(this.bytes, 'bytes')} that arrived are not a profile`;
    return new PprofFailure(
      'stopped-midway',
      `stopped before ${this.#url} had sent the whole profile: ${arrived}`,
      'let it finish',
    );
  }
}

const STATES_STOPPED = diagnostic(
  'states-incomplete',
  'Stopped before all states of the goroutines had arrived; the profile is complete.',
);

/** Kinds that Go records only if the program enables them. */
const SWITCHES: Readonly<Record<string, string>> = {
  block: 'The program must call runtime.SetBlockProfileRate.',
  mutex: 'The program must call runtime.SetMutexProfileFraction.',
};

function emptyProfile({ event }: Pick<Plan<PprofOptions>, 'event'>): Diagnostic {
  return diagnostic('empty-profile', `The ${event ?? ''} profile has no samples.`, {
    remedy: SWITCHES[event ?? ''] ?? 'Record while the service works.',
  });
}
