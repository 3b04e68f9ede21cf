import type { PerfOptions } from '#core/contract/schemas.ts';
import type { Plan } from '../collector.ts';
import { startPipeline, type PipelineEnd, type RunningPipeline } from '../target/pipeline.ts';
import type { CpuSeconds } from '../target/cpu-meter.ts';
import type { LaunchedProgram } from '../target/launched-program.ts';
import { describeExit, type ProcessExit, runnerOf, type Target } from '../target/target.ts';
import { noSuchProcess, pidReused } from '../chosen-process.ts';
import { PushedText } from './first-text.ts';
import type { FlowEvents, FlowResult, PerfFlow, RecordedProcess } from './flow.ts';
import { withoutLauncher } from './launcher-samples.ts';
import { PERF_ENVIRONMENT } from './perf-environment.ts';
import { commandsFor, takesPings, TEXT_FILE } from './plan.ts';
import { readScriptStats, type ScriptStats } from './script-stats.ts';
import { attrOfEvent, type PerfAttr, type PerfStreamCounts } from './stream.ts';
import { createWholeSamples } from './whole-samples.ts';

/** Keeps perf's stream on the target, where `perf script` converts it to text; only the text is transferred. */
export function createPipedFlow(target: Target, plan: Plan<PerfOptions>, events: FlowEvents): PerfFlow {
  return new PipedFlow(target, plan, events);
}

class PipedFlow implements PerfFlow {
  readonly #target: Target;
  readonly #plan: Plan<PerfOptions>;
  readonly #events: FlowEvents;
  readonly #reader = readScriptStats();
  readonly #launcher = withoutLauncher();
  readonly firstText = new PushedText();
  #isLaunched = false;
  #isForced = false;
  /** Aborts the start, which may wait for a password. */
  readonly #abort = new AbortController();
  #pipeline: RunningPipeline | null = null;
  #end: PipelineEnd | null = null;
  #stats: ScriptStats | null = null;
  #ask: 'stop' | 'cancel' | null = null;

  constructor(target: Target, plan: Plan<PerfOptions>, events: FlowEvents) {
    this.#target = target;
    this.#plan = plan;
    this.#events = events;
  }

  async run(process: RecordedProcess | null, program: LaunchedProgram | null): Promise<ProcessExit | null> {
    this.#isLaunched = program !== null;
    const pipeline = await this.#start(process ?? program, program?.pid ?? null);
    if (pipeline === null) return null;
    this.#pipeline = pipeline;
    void pipeline.begun.then(() => this.#events.begin());
    const messages = this.#events.readMessages(pipeline.stderr);
    if (this.#ask !== null) this.end(this.#ask);
    const samples = createWholeSamples();
    for await (const chunk of pipeline.stdout) await this.#append(samples.push(chunk));
    await messages;
    this.#end = await pipeline.end;
    if (this.#end.exits[1]?.code === 0) await this.#append(samples.rest());
    if (process !== null && this.#end.identity !== 'same') {
      this.#events.refuse(this.#end.identity === 'gone' ? noSuchProcess(process.pid) : pidReused(process.pid));
    }
    return this.#end.exits[0] ?? this.#end.exit;
  }

  /** Returns null if it was ended while sudo waited for a password. */
  async #start(measured: RecordedProcess | null, launchedPid: number | null): Promise<RunningPipeline | null> {
    const runner = runnerOf(this.#target, this.#plan.sudo);
    const options = { env: PERF_ENVIRONMENT, signal: this.#abort.signal, measured, pings: takesPings(this.#plan) };
    return startPipeline(runner, commandsFor(this.#plan, launchedPid), options).catch((error: unknown) => {
      if (this.#abort.signal.aborted) return null;
      throw error;
    });
  }

  async #append(chunk: Uint8Array): Promise<void> {
    const text = this.#launcher.push(chunk);
    if (text.length === 0) return;
    this.#reader.push(text);
    this.firstText.push(text);
    await this.#events.append(TEXT_FILE, text);
  }

  end(how: 'stop' | 'cancel'): void {
    this.#ask = how;
    if (this.#pipeline === null) {
      if (this.#plan.sudo !== null) this.#abort.abort();
    } else if (how === 'stop') this.#pipeline.endFirst('SIGINT');
    else this.#pipeline.kill('SIGTERM');
  }

  force(): boolean {
    if (this.#pipeline === null || this.#end !== null) return false;
    // perf script may need longer than perf, to read the names in large binaries.
    if (this.#ask === 'stop' && this.#pipeline.hasFirstEnded) return false;
    // The process that passes requests to the first stage may have been killed, so the second request kills everything.
    if (this.#ask === 'stop' && !this.#isForced) this.#pipeline.endFirst('SIGKILL');
    else this.#pipeline.kill('SIGKILL');
    this.#isForced = true;
    return true;
  }

  abandon(): void {
    this.#pipeline?.kill('SIGTERM');
  }

  async dispose(): Promise<void> {
    if (this.#end === null) this.#pipeline?.kill('SIGTERM');
    await this.#pipeline?.ended;
  }

  get counts(): PerfStreamCounts {
    return this.#reader.counts;
  }

  get attrs(): readonly PerfAttr[] {
    const event = this.#stats?.event ?? null;
    return event === null ? [] : [attrOfEvent(event)];
  }

  get cpuSeconds(): CpuSeconds | null {
    return this.#sinceBirth(this.#end?.cpuSeconds);
  }

  get userSeconds(): CpuSeconds | null {
    return this.#sinceBirth(this.#end?.userSeconds);
  }

  #sinceBirth(read: CpuSeconds | null = null): CpuSeconds | null {
    return read !== null && this.#isLaunched ? { ...read, start: 0 } : read;
  }

  result(): FlowResult {
    const stats = (this.#stats ??= this.#reader.finish());
    const { times } = stats;
    const seconds = this.#end?.seconds ?? (times === null ? null : times.last - times.first);
    return {
      hasText: true,
      scriptFailure: this.#scriptFailure(),
      unresolvedMaps: stats.unresolvedMaps,
      isTorn: this.#end?.isTorn ?? false,
      targetEnded: this.#targetEnded(),
      // A launched program is held back while perf begins.
      durationMs: seconds === null || this.#isLaunched ? null : seconds * 1000,
    };
  }

  /** perf ends with its process, slightly before the process is gone. */
  #targetEnded(): boolean | null {
    if (this.#end?.measuredEnded === true) return true;
    return this.#ask === null ? null : false;
  }

  #scriptFailure(): string | null {
    const exit = this.#end?.exits[1] ?? null;
    return exit === null || exit.code === 0 ? null : describeExit(exit);
  }
}
