import type { PerfOptions } from '#core/contract/schemas.ts';
import type { CaptureSink, Clock, Plan, Recording, RecordingOutcome, RecordingProgress } from '../collector.ts';
import { readProcStat } from '../target/processes.ts';
import { secretsOf } from '../target/redact-argv.ts';
import { SpawnFailure, type ProcessExit, type RunningProcess, type Target } from '../target/target.ts';
import { isSubstituted, judgeRecording } from './data-quality.ts';
import { describeEnding } from './ending.ts';
import type { PerfFailure } from './explain-failure.ts';
import { createMessageLog } from './message-log.ts';
import { PERF_ENVIRONMENT } from './perf-environment.ts';
import { PING_MS, RAW_FILE, takesPings, TEXT_FILE } from './plan.ts';
import { createCpuMeter, findChild, readProcessFacts, type CpuMeter, type ProcessFacts } from './process-facts.ts';
import { createScriptText, type ScriptText } from './script-text.ts';
import { readPerfStream, type PerfStreamReader } from './stream.ts';

const PROGRESS_MS = 400;
/** perf and the launched command may take this long to end once asked; then they are killed. What has reached us stays. */
const STOP_GRACE_MS = 8000;
const CANCEL_GRACE_MS = 1000;
/** A grandchild of the launched command may hold stderr open; what it prints is not waited for. */
const STDERR_GRACE_MS = 500;

/** Starts `perf record` and `perf script` as planned. What goes wrong, also at the start, is told by the outcome. */
export function startPerf(target: Target, plan: Plan<PerfOptions>, sink: CaptureSink, clock: Clock): Recording {
  return new PerfRecording(target, plan, sink, clock);
}

class PerfRecording implements Recording {
  readonly outcome: Promise<RecordingOutcome>;
  readonly #target: Target;
  readonly #plan: Plan<PerfOptions>;
  readonly #sink: CaptureSink;
  readonly #clock: Clock;
  readonly #listeners = new Set<(progress: RecordingProgress) => void>();
  readonly #stream: PerfStreamReader;
  readonly #text: ScriptText;
  readonly #log = createMessageLog();
  readonly #timers = new Set<NodeJS.Timeout>();

  #state: RecordingProgress['state'] = 'preparing';
  #ask: 'stop' | 'cancel' | null = null;
  #forced = false;
  #record: RunningProcess | null = null;
  #meter: CpuMeter | null = null;
  #process: ProcessFacts | null = null;
  #startedAt: number | null = null;
  /** Milliseconds of the monotonic clock. */
  #begin = 0;
  #end: number | null = null;
  /** Why nothing more is kept: a full disk. */
  #storageFailure: PerfFailure | null = null;
  /** Why the recording must not be kept. */
  #refusal: PerfFailure | null = null;

  constructor(target: Target, plan: Plan<PerfOptions>, sink: CaptureSink, clock: Clock) {
    const { scope } = plan.options;
    this.#target = target;
    this.#plan = plan;
    this.#sink = sink;
    this.#clock = clock;
    this.#stream = readPerfStream(scope.kind === 'command' ? secretsOf(scope.argv) : []);
    this.#text = createScriptText(target, plan.commands[1] ?? [], (chunk) => this.#append(TEXT_FILE, chunk));
    this.outcome = this.#run();
  }

