import type { BpftraceOptions } from '#core/contract/bpftrace.ts';
import type { StapOptions } from '#core/contract/stap.ts';
import { diagnostic, type Diagnostic } from '#core/model/diagnostics.ts';
import { withLost } from '#core/model/quality-grade.ts';
import { countText } from '#core/units/format.ts';
import { createMessageLog, type MessageLog } from './message-log.ts';
import type { CaptureSink, Clock, Plan, RecordingOutcome } from './collector.ts';
import { judgeIdentity } from './chosen-process.ts';
import { RecordingBase, type Ask } from './recording-base.ts';
import { describeLoss, toFailure, type RecordingFailure } from './recording-failure.ts';
import { createCpuMeter, type CpuMeter } from './target/cpu-meter.ts';
import { findProcess } from './target/processes.ts';
import { isUnknown, type ProcessExit, runnerOf, type RunningProcess, type Target } from './target/target.ts';
import { NOTHING, readBack, type ReadBack } from './trace-read-back.ts';

const NO_REPORT: TraceReport = { diagnostics: [], skipped: 0 };
const METER_MS = 400;
/** Printing the last second of a busy system takes seconds if names of many binaries must be read. */
const STOP_GRACE_MS = 15_000;
const CANCEL_GRACE_MS = 1000;

type TraceOptions = BpftraceOptions | StapOptions;

/** A tool that runs a script in the kernel, which prints stacks with counts until the tool is interrupted. */
export interface TraceTool<Options extends TraceOptions> {
  /** As in messages: `bpftrace`. */
  readonly name: Options['collector'];
  readonly rawFile: string;
  readonly environment: Readonly<Record<string, string>>;
  /** End of a row of the tool's output. */
  readonly rowEnd: RegExp;
  /** What the tool does before the recording: `was compiling the script`. */
  readonly preparing: string;
  isNoise(line: string): boolean;
  /** Returns whether the first output says that a recipe's probes are active. */
  hasBegun(text: string): boolean;
  /** Runs the steps before the recording and returns the argv that records. */
  prepare(context: PrepareContext<Options>): Promise<readonly string[] | RecordingFailure>;
  explain(stderr: string, exit: ProcessExit): RecordingFailure;
  /** Called when the tool has ended; leaves nothing of the recording on the target. */
  cleanUp(target: Target, runner: Pick<Target, 'run'>, sink: Pick<CaptureSink, 'read'>): Promise<readonly Diagnostic[]>;
  /** Returns what the tool reports about the recording, on its stderr and in its output. */
  report(stderr: string, sink: Pick<CaptureSink, 'read'>): Promise<TraceReport>;
  /** What happens if the process ends: `stacks of its last second have addresses instead of names`. */
  readonly atTargetEnd: string;
  /** How a script of the user's has to print stacks, as a sentence. */
  readonly scriptsPrint: string;
}

interface TraceReport {
  readonly diagnostics: readonly Diagnostic[];
  /** Number of events that the tool skipped, in addition to the lost weight that the output states. */
  readonly skipped: number;
}

export interface PrepareContext<Options extends TraceOptions> {
  /** Where the recording runs, as the target's user. */
  readonly target: Target;
  readonly plan: Plan<Options>;
  /** Ends the preparation. */
  readonly signal: AbortSignal;
  /** Runs `action` when the recording has ended, however it ended. */
  readonly atEnd: (action: () => Promise<void>) => void;
  readonly log: MessageLog;
}

/** Runs the plan and keeps its output. The outcome reports all failures, also those at the start. */
export class TraceRecording<Options extends TraceOptions> extends RecordingBase {
  readonly #tool: TraceTool<Options>;
  readonly #target: Target;
  readonly #plan: Plan<Options>;
  readonly #sink: CaptureSink;
  readonly #log: MessageLog;
  /** Cancels the start, which may wait for a password. */
  readonly #abort = new AbortController();
  #process: RunningProcess | null = null;
  #exit: ProcessExit | null = null;
  /** Measures the CPU time of the recorded process. */
  #cpu: Promise<CpuMeter> | null = null;
  #cpuSeconds: CpuMeter['seconds'] = null;
  #left: readonly Diagnostic[] = [];
  readonly #endings: (() => Promise<void>)[] = [];
  #forced = false;
  #bytes = 0;
  #rows = 0;
  /** The reason why no further data is kept. */
  #storageFailure: RecordingFailure | null = null;

  constructor(tool: TraceTool<Options>, target: Target, plan: Plan<Options>, sink: CaptureSink, clock: Clock) {
    super(clock);
    this.#tool = tool;
    this.#log = createMessageLog((line) => tool.isNoise(line));
    this.#target = target;
    this.#plan = plan;
    this.#sink = sink;
  }

