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
import { createMessageLog } from '../message-log.ts';
import { judgeIdentity } from '../chosen-process.ts';
import { RecordingBase, type Ask } from '../recording-base.ts';
import { type RecordingFailure, toFailure } from '../recording-failure.ts';
import {
  launchProgram,
  type LaunchedProgram,
  type OutputWatcher,
  type ProgramStreams,
} from '../target/launched-program.ts';
import { withLost } from '#core/model/quality-grade.ts';
import { isUnknown, type ProcessExit, SpawnFailure, type Target } from '../target/target.ts';
import { isSubstituted, judgeMissed, judgeRecording } from './data-quality.ts';
import { describeEnding } from './ending.ts';
import type { PerfFlow, RecordedProcess } from './flow.ts';
import { createKeptFlow } from './kept-flow.ts';
import { createPipedFlow } from './piped-flow.ts';
import { countsLost, EVENTS_ENABLED, PERF_RAW_FILE, takesPings, TEXT_FILE } from './plan.ts';
import { readBackPerf, readBackStream, type PerfReadBack } from './read-back.ts';
import { readProcStat } from '../target/processes.ts';
import { nameCompiledCode } from './late-names.ts';
import { pathOfDump, readProcessFacts, type ProcessFacts } from './process-facts.ts';
import { createStackProbe, PROBE_MS } from './stack-probe.ts';

/**
 * Time for perf and the launched command to end when asked to, before they are killed; multiplied by the target's
 * slowness. Arrived data is kept.
 */
const STOP_GRACE_MS = 8000;
const CANCEL_GRACE_MS = 1000;
/** Time after which a perf that can't be told when to begin has opened its events. */
const SETTLE_MS = 300;
const MAX_PERF_TEXT = 64 * 1024;