  onProgress(listener: (progress: RecordingProgress) => void): void {
    this.#listeners.add(listener);
    listener(this.#progress());
  }

  async stop(): Promise<void> {
    this.#askToEnd('stop');
    await this.outcome;
  }

  async cancel(): Promise<void> {
    this.#askToEnd('cancel');
    await this.outcome;
  }

  async #run(): Promise<RecordingOutcome> {
    let exit: ProcessExit | null = null;
    try {
      await this.#identify();
      if (this.#refusal === null && this.#ask === null) exit = await this.#recordToEnd();
    } catch (error) {
      this.#refusal ??= toFailure(error);
    } finally {
      for (const timer of this.#timers) clearInterval(timer);
      // What the launched command left running.
      this.#record?.kill('SIGTERM');
      await this.#text.kill();
      await this.#record?.exit;
    }
    const outcome = await this.#conclude(exit);
    this.#setState(outcome.state);
    this.#listeners.clear();
    return outcome;
  }

  /** Makes sure that the PID still is the process that was picked. */
  async #identify(): Promise<void> {
    const { scope } = this.#plan.options;
    if (scope.kind !== 'pid') return;
    this.#process = await readProcessFacts(this.#target, scope.pid);
    if (this.#process === null) this.#refusal = noSuchProcess(scope.pid);
    else if (scope.startTicks !== null && scope.startTicks !== this.#process.startTicks) {
      this.#refusal = pidReused(scope.pid);
    }
  }

  async #recordToEnd(): Promise<ProcessExit> {
    const { commands, options } = this.#plan;
    const pings = takesPings(this.#plan);
    this.#meter = await createCpuMeter(this.#target, () => this.#targetPid(), {
      fromBirth: options.scope.kind === 'command',
    });
    await this.#text.start();
    const record = await this.#target.run(commands[0] ?? [], { env: PERF_ENVIRONMENT, input: pings });
    this.#record = record;
    const messages = this.#log.read(record.stderr);
    if (pings) this.#every(PING_MS, () => void record.write(PING).catch(() => {}));
    this.#every(PROGRESS_MS, () => this.#tick());
    if (this.#ask !== null) this.#signalEnd(this.#ask);

    for await (const chunk of record.stdout) {
      if (this.#startedAt === null) this.#beginRecording();
      await this.#keep(this.#stream.push(chunk));
    }
    await this.#keep(this.#stream.finish());
    const exit = await record.exit;
    this.#end ??= this.#clock.monotonic();
    await Promise.race([messages, delay(STDERR_GRACE_MS)]);
    this.#setState('stopping');
    if (this.#storageFailure === null && this.#ask !== 'cancel') {
      await this.#text.finish(this.#sink, this.#process?.jitMap?.path ?? null);
    }
    return exit;
  }

  #beginRecording(): void {
    const { scope, seconds } = this.#plan.options;
    this.#startedAt = this.#clock.now();
    this.#begin = this.#clock.monotonic();
    if (this.#state === 'preparing') this.#setState('recording');
    void this.#meter?.read();
    if (scope.kind === 'pid') void this.#confirmIdentity(scope.pid);
    if (seconds !== null) this.#after(seconds * 1000, () => this.#askToEnd('stop'));
  }

  /** Between the look at the PID and perf's, the process may have been replaced. */
  async #confirmIdentity(pid: number): Promise<void> {
    const stat = await readProcStat(this.#target, pid).catch(() => null);
    if (stat === null || stat.startTicks === this.#process?.startTicks) return;
    this.#refusal = pidReused(pid);
    this.#record?.kill('SIGKILL');
  }

  async #keep(chunk: Uint8Array): Promise<void> {
    if (chunk.length === 0 || this.#ask === 'cancel') return;
    await this.#append(RAW_FILE, chunk);
    this.#text.push(chunk);
  }

  /** After a failure nothing more is written: a file with a hole in it would be worse than a shorter one. */
  async #append(fileName: string, chunk: Uint8Array): Promise<void> {
    if (this.#storageFailure !== null || this.#ask === 'cancel') return;
    try {
      await this.#sink.append(fileName, chunk);
    } catch (error) {
      this.#storageFailure ??= toFailure(error);
      void this.#text.kill();
      this.#record?.kill('SIGINT');
    }
  }

  #askToEnd(ask: 'stop' | 'cancel'): void {
    if (this.#ask === ask || this.#ask === 'cancel' || isFinal(this.#state)) return;
    this.#ask = ask;
    this.#end ??= this.#clock.monotonic();
    void this.#meter?.read();
    this.#setState('stopping');
    this.#signalEnd(ask);
  }

  #signalEnd(ask: 'stop' | 'cancel'): void {
    this.#record?.kill(ask === 'stop' ? 'SIGINT' : 'SIGTERM');
    if (ask === 'cancel') void this.#text.kill();
    this.#after(ask === 'stop' ? STOP_GRACE_MS : CANCEL_GRACE_MS, () => {
      if (this.#record === null || this.#text.finishing) return;
      this.#forced = true;
      this.#record.kill('SIGKILL');
    });
  }

  async #conclude(exit: ProcessExit | null): Promise<RecordingOutcome> {
    const { options, event } = this.#plan;
    const { samples, lost, bytes } = this.#stream.counts;
    const stats = this.#text.stats();
    const durationMs = this.#startedAt === null ? 0 : (this.#end ?? this.#begin) - this.#begin;
    const now =
      this.#process === null ? null : await readProcessFacts(this.#target, this.#process.pid).catch(() => null);
    const ending = describeEnding({
      scope: options.scope,
      ask: this.#ask,
      forced: this.#forced,
      refusal: this.#refusal,
      storageFailure: this.#storageFailure,
      exit,
      stderr: this.#log.text,
      lastMessage: this.#log.lines.at(-1) ?? null,
      samples,
      bytes,
      scriptFailure: this.#text.failure,
      targetEnded: this.#process !== null && now?.startTicks !== this.#process.startTicks,
      durationMs,
    });
    const facts = { options, event, attrs: this.#stream.attrs, samples, lost, stats };
    const process = now?.startTicks === this.#process?.startTicks ? now : this.#process;
    return {
      ...ending,
      diagnostics: ending.state === 'finished' ? [...ending.diagnostics, ...judgeRecording({ ...facts, process })] : [],
      primaryFile: TEXT_FILE,
      otherFiles: [RAW_FILE],
      exit,
      samples,
      lost,
      startedAt: this.#startedAt,
      durationMs,
      event: isSubstituted(facts) ? 'cpu-clock' : event,
      cpuSeconds: this.#meter?.seconds ?? null,
    };
  }

  #targetPid(): Promise<number | null> {
    const { scope } = this.#plan.options;
    if (scope.kind === 'pid') return Promise.resolve(scope.pid);
    return scope.kind === 'command' && this.#record !== null
      ? findChild(this.#target, this.#record.pid)
      : Promise.resolve(null);
  }

  #tick(): void {
    if (this.#state === 'recording') void this.#meter?.read();
    this.#announce();
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

  #progress(): RecordingProgress {
    const { samples, lost, bytes } = this.#stream.counts;
    const elapsedMs = this.#startedAt === null ? 0 : (this.#end ?? this.#clock.monotonic()) - this.#begin;
    return { state: this.#state, elapsedMs, samples, lost, bytes, messages: [...this.#log.lines] };
  }

  #every(ms: number, action: () => void): void {
    this.#timers.add(setInterval(action, ms));
  }

  #after(ms: number, action: () => void): void {
    this.#timers.add(setTimeout(action, ms));
  }
}

const PING = new TextEncoder().encode('ping\n');

const isFinal = (state: RecordingProgress['state']): boolean =>
  state === 'finished' || state === 'failed' || state === 'cancelled';

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const noSuchProcess = (pid: number): PerfFailure => ({
  code: 'no-such-process',
  message: `there is no process ${pid}`,
  remedy: 'pick a running one: it may have ended or been restarted',
});

const pidReused = (pid: number): PerfFailure => ({
  code: 'pid-reused',
  message: `process ${pid} is another one than the one that was picked`,
  remedy: 'pick it again from the list',
});

/** Errors of a sink may carry a code and a remedy; see {@link CaptureSink}. */
function toFailure(error: unknown): PerfFailure {
  if (!(error instanceof Error)) return { code: 'internal', message: String(error), remedy: null };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'internal';
  const remedy = 'remedy' in error && typeof error.remedy === 'string' ? error.remedy : null;
  if (error instanceof SpawnFailure && code === 'ENOENT') {
    return { code: 'perf-missing', message: error.message, remedy: 'install perf; flamebench doctor says how' };
  }
  if (code === 'ENOSPC') return { code: 'disk-full', message: 'the disk is full', remedy: remedy ?? 'free some space' };
  return { code, message: error.message, remedy };
}