  protected async record(): Promise<RecordingOutcome> {
    this.every(METER_MS * this.#slowness, () => void this.#readCpu());
    let failure: RecordingFailure | null = null;
    try {
      failure = (await this.#identify()) ?? (await this.#trace());
    } catch (error) {
      failure = toFailure(error);
    } finally {
      this.clearTimers();
      if (this.#exit === null) this.#process?.kill('SIGKILL');
      await this.#process?.exit;
    }
    if (this.#process !== null) this.#left = await this.#cleanUp();
    await Promise.allSettled(this.#endings.map((end) => end()));
    return this.#conclude(failure);
  }

  /** Checks that the selected process is still the one with this PID. */
  async #identify(): Promise<RecordingFailure | null> {
    const { scope } = this.#plan.options;
    if (scope.kind !== 'pid' || scope.startTicks === null) return null;
    return judgeIdentity(scope, await findProcess(this.#target, scope.pid));
  }

  /** The connection may be lost. */
  async #cleanUp(): Promise<readonly Diagnostic[]> {
    return this.#tool.cleanUp(this.#target, this.#runner, this.#sink).catch(() => []);
  }

  get #slowness(): number {
    return this.#target.slowness?.() ?? 1;
  }

  /** Where the recording runs: as root, if the plan says so. */
  get #runner(): Pick<Target, 'run'> {
    return runnerOf(this.#target, this.#plan.sudo);
  }

  async #trace(): Promise<RecordingFailure | null> {
    if (this.ask !== null) return null;
    const { scope } = this.#plan.options;
    const argv = await this.#prepare();
    if (argv === null) return null;
    if ('code' in argv) return argv;
    const options = { env: this.#tool.environment, signal: this.#abort.signal, input: false };
    const process = await this.#runner.run(argv, options).catch((error: unknown) => {
      if (this.#abort.signal.aborted) return null;
      throw error;
    });
    if (process === null) return null;
    this.#process = process;
    if (this.ask !== null) this.#endProcess(this.ask);
    if (scope.kind === 'pid') {
      const { pid } = scope;
      // The output of a process that ends at once must not wait for this.
      this.#cpu = createCpuMeter(this.#target, () => Promise.resolve(pid), { fromBirth: false });
    }
    const messages = this.#log.read(process.stderr);
    const decoder = new TextDecoder();
    for await (const chunk of process.stdout) {
      const text = decoder.decode(chunk, { stream: true });
      this.#rows += text.split(this.#tool.rowEnd).length - 1;
      if (this.startedAt === null && this.#hasBegun(text)) this.#beginRecording();
      await this.#append(chunk);
    }
    await messages;
    this.#exit = await process.exit;
    await this.#readCpu();
    this.markEnd();
    return null;
  }

  /** Returns null if the user ended the recording. */
  async #prepare(): Promise<readonly string[] | RecordingFailure | null> {
    const context = {
      target: this.#target,
      plan: this.#plan,
      signal: this.#abort.signal,
      log: this.#log,
      atEnd: (action: () => Promise<void>) => void this.#endings.push(action),
    };
    const argv = await this.#tool.prepare(context).catch((error: unknown) => {
      if (this.#abort.signal.aborted) return null;
      throw error;
    });
    return this.#abort.signal.aborted ? null : argv;
  }

  /** A user's script may print nothing until its end. */
  #hasBegun(text: string): boolean {
    return this.#plan.options.what.kind === 'script' || this.#bytes > 0 || this.#tool.hasBegun(text);
  }

  async #readCpu(): Promise<void> {
    const meter = await this.#cpu;
    await meter?.read();
    this.#cpuSeconds = meter?.seconds ?? null;
  }

  #beginRecording(): void {
    void this.#readCpu();
    this.markBegin(this.#plan.options.seconds);
  }

  /**
   * Appends to the file. After a failure nothing more is written, because a file with a gap is worse than a shorter
   * one.
   */
  async #append(chunk: Uint8Array): Promise<void> {
    if (this.#storageFailure !== null || this.ask === 'cancel') return;
    try {
      await this.#sink.append(this.#tool.rawFile, chunk);
      this.#bytes += chunk.length;
    } catch (error) {
      this.#storageFailure = toFailure(error);
      this.#process?.kill('SIGTERM');
    }
  }

  protected end(ask: Ask): void {
    this.#endProcess(ask);
    this.after(this.#slowness * (ask === 'stop' ? STOP_GRACE_MS : CANCEL_GRACE_MS), () => {
      if (this.#process === null || this.#exit !== null) return;
      this.#forced = true;
      this.#process.kill('SIGKILL');
    });
  }

