import type { PerfOptions } from '#core/contract/schemas.ts';
import { commandsOf, type CaptureSink, type Plan } from '../collector.ts';
import { chunksOf } from '../live/chunks-of.ts';
import { readProcStat } from '../target/processes.ts';
import type { LaunchedProgram } from '../target/launched-program.ts';
import { isUnknown, type ProcessExit, type RunningProcess, type Target } from '../target/target.ts';
import { pidReused } from '../chosen-process.ts';
import { joinBytes } from '#core/model/join-bytes.ts';
import { createCpuMeter, type CpuMeter } from '../target/cpu-meter.ts';
import { PushedText, ScriptedText } from './first-text.ts';
import type { FlowEvents, FlowResult, PerfFlow, RecordedProcess } from './flow.ts';
import { textWithoutLauncher } from './launcher-samples.ts';
import { PERF_ENVIRONMENT } from './perf-environment.ts';
import { commandsFor, PERF_RAW_FILE, pingMs, takesPings, TEXT_FILE } from './plan.ts';
import { readProcessFacts } from './process-facts.ts';
import { scriptText } from './script-run.ts';
import { createTextAfterwards, createTextBeside, type ScriptText } from './script-text.ts';
import { readPerfStream, type PerfStreamReader } from './stream.ts';

const METER_MS = 400;
const ENABLE = new TextEncoder().encode('enable\n');
const PING = new TextEncoder().encode('ping\n');

