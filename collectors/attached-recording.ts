import { setTimeout as sleep } from 'node:timers/promises';
import type { CollectorOptions } from '#core/contract/schemas.ts';
import type { Diagnostic } from '#core/model/diagnostics.ts';
import { NO_OUTCOME, type CaptureSink, type Clock, type Plan, type RecordingOutcome } from './collector.ts';
import { RecordingBase, type Ask } from './recording-base.ts';
import { RefusedRecording, toFailure } from './recording-failure.ts';
import { discardOutput } from './target/discard-output.ts';
import { readProcStat } from './target/processes.ts';
import type { RunningProcess, Target } from './target/target.ts';
import { readBackProfile } from './trace-read-back.ts';

/** Time between two looks at whether the process still runs. */
const LIFE_MS = 1000;

interface AttachedProcess {
  readonly pid: number;
  readonly startTicks: string;
}

/** A recording by a running process or service of itself: its data arrive at the end. */
export abstract class AttachedRecording<
  Options extends CollectorOptions,
  P extends Plan<Options> = Plan<Options>,
> extends RecordingBase {
  protected readonly target: Target;
  protected readonly plan: P;
  protected readonly sink: CaptureSink;
  protected readonly file: string;
  protected readonly messages: string[] = [];
  protected readonly diagnostics: Diagnostic[] = [];
  protected bytes = 0;
  protected samples = 0;
  readonly #ending = new AbortController();

  constructor(target: Target, plan: P, sink: CaptureSink, clock: Clock, file: string) {
    super(clock);
    this.target = target;
    this.plan = plan;
    this.sink = sink;
    this.file = file;
  }

  protected end(_ask: Ask): void {
    this.#ending.abort();
  }

  /** Returns what was asked for by now. */
  protected asked(): Ask | null {
    return this.ask;
  }

  /** Starts a command that runs during the recording, whose output says nothing. */
  protected async startGuard(argv: readonly string[], input: boolean): Promise<RunningProcess> {
    const guard = await this.target.run(argv, { input });
    void discardOutput(guard.stdout);
    void discardOutput(guard.stderr);
    return guard;
  }

  /** Waits for the end that was asked for. Throws if the process, or the way to it, ends before. */
  protected async waitForEnd(process: AttachedProcess, guard: RunningProcess | null): Promise<void> {
    const { signal } = this.#ending;
    let isGuardGone = false;
    void guard?.exit.then(() => (isGuardGone = true));
    while (!signal.aborted) {
      await sleep(LIFE_MS, undefined, { signal }).catch(() => undefined);
      if (isGuardGone)
        throw new RefusedRecording('connection-lost', 'the connection to the target ended; the samples are lost', null);
      await this.expectAlive(process);
    }
  }

  /** Throws if the process has ended. */
  protected async expectAlive({ pid, startTicks }: AttachedProcess): Promise<void> {
    const stat = await readProcStat(this.target, pid);
    if (stat?.startTicks === startTicks && stat.state !== 'Z') return;
    throw new RefusedRecording(
      'process-ended',
      `process ${pid} ended; its samples, which it held until the end, are lost`,
      'record fewer --seconds',
    );
  }

  protected async append(bytes: Uint8Array): Promise<void> {
    await this.sink.append(this.file, bytes);
    this.bytes += bytes.length;
  }

  /** Reads back what was appended. */
  protected async keep(): Promise<RecordingOutcome> {
    const { samples, event, durationMs, quality, diagnostics } = await readBackProfile(this.sink, this.file);
    this.samples = samples;
    return {
      ...this.facts(),
      event: event ?? this.plan.event,
      state: this.asked() === 'cancel' ? 'cancelled' : 'finished',
      durationMs: durationMs ?? this.elapsedMs,
      quality,
      diagnostics: [...this.diagnostics, ...diagnostics],
    };
  }

  /** Returns the outcome without data: of a cancelled recording if `error` is null. */
  protected refuse(error: unknown): RecordingOutcome {
    const isCancelled = this.asked() === 'cancel';
    return {
      ...this.facts(),
      state: isCancelled ? 'cancelled' : 'failed',
      durationMs: this.elapsedMs,
      diagnostics: this.diagnostics,
      error: isCancelled ? null : toFailure(error),
    };
  }

  protected facts() {
    return {
      ...NO_OUTCOME,
      primaryFile: this.file,
      samples: this.samples,
      startedAt: this.startedAt,
      event: this.plan.event,
    };
  }

  protected counts() {
    return { samples: this.samples, lost: 0, bytes: this.bytes, messages: [...this.messages] };
  }
}