  /** Ends the tool. On an interrupt it prints its rows, which a cancelled recording does not need. */
  #endProcess(ask: Ask): void {
    if (this.#process === null) this.#abort.abort();
    else this.#process.kill(ask === 'stop' ? 'SIGINT' : 'SIGTERM');
  }

  async #conclude(failure: RecordingFailure | null): Promise<RecordingOutcome> {
    const kept = this.#bytes > 0 && this.ask !== 'cancel' ? await readBack(this.#sink, this.#tool.rawFile) : NOTHING;
    const report = kept.samples > 0 ? await this.#tool.report(this.#log.text, this.#sink) : NO_REPORT;
    const lost = kept.lost + report.skipped;
    const exit = this.#exit;
    const endedItself = this.ask === null && this.#storageFailure === null && exit !== null;
    const isLinkLost = exit !== null && isUnknown(exit) && !this.#forced;
    const hasFailed = endedItself && exit.code !== 0;
    const error = failure ?? (kept.samples > 0 ? null : this.#whyNothing(hasFailed, isLinkLost));
    const state = this.ask === 'cancel' ? 'cancelled' : error === null ? 'finished' : 'failed';
    return {
      state,
      incomplete: state === 'finished' && (hasFailed || isLinkLost || this.#storageFailure !== null || this.#forced),
      primaryFile: this.#tool.rawFile,
      otherFiles: [],
      exit,
      samples: kept.samples,
      lost,
      startedAt: this.startedAt,
      durationMs: kept.durationMs ?? this.elapsedMs,
      event: this.#plan.event,
      cpuSeconds: this.#cpuSeconds,
      diagnostics: state === 'finished' ? [...this.#diagnose(kept, hasFailed, isLinkLost), ...report.diagnostics] : [],
      quality: state === 'finished' && kept.quality !== null ? withLost(kept.quality, kept.samples, lost) : null,
      error: state === 'failed' ? error : null,
    };
  }

  #whyNothing(hasFailed: boolean, isLinkLost: boolean): RecordingFailure | null {
    if (this.#storageFailure !== null) return this.#storageFailure;
    if (isLinkLost) {
      const message = `the connection to ${this.#target.host} was lost; no data had arrived`;
      return { code: 'link-lost', message, remedy: 'reconnect and record again' };
    }
    return hasFailed ? this.#tool.explain(this.#log.text, this.#exit!) : null;
  }

  #diagnose(kept: ReadBack, hasFailed: boolean, isLinkLost: boolean): Diagnostic[] {
    const found: Diagnostic[] = [];
    const add = (code: string, severity: Diagnostic['severity'], message: string, remedy: string | null): void =>
      void found.push(diagnostic(code, message, { severity, remedy }));
    const storage = this.#storageFailure;
    const seconds = `${(this.elapsedMs / 1000).toFixed(1)} s`;
    if (storage !== null)
      add(storage.code, 'warning', describeLoss(countText(kept.samples, 'sample'), storage), storage.remedy);
    if (this.#forced) {
      add(
        'killed',
        'warning',
        `${this.#tool.name} did not stop when asked and was killed; its last second is lost.`,
        null,
      );
    }
    if (isLinkLost) {
      const message = `The connection to ${this.#target.host} was lost after ${seconds}; what had arrived is kept.`;
      add('link-lost', 'warning', message, 'Reconnect and record again.');
    } else if (hasFailed) {
      const { message, remedy } = this.#tool.explain(this.#log.text, this.#exit!);
      add('collector-failed', 'warning', `${this.#tool.name} ended early, after ${seconds}: ${message}.`, remedy);
    }
    const { scope } = this.#plan.options;
    if (scope.kind === 'pid' && this.ask === null && this.#exit?.code === 0) {
      const message = `Process ${scope.pid} ended after ${seconds}; ${this.#tool.atTargetEnd}.`;
      add('target-ended', 'info', message, null);
    }
    if (this.#process === null) {
      const message = `Stopped while ${this.#tool.name} ${this.#tool.preparing}; nothing had been recorded yet.`;
      add('no-samples', 'warning', message, 'Record again, and stop once samples are counted.');
    } else if (kept.samples === 0 && this.#bytes > 0 && this.#plan.options.what.kind === 'script') {
      const message = 'The output of the script has no stack that is followed by its count.';
      add('no-samples', 'warning', message, this.#tool.scriptsPrint);
    } else if (kept.samples === 0) {
      add('no-samples', 'warning', 'No stack was recorded.', 'Record longer, or while the process works.');
    }
    return [...found, ...this.#left];
  }

  protected counts() {
    return { samples: this.#rows, lost: 0, bytes: this.#bytes, messages: [...this.#log.lines] };
  }
}
