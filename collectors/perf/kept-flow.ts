import type { PerfOptions } from '#core/contract/schemas.ts';
import { commandsOf, type CaptureSink, type Plan } from '../collector.ts';
import { readProcStat } from '../target/processes.ts';
import { secretsOf } from '../target/redact-argv.ts';
import type { ProcessExit, RunningProcess, Target } from '../target/target.ts';
import { isUnknown, pidReused, type FlowEvents, type FlowResult, type PerfFlow } from './flow.ts';
import { PERF_ENVIRONMENT } from './perf-environment.ts';
import { PING_MS, RAW_FILE, takesPings, TEXT_FILE } from './plan.ts';
import { createCpuMeter, findChild, type CpuMeter, type ProcessFacts } from './process-facts.ts';
import { createScriptText, type ScriptText } from './script-text.ts';
import { readPerfStream, type PerfStreamReader } from './stream.ts';

const METER_MS = 400;
/** A grandchild of the launched command may hold stderr open; what it prints is not waited for. */
const STDERR_GRACE_MS = 500;
const PING = new TextEncoder().encode('ping\n');

/** perf's stream comes here, is kept, and goes on to `perf script`. */
export function createKeptFlow(
  target: Target,
  plan: Plan<PerfOptions>,
  sink: CaptureSink,
  events: FlowEvents,
): PerfFlow {
  return new KeptFlow(target, plan, sink, events);
}

class KeptFlow implements PerfFlow {
  readonly #target: Target;
  readonly #plan: Plan<PerfOptions>;
  readonly #sink: CaptureSink;
  readonly #events: FlowEvents;
  readonly #stream: PerfStreamReader;
  readonly #text: ScriptText;
  readonly #timers = new Set<NodeJS.Timeout>();
  #record: RunningProcess | null = null;
  #meter: CpuMeter | null = null;
  #process: ProcessFacts | null = null;
  #ask: 'stop' | 'cancel' | null = null;
  #abandoned = false;
  #begun = false;

  constructor(target: Target, plan: Plan<PerfOptions>, sink: CaptureSink, events: FlowEvents) {
    const { scope } = plan.options;
    this.#target = target;
    this.#plan = plan;
    this.#sink = sink;
    this.#events = events;
    this.#stream = readPerfStream(scope.kind === 'command' ? secretsOf(scope.argv) : []);
    this.#text = createScriptText(target, commandsOf(plan)[1] ?? [], (chunk) => events.append(TEXT_FILE, chunk));
  }

  async run(process: ProcessFacts | null): Promise<ProcessExit> {
    this.#process = process;
    const { options } = this.#plan;
    const commands = commandsOf(this.#plan);
    const pings = takesPings(this.#plan);
    this.#meter = await createCpuMeter(this.#target, () => this.#targetPid(), {
      fromBirth: options.scope.kind === 'command',
    });
    await this.#text.start();
    const record = await this.#target.run(commands[0] ?? [], { env: PERF_ENVIRONMENT, input: pings });
    this.#record = record;
    const messages = this.#events.readMessages(record.stderr);
    if (pings) this.#every(PING_MS, () => void record.write(PING).catch(() => {}));
    this.#every(METER_MS, () => this.#measure());
    if (this.#ask !== null) this.end(this.#ask);

    for await (const chunk of record.stdout) {
      if (!this.#begun) this.#begin();
      await this.#keep(this.#stream.push(chunk));
    }
    await this.#keep(this.#stream.finish());
    const exit = await record.exit;
    await Promise.race([messages, new Promise((resolve) => setTimeout(resolve, STDERR_GRACE_MS))]);
    if (!this.#abandoned && this.#ask !== 'cancel' && !isUnknown(exit)) {
      await this.#text.finish(this.#sink, process?.jitMap?.path ?? null);
    }
    return exit;
  }

  end(how: 'stop' | 'cancel'): void {
    if (this.#ask === null) this.#measure();
    this.#ask = how;
    this.#record?.kill(how === 'stop' ? 'SIGINT' : 'SIGTERM');
    if (how === 'cancel') void this.#text.kill();
  }

  force(): boolean {
    if (this.#record === null || this.#text.finishing) return false;
    this.#record.kill('SIGKILL');
    return true;
  }

  abandon(): void {
    this.#abandoned = true;
    void this.#text.kill();
    this.#record?.kill('SIGINT');
  }

  async dispose(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    // What the launched command left running.
    this.#record?.kill('SIGTERM');
    await this.#text.kill();
    await this.#record?.exit;
  }

  get counts(): PerfStreamReader['counts'] {
    return this.#stream.counts;
  }

  result(): FlowResult {
    return {
      attrs: this.#stream.attrs,
      scriptFailure: this.#text.failure,
      cpuSeconds: this.#meter?.seconds ?? null,
      targetEnded: null,
      durationMs: null,
    };
  }

  #begin(): void {
    this.#begun = true;
    this.#events.begin();
    void this.#meter?.read();
    void this.#confirmIdentity();
  }

  /** Between the look at the PID and perf's, the process may have been replaced. */
  async #confirmIdentity(): Promise<void> {
    if (this.#process === null) return;
    const { pid, startTicks } = this.#process;
    const stat = await readProcStat(this.#target, pid).catch(() => null);
    if (stat === null || stat.startTicks === startTicks) return;
    this.#events.refuse(pidReused(pid));
    this.#record?.kill('SIGKILL');
  }

  async #keep(chunk: Uint8Array): Promise<void> {
    if (chunk.length === 0 || this.#ask === 'cancel') return;
    await this.#events.append(RAW_FILE, chunk);
    this.#text.push(chunk);
  }

  #measure(): void {
    if (this.#begun && this.#ask === null) void this.#meter?.read();
  }

  #targetPid(): Promise<number | null> {
    const { scope } = this.#plan.options;
    if (scope.kind === 'pid') return Promise.resolve(scope.pid);
    return scope.kind === 'command' && this.#record !== null
      ? findChild(this.#target, this.#record.pid)
      : Promise.resolve(null);
  }

  #every(ms: number, action: () => void): void {
    this.#timers.add(setInterval(action, ms));
  }
}