/** Messages at the end of each recording (in pipe mode the size is always 0.000 MB), and about commands to perf. */
const isNoise = (line: string): boolean =>
  /^(?:\[ perf record: (?:Woken up|Captured and wrote)|Events (?:en|dis)abled$)/.test(line);

/**
 * Starts `perf record` and `perf script` as planned. Failures, including those of the start, are reported by the
 * outcome.
 */
export function startPerf(
  target: Target,
  plan: Plan<PerfOptions>,
  sink: CaptureSink,
  clock: Clock,
  streams?: ProgramStreams | OutputWatcher,
): Recording {
  return new PerfRecording(target, plan, sink, clock, streams);
}

class PerfRecording extends RecordingBase {
  readonly #target: Target;
  readonly #plan: Plan<PerfOptions>;
  readonly #sink: CaptureSink;
  readonly #streams: ProgramStreams | OutputWatcher | undefined;
  readonly #flow: PerfFlow;
  readonly #probe: ReturnType<typeof createStackProbe> | null;
  #finding: RecordingFinding | null = null;
  readonly #log = createMessageLog(isNoise);
  #forced = false;
  #process: RecordedProcess | null = null;
  /** Looked up while perf starts. */
  #facts: Promise<ProcessFacts | null> = Promise.resolve(null);
  #program: LaunchedProgram | null = null;
  /** The program still ran when perf ended without a request. */
  #wasProgramEnded = false;
  /** The beginning of what perf printed. */
  #perfText = '';
  #hasStored = false;
  /** Why no more data is kept: a full disk. */
  #storageFailure: RecordingFailure | null = null;
  /** Why the recording must not be kept. */
  #refusal: RecordingFailure | null = null;

  constructor(
    target: Target,
    plan: Plan<PerfOptions>,
    sink: CaptureSink,
    clock: Clock,
    streams: ProgramStreams | OutputWatcher | undefined,
  ) {
    super(clock);
    this.#target = target;
    this.#plan = plan;
    this.#sink = sink;
    this.#streams = streams;
    const events = {
      begin: () => this.#begun(),
      append: (fileName: string, chunk: Uint8Array) => this.#append(fileName, chunk),
      readMessages: (output: AsyncIterable<Uint8Array>) => this.#readPerf(output),
      refuse: (failure: RecordingFailure) => void (this.#refusal ??= failure),
    };
    this.#flow = plan.piped ? createPipedFlow(target, plan, events) : createKeptFlow(target, plan, sink, events);
    const { firstText } = this.#flow;
    this.#probe = firstText === null ? null : createStackProbe(plan.options, firstText);
  }

  protected async record(): Promise<RecordingOutcome> {
    let exit: ProcessExit | null = null;
    try {
      await this.#identify();
      if (this.#refusal === null && this.ask === null) await this.#launch();
      if (this.#refusal === null && this.ask === null) exit = await this.#recordToEnd();
    } catch (error) {
      this.#refusal ??= toPerfFailure(error);
    } finally {
      await this.#flow.dispose();
      await this.#program?.end('SIGTERM');
      this.clearTimers();
    }
    return this.#conclude(exit);
  }

  /** Checks that the PID still belongs to the selected process. */
  async #identify(): Promise<void> {
    const { scope } = this.#plan.options;
    if (scope.kind !== 'pid') return;
    const stat = await readProcStat(this.#target, scope.pid);
    this.#process = stat === null || stat.state === 'Z' ? null : stat;
    this.#refusal = judgeIdentity(scope, this.#process);
  }

  async #launch(): Promise<void> {
    const { scope } = this.#plan.options;
    if (scope.kind !== 'command') return;
    const program = await launchProgram(this.#target, scope, this.#streams, (output) => this.#log.read(output));
    this.#program = program;
    void program.exit.then(() => this.#programEnded());
  }

  /** perf continues while a child of the program holds its events open. */
  #programEnded(): void {
    this.markEnd();
    this.#flow.end('stop');
    this.#forceAfter(STOP_GRACE_MS);
  }

  #forceAfter(ms: number): void {
    const force = (): void => {
      if (this.#flow.force()) this.#forced = true;
    };
    const slowness = this.#target.slowness?.() ?? 1;
    this.after(slowness * ms, force);
    this.after(slowness * (ms + CANCEL_GRACE_MS), force);
  }

  /** Reads perf's own output, not the program's. */
  async #readPerf(output: AsyncIterable<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    const notice = (chunk: Uint8Array): void => {
      if (this.#perfText.length > MAX_PERF_TEXT) return;
      this.#perfText += decoder.decode(chunk, { stream: true });
      if (this.#perfText.includes(EVENTS_ENABLED)) this.#release();
    };
    async function* noticed(): AsyncGenerator<Uint8Array> {
      for await (const chunk of output) {
        notice(chunk);
        yield chunk;
      }
    }
    await this.#log.read(noticed());
  }

  /** Called when the first byte has arrived. */
  #begun(): void {
    if (this.#program === null) return this.markBegin(this.#plan.options.seconds);
    // A perf that can be told to begin says itself when it is ready.
    if (!takesPings(this.#plan)) this.after(SETTLE_MS, () => this.#release());
  }

  #release(): void {
    if (this.#program === null || this.#program.isReleased) return;
    this.markBegin(this.#plan.options.seconds);
    this.#program.release();
  }

  async #recordToEnd(): Promise<ProcessExit | null> {
    if (this.#probe !== null) this.every(PROBE_MS, () => void this.#probeStacks());
    const running = this.#flow.run(this.#process, this.#program);
    this.#facts = this.#lookAgain();
    const exit = await running;
    if (exit !== null && !isUnknown(exit)) await this.#nameCompiledCode();
    await this.#awaitProgram();
    this.markEnd();
    return exit;
  }

  /** Leaves the text as it is if the target can't be read, or the disk is full. */
  async #nameCompiledCode(): Promise<void> {
    const { unresolvedMaps } = this.#flow.result();
    if (unresolvedMaps.size === 0 || this.#storageFailure !== null || this.ask === 'cancel') return;
    const facts = await this.#facts;
    const dump = facts === null ? null : pathOfDump(facts);
    const noted = new Map(facts === null || dump === null ? [] : [[facts.pid, dump]]);
    await nameCompiledCode(this.#target, this.#sink, unresolvedMaps, noted).catch(() => undefined);
  }

  /** Ends the program if perf ended first, so that it does not keep running unseen. */
  async #awaitProgram(): Promise<void> {
    if (this.#program === null) return;
    if (this.#program.ended === null) {
      this.#wasProgramEnded = this.ask === null;
      await this.#program.end(this.ask === 'stop' ? 'SIGINT' : 'SIGTERM');
    }
    await this.#program.exit;
  }

  /** Writes nothing after a failure: a file with a gap would be worse than a shorter one. */
  async #append(fileName: string, chunk: Uint8Array): Promise<void> {
    if (this.#storageFailure !== null || this.ask === 'cancel') return;
    try {
      await this.#sink.append(fileName, chunk);
      this.#hasStored = true;
    } catch (error) {
      this.#storageFailure ??= toPerfFailure(error);
      this.#flow.abandon();
    }
  }

  /** Uses the recording itself as the probe, without trial runs. */
  async #probeStacks(): Promise<void> {
    if (this.startedAt === null || this.ask !== null) return;
    const found = await this.#probe?.look(this.elapsedMs);
    if (found === undefined || found === null) return;
    this.#finding = found;
    this.announce();
  }

  protected end(ask: Ask): void {
    this.#flow.end(ask);
    void this.#program?.end(ask === 'stop' ? 'SIGINT' : 'SIGTERM');
    this.#forceAfter(ask === 'stop' ? STOP_GRACE_MS : CANCEL_GRACE_MS);
  }

  async #conclude(exit: ProcessExit | null): Promise<RecordingOutcome> {
    const { options, event, otherFiles } = this.#plan;
    const { lost, bytes, lostRecords = lost } = this.#flow.counts;
    const { scriptFailure, hasText, ...result } = this.#flow.result();
    const { attrs, cpuSeconds, userSeconds } = this.#flow;
    const kept = await this.#readBack(lost, hasText);
    // Samples that did not fit on a full disk were counted as they arrived.
    const samples = this.#storageFailure === null ? this.#flow.counts.samples : kept.samples;
    const recordedMs = result.durationMs ?? this.elapsedMs;
    const durationMs = this.#storageFailure === null ? recordedMs : Math.min(recordedMs, kept.spanMs ?? 0);
    const linkLost = exit !== null && isUnknown(exit);
    const before = await this.#facts;
    const now = result.targetEnded === null && !linkLost ? await this.#lookAgain() : before;
    const isGone = now?.startTicks !== this.#process?.startTicks;
    const ending = describeEnding({
      scope: options.scope,
      host: this.#target.host,
      ask: this.ask,
      forced: this.#forced,
      refusal: this.#refusal,
      storageFailure: this.#storageFailure,
      exit,
      linkLost,
      isTorn: result.isTorn,
      program: this.#program && {
        exit: this.#program.ended,
        isReleased: this.#program.isReleased,
        wasEnded: this.#wasProgramEnded,
      },
      stderr: this.#perfText,
      version: this.#plan.toolVersion,
      lastMessage: this.#log.lines.at(-1) ?? null,
      samples: this.#hasStored ? samples : 0,
      recordedMs,
      bytes,
      scriptFailure,
      keepsStream: otherFiles.length > 0,
      targetEnded: result.targetEnded ?? isGone,
      durationMs,
    });
    const facts = {
      options,
      event,
      attrs,
      samples,
      lost,
      lostRecords,
      // Samples that did not fit on a full disk are not missed.
      cpuSeconds: this.#storageFailure === null ? cpuSeconds : null,
      userSeconds: this.#storageFailure === null ? userSeconds : null,
      kept,
      keepsStream: otherFiles.length > 0,
      countsLost: countsLost(this.#plan),
    };
    const process = isGone ? before : now;
    const missed = judgeMissed(facts)?.count ?? 0;
    return {
      ...ending,
      diagnostics: ending.state === 'finished' ? [...ending.diagnostics, ...judgeRecording({ ...facts, process })] : [],
      quality: ending.state === 'finished' ? withLost(kept.quality, samples, lost + missed) : null,
      primaryFile: hasText ? TEXT_FILE : PERF_RAW_FILE,
      otherFiles: hasText ? otherFiles : [],
      exit: (linkLost ? null : this.#program?.ended) ?? exit,
      samples,
      lost: lost + missed,
      startedAt: this.startedAt,
      durationMs,
      event: isSubstituted(facts) ? 'cpu-clock' : event,
      cpuSeconds,
    };
  }

  /** Reads the kept data as it will be opened. */
  async #readBack(lost: number, hasText: boolean): Promise<PerfReadBack> {
    const nothing = { samples: 0, spanMs: null, quality: null, unresolved: [] };
    if (!this.#hasStored || this.ask === 'cancel' || this.#refusal !== null) return nothing;
    return hasText ? readBackPerf(this.#sink, lost) : readBackStream(this.#sink);
  }

  async #lookAgain(): Promise<ProcessFacts | null> {
    return this.#process && readProcessFacts(this.#target, this.#process.pid).catch(() => null);
  }

  protected counts() {
    const { samples, lost, bytes } = this.#flow.counts;
    const found = this.#finding === null ? {} : { finding: this.#finding };
    return { samples, lost, bytes, messages: [...this.#log.lines], ...found, ...this.#missed(samples, lost) };
  }

  #missed(samples: number, lost: number): Pick<RecordingProgress, 'missed'> {
    const { options, event } = this.#plan;
    const { attrs, cpuSeconds, userSeconds } = this.#flow;
    const missed = judgeMissed({ options, event, attrs, samples, lost, cpuSeconds, userSeconds });
    return missed === null ? {} : { missed };
  }
}

/** Treats a perf that can't be started as missing; other errors are handled as for every collector. */
function toPerfFailure(error: unknown): RecordingFailure {
  if (error instanceof SpawnFailure && error.code === 'ENOENT') {
    return { code: 'perf-missing', message: error.message, remedy: 'install perf; flamebench doctor says how' };
  }
  return toFailure(error);
}
