import type { PerfOptions } from '#core/contract/schemas.ts';
import { commandsOf, type Plan } from '../collector.ts';
import { startPipeline, type Measured, type PipelineEnd, type RunningPipeline } from '../target/pipeline.ts';
import type { ProcessExit, Target } from '../target/target.ts';
import { noSuchProcess, pidReused, type FlowEvents, type FlowResult, type PerfFlow } from './flow.ts';
import { PERF_ENVIRONMENT } from './perf-environment.ts';
import { takesPings, TEXT_FILE } from './plan.ts';
import type { ProcessFacts } from './process-facts.ts';
import { readScriptStats, type ScriptStats } from './script-stats.ts';
import { attrOfEvent, type PerfStreamCounts } from './stream.ts';
import { createWholeSamples } from './whole-samples.ts';

/** perf's stream stays on the target, where `perf script` makes it text: only that comes here. */
export function createPipedFlow(target: Target, plan: Plan<PerfOptions>, events: FlowEvents): PerfFlow {
  return new PipedFlow(target, plan, events);
}

class PipedFlow implements PerfFlow {
  readonly #target: Target;
  readonly #plan: Plan<PerfOptions>;
  readonly #events: FlowEvents;
  readonly #reader = readScriptStats();
  /** Of the start, which may wait for a password. */
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

  async run(process: ProcessFacts | null): Promise<ProcessExit | null> {
    const pipeline = await this.#start(process);
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

  /** Null where it was ended while sudo waited for a password. */
  async #start(process: ProcessFacts | null): Promise<RunningPipeline | null> {
    const { sudo } = this.#plan;
    const target = sudo === null ? this.#target : this.#target.root;
    if (target === undefined) throw new Error('nothing runs as root here');
    const measured = this.#measured(process);
    const options = { env: PERF_ENVIRONMENT, signal: this.#abort.signal, measured, pings: takesPings(this.#plan) };
    return startPipeline(target, commandsOf(this.#plan), options).catch((error: unknown) => {
      if (this.#abort.signal.aborted) return null;
      throw error;
    });
  }

  async #append(chunk: Uint8Array): Promise<void> {
    if (chunk.length === 0) return;
    this.#reader.push(chunk);
    await this.#events.append(TEXT_FILE, chunk);
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
    if (this.#ask === 'stop') this.#pipeline.endFirst('SIGKILL');
    else this.#pipeline.kill('SIGKILL');
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

  result(): FlowResult {
    const stats = (this.#stats ??= this.#reader.finish());
    const { times, event } = stats;
    const seconds = this.#end?.seconds ?? (times === null ? null : times.last - times.first);
    return {
      attrs: event === null ? [] : [attrOfEvent(event)],
      scriptFailure: this.#scriptFailure(),
      cpuSeconds: this.#end?.cpuSeconds ?? null,
      targetEnded: this.#targetEnded(),
      durationMs: seconds === null ? null : seconds * 1000,
    };
  }

  /** perf ends with its process, a moment before that is gone. */
  #targetEnded(): boolean | null {
    if (this.#end?.measuredEnded === true) return true;
    return this.#ask === null ? null : false;
  }

  #scriptFailure(): string | null {
    const exit = this.#end?.exits[1] ?? null;
    if (exit === null || exit.code === 0) return null;
    return exit.signal === null ? `exit code ${exit.code}` : `killed by ${exit.signal}`;
  }

  #measured(process: ProcessFacts | null): Measured | null {
    if (process !== null) return { kind: 'process', pid: process.pid, startTicks: process.startTicks };
    return this.#plan.options.scope.kind === 'command' ? { kind: 'child' } : null;
  }
}