/** Transfers perf's stream to this machine, stores it, and has `perf script` make its text. */
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
  readonly firstText: PushedText | ScriptedText | null;
  /** Ends the look at the first samples. */
  readonly #abort = new AbortController();
  #look: Promise<unknown> = Promise.resolve();
  readonly #timers = new Set<NodeJS.Timeout>();
  #record: RunningProcess | null = null;
  #meter: CpuMeter | null = null;
  #process: RecordedProcess | null = null;
  #program: LaunchedProgram | null = null;
  #ask: 'stop' | 'cancel' | null = null;
  #abandoned = false;
  #begun = false;

  constructor(target: Target, plan: Plan<PerfOptions>, sink: CaptureSink, events: FlowEvents) {
    this.#target = target;
    this.#plan = plan;
    this.#sink = sink;
    this.#events = events;
    this.#stream = readPerfStream([], (mapping) => this.#text.noteMapping(mapping));
    const commands = commandsOf(plan);
    const script = commands.at(-1) ?? [];
    const inject = commands.length > 2 ? commands[1]! : null;
    const isLocal = target.kind === 'local';
    if (plan.options.watched === true || (!isLocal && inject === null)) {
      const firstText = new PushedText();
      this.firstText = firstText;
      this.#text = createTextBeside(target, script, (chunk) => {
        firstText.push(chunk);
        return events.append(TEXT_FILE, chunk);
      });
    } else {
      const look = (stream: Uint8Array): Promise<Uint8Array | null> => (this.#look = this.#script(script, stream));
      this.firstText = isLocal && looksEarly(plan) ? new ScriptedText(look, () => this.#stream.counts.samples) : null;
      this.#text = createTextAfterwards(target, script, inject);
    }
  }

  async run(process: RecordedProcess | null, program: LaunchedProgram | null): Promise<ProcessExit> {
    this.#process = process;
    this.#program = program;
    const commands = commandsFor(this.#plan, program?.pid ?? null);
    const pings = takesPings(this.#plan);
    // perf starts first, so that other requests to the target do not delay it.
    const [{ record, messages, chunks }, meter] = await Promise.all([
      this.#startRecord(commands[0] ?? [], pings),
      createCpuMeter(this.#target, () => this.#targetPid(), {
        fromBirth: program !== null,
        children: () => this.#stream.children,
      }),
      this.#text.start(),
    ]);
    this.#meter = meter;
    if (pings && program !== null) void record.write(ENABLE).catch(() => {});
    if (pings) this.#every(pingMs(this.#plan.options), () => void record.write(PING).catch(() => {}));
    if (process !== null || program !== null) this.#every(METER_MS, () => this.#measure());
    if (this.#ask !== null) this.end(this.#ask);

    for await (const chunk of chunks) {
      if (!this.#begun) this.#begin();
      await this.#keep(this.#stream.push(chunk));
    }
    await this.#keep(this.#stream.finish());
    const exit = await record.exit;
    await messages;
    if (!this.#abandoned && this.#ask !== 'cancel' && !isUnknown(exit)) {
      await this.#text.finish(this.#sink, () => this.#jitMap());
    }
    return exit;
  }

  /** Returns the path of the recorded process's map; null if there is none. */
  async #jitMap(): Promise<string | null> {
    const facts = this.#process && (await readProcessFacts(this.#target, this.#process.pid).catch(() => null));
    const path = facts?.jitMap?.path ?? null;
    return path?.endsWith('.map') === true ? path : null;
  }

  /** Returns the text of the beginning of perf's stream; null if there is none. */
  async #script(argv: readonly string[], stream: Uint8Array): Promise<Uint8Array | null> {
    const printed: Uint8Array[] = [];
    const options = { signal: this.#abort.signal, isBackground: true };
    try {
      const text = scriptText(this.#target, argv, chunksOf([stream]), options);
      for await (const chunk of textWithoutLauncher(text)) printed.push(chunk.slice());
    } catch {
      return null;
    }
    return joinBytes(printed);
  }

  /** Reads both outputs from the start, because Node drops unread output of a process that has ended. */
  async #startRecord(argv: readonly string[], pings: boolean) {
    const record = await this.#target.run(argv, { env: PERF_ENVIRONMENT, input: pings });
    this.#record = record;
    return { record, messages: this.#events.readMessages(record.stderr), chunks: readEagerly(record.stdout) };
  }

  end(how: 'stop' | 'cancel'): void {
    this.#abort.abort();
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
    this.#abort.abort();
    this.#record?.kill('SIGTERM');
    await this.#text.kill();
    await this.#look;
    await this.#record?.exit;
  }

  get counts(): PerfStreamReader['counts'] {
    const { samples, ...counts } = this.#stream.counts;
    return { ...counts, samples: samples - this.#text.leftOut };
  }

  get attrs(): PerfStreamReader['attrs'] {
    return this.#stream.attrs;
  }

  get cpuSeconds(): CpuMeter['seconds'] {
    return this.#meter?.seconds ?? null;
  }

  get userSeconds(): CpuMeter['seconds'] {
    return this.#meter?.userSeconds ?? null;
  }

  result(): FlowResult {
    return {
      hasText: this.#text.isThere,
      scriptFailure: this.#text.failure,
      unresolvedMaps: this.#text.unresolvedMaps,
      isTorn: false,
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

  /** Checks again, because the process may have been replaced between the PID check and perf's start. */
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
    await this.#events.append(PERF_RAW_FILE, chunk);
    this.#text.push(chunk);
    if (this.firstText instanceof ScriptedText) this.firstText.push(chunk);
  }

  #measure(): void {
    if (this.#begun && this.#ask === null) void this.#meter?.read();
  }

  #targetPid(): Promise<number | null> {
    const { scope } = this.#plan.options;
    if (scope.kind === 'pid') return Promise.resolve(scope.pid);
    return Promise.resolve(this.#program?.pid ?? null);
  }

  #every(ms: number, action: () => void): void {
    this.#timers.add(setInterval(action, ms));
  }
}

/** Resolving a whole system's first second takes seconds of CPU time, and few users would restart the recording. */
const looksEarly = ({ options: { scope }, fallback }: Plan<PerfOptions>): boolean =>
  scope.kind === 'pid' || scope.kind === 'command' || fallback !== undefined;

/** Asks for the first chunk at once. */
function readEagerly(output: RunningProcess['stdout']): AsyncIterable<Uint8Array> {
  const chunks = output[Symbol.asyncIterator]();
  const first = chunks.next();
  async function* read(): AsyncGenerator<Uint8Array> {
    for (let next = await first; next.done !== true; next = await chunks.next()) yield next.value;
  }
  return read();
}
