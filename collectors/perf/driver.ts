import type { PerfOptions } from '#core/contract/schemas.ts';
import type {
  CaptureSink,
  Clock,
  Plan,
  Recording,
  RecordingFinding,
  RecordingOutcome,
  RecordingProgress,
} from '../collector.ts';
import { SpawnFailure, type ProcessExit, type Target } from '../target/target.ts';
import { isSubstituted, judgeRecording } from './data-quality.ts';
import { describeEnding } from './ending.ts';
import type { PerfFailure } from './explain-failure.ts';
import { isUnknown, noSuchProcess, pidReused, type PerfFlow } from './flow.ts';
import { createKeptFlow } from './kept-flow.ts';
import { createMessageLog } from './message-log.ts';
import { createPipedFlow } from './piped-flow.ts';
import { countsLost, TEXT_FILE } from './plan.ts';
import { readBack, type ReadBack } from './read-back.ts';
import { createStackProbe, PROBE_MS, type StackProbe } from './stack-probe.ts';
import { readProcessFacts, type ProcessFacts } from './process-facts.ts';

const PROGRESS_MS = 400;
/** perf and the launched command may take this long to end once asked; then they are killed. What has reached us stays. */
const STOP_GRACE_MS = 8000;
const CANCEL_GRACE_MS = 1000;

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
  readonly #flow: PerfFlow;
  readonly #probe: StackProbe;
  #finding: RecordingFinding | null = null;
  readonly #log = createMessageLog();
  readonly #timers = new Set<NodeJS.Timeout>();

  #state: RecordingProgress['state'] = 'preparing';
  #ask: 'stop' | 'cancel' | null = null;
  #forced = false;
  #process: ProcessFacts | null = null;
  #startedAt: number | null = null;
  /** Milliseconds of the monotonic clock. */
  #begin = 0;
  #end: number | null = null;
  #hasStored = false;
  /** Why nothing more is kept: a full disk. */
  #storageFailure: PerfFailure | null = null;
  /** Why the recording must not be kept. */
  #refusal: PerfFailure | null = null;

  constructor(target: Target, plan: Plan<PerfOptions>, sink: CaptureSink, clock: Clock) {
    this.#target = target;
    this.#plan = plan;
    this.#sink = sink;
    this.#clock = clock;
    this.#probe = createStackProbe(plan.options);
    const events = {
      begin: () => this.#beginRecording(),
      append: (fileName: string, chunk: Uint8Array) => this.#append(fileName, chunk),
      readMessages: (output: AsyncIterable<Uint8Array>) => this.#log.read(output),
      refuse: (failure: PerfFailure) => void (this.#refusal ??= failure),
    };
    this.#flow = plan.piped ? createPipedFlow(target, plan, events) : createKeptFlow(target, plan, sink, events);
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
      await this.#flow.dispose();
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

  async #recordToEnd(): Promise<ProcessExit | null> {
    this.#every(PROGRESS_MS, () => this.#announce());
    this.#every(PROBE_MS, () => void this.#probeStacks());
    const exit = await this.#flow.run(this.#process);
    this.#end ??= this.#clock.monotonic();
    this.#setState('stopping');
    return exit;
  }

  #beginRecording(): void {
    const { seconds } = this.#plan.options;
    this.#startedAt = this.#clock.now();
    this.#begin = this.#clock.monotonic();
    if (this.#state === 'preparing') this.#setState('recording');
    if (seconds !== null) this.#after(seconds * 1000, () => this.#askToEnd('stop'));
  }

  /** After a failure nothing more is written: a file with a hole in it would be worse than a shorter one. */
  async #append(fileName: string, chunk: Uint8Array): Promise<void> {
    if (this.#storageFailure !== null || this.#ask === 'cancel') return;
    try {
      await this.#sink.append(fileName, chunk);
      if (fileName === TEXT_FILE) this.#probe.push(chunk);
      this.#hasStored = true;
    } catch (error) {
      this.#storageFailure ??= toFailure(error);
      this.#flow.abandon();
    }
  }

  /** The recording is its own probe: nothing runs merely to find out. */
  async #probeStacks(): Promise<void> {
    if (this.#startedAt === null || this.#ask !== null) return;
    const found = await this.#probe.look(this.#clock.monotonic() - this.#begin);
    if (found === null) return;
    this.#finding = found;
    this.#announce();
  }

  #askToEnd(ask: 'stop' | 'cancel'): void {
    if (this.#ask === ask || this.#ask === 'cancel' || isFinal(this.#state)) return;
    this.#ask = ask;
    this.#end ??= this.#clock.monotonic();
    this.#setState('stopping');
    this.#flow.end(ask);
    this.#after(ask === 'stop' ? STOP_GRACE_MS : CANCEL_GRACE_MS, () => {
      if (this.#flow.force()) this.#forced = true;
    });
  }

  async #conclude(exit: ProcessExit | null): Promise<RecordingOutcome> {
    const { options, event, otherFiles } = this.#plan;
    const { lost, bytes } = this.#flow.counts;
    const kept = await this.#readBack(lost);
    // What a full disk did not take was counted as it came.
    const samples = this.#storageFailure === null ? this.#flow.counts.samples : kept.samples;
    const { attrs, scriptFailure, cpuSeconds, ...result } = this.#flow.result();
    const ours = this.#startedAt === null ? 0 : (this.#end ?? this.#begin) - this.#begin;
    const recordedMs = result.durationMs ?? ours;
    const durationMs = this.#storageFailure === null ? recordedMs : Math.min(recordedMs, kept.spanMs ?? 0);
    const linkLost = exit !== null && isUnknown(exit);
    const now = result.targetEnded === null && !linkLost ? await this.#lookAgain() : this.#process;
    const ending = describeEnding({
      scope: options.scope,
      host: this.#target.host,
      ask: this.#ask,
      forced: this.#forced,
      refusal: this.#refusal,
      storageFailure: this.#storageFailure,
      exit,
      linkLost,
      stderr: this.#log.text,
      lastMessage: this.#log.lines.at(-1) ?? null,
      samples: this.#hasStored ? samples : 0,
      recordedMs,
      bytes,
      scriptFailure,
      keepsStream: otherFiles.length > 0,
      targetEnded: result.targetEnded ?? now?.startTicks !== this.#process?.startTicks,
      durationMs,
    });
    const facts = {
      options,
      event,
      attrs,
      samples,
      lost,
      kept,
      keepsStream: otherFiles.length > 0,
      countsLost: countsLost(this.#plan),
    };
    const process = now?.startTicks === this.#process?.startTicks ? now : this.#process;
    return {
      ...ending,
      diagnostics: ending.state === 'finished' ? [...ending.diagnostics, ...judgeRecording({ ...facts, process })] : [],
      quality: ending.state === 'finished' ? kept.quality : null,
      primaryFile: TEXT_FILE,
      otherFiles,
      exit,
      samples,
      lost,
      startedAt: this.#startedAt,
      durationMs,
      event: isSubstituted(facts) ? 'cpu-clock' : event,
      cpuSeconds,
    };
  }

  /** What was kept, as it will be opened. */
  async #readBack(lost: number): Promise<ReadBack> {
    const nothing = { samples: 0, spanMs: null, quality: null, unresolved: [] };
    if (!this.#hasStored || this.#ask === 'cancel' || this.#refusal !== null) return nothing;
    return readBack(this.#sink, lost);
  }

  async #lookAgain(): Promise<ProcessFacts | null> {
    return this.#process && readProcessFacts(this.#target, this.#process.pid).catch(() => null);
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
    const { samples, lost, bytes } = this.#flow.counts;
    const elapsedMs = this.#startedAt === null ? 0 : (this.#end ?? this.#clock.monotonic()) - this.#begin;
    const found = this.#finding === null ? {} : { finding: this.#finding };
    return { state: this.#state, elapsedMs, samples, lost, bytes, messages: [...this.#log.lines], ...found };
  }

  #every(ms: number, action: () => void): void {
    this.#timers.add(setInterval(action, ms));
  }

  #after(ms: number, action: () => void): void {
    this.#timers.add(setTimeout(action, ms));
  }
}

const isFinal = (state: RecordingProgress['state']): boolean =>
  state === 'finished' || state === 'failed' || state === 'cancelled';

/** Errors of a sink and of a connection may carry a code and a remedy; see {@link CaptureSink}. */
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
