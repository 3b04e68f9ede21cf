import { posix } from 'node:path';
import type { PythonOptions } from '#core/contract/python.ts';
import { redactCommandLine } from '#core/redact/redact-argv.ts';
import { captureQuality } from '#core/model/capture-quality.ts';
import { diagnostic, type Diagnostic } from '#core/model/diagnostics.ts';
import { noSuchProcess, pidReused } from '../chosen-process.ts';
import {
  commandsOf,
  inFolder,
  NO_OUTCOME,
  type CaptureSink,
  type Clock,
  type Recording,
  type RecordingOutcome,
} from '../collector.ts';
import { createMessageLog } from '../message-log.ts';
import { RecordingBase, type Ask } from '../recording-base.ts';
import { toFailure, type RecordingFailure } from '../recording-failure.ts';
import { joinBytes } from '#core/model/join-bytes.ts';
import { startPipeline, type PipelineEnd, type RunningPipeline } from '../target/pipeline.ts';
import { isUnknown, runnerOf, type Target } from '../target/target.ts';
import { importKept } from '../trace-read-back.ts';
import { BEGIN, diagnose, explainFailure, missedSamples, readReport } from './messages.ts';
import { PY_SPY_ENVIRONMENT, RAW_FILE, SENT_FILE, type PythonPlan } from './plan.ts';
import { provideProgram } from './provide.ts';

/** py-spy writes its profile after the last sample: seconds for some 100 MB. */
const STOP_GRACE_MS = 30_000;
const CANCEL_GRACE_MS = 1000;
/** What an importer reads, and some 100 times what a usual recording has. */
const MAX_BYTES = 2 ** 29 - 24;

/** Runs py-spy, and keeps the profile that it prints at the end. Failures are reported by the outcome. */
export const startPython = (target: Target, plan: PythonPlan, sink: CaptureSink, clock: Clock): Recording =>
  new PythonRecording(target, plan, sink, clock);

class PythonRecording extends RecordingBase {
  readonly #target: Target;
  readonly #plan: PythonPlan;
  readonly #sink: CaptureSink;
  readonly #log = createMessageLog((line) => /Press Control-C|Visit https:|> Wrote /.test(line));
  /** Cancels the start, which may wait for a password. */
  readonly #abort = new AbortController();
  #folder: string | null = null;
  #pipeline: RunningPipeline | null = null;
  #end: PipelineEnd | null = null;
  #isForced = false;
  #samples = 0;
  #bytes = 0;

  constructor(target: Target, plan: PythonPlan, sink: CaptureSink, clock: Clock) {
    super(clock);
    this.#target = target;
    this.#plan = plan;
    this.#sink = sink;
  }

  protected async record(): Promise<RecordingOutcome> {
    try {
      const bytes = await this.#run();
      this.markEnd();
      if (this.ask === 'cancel') return this.#conclude([], null);
      return bytes.length === 0 ? this.#conclude([], this.#whyNothing()) : await this.#keep(bytes);
    } catch (error) {
      return this.#conclude([], toFailure(error));
    } finally {
      if (this.#end === null) this.#pipeline?.kill('SIGTERM');
      await this.#pipeline?.ended;
      if (this.#folder !== null) await this.#target.removeTempDir(this.#folder).catch(() => undefined);
    }
  }

  /** Returns the profile; empty if there is none. */
  async #run(): Promise<Uint8Array> {
    const { pid, startTicks } = this.#plan.options.scope;
    const runner = runnerOf(this.#target, this.#plan.sudo);
    if (this.ask !== null || startTicks === null) return new Uint8Array();
    const settings = { env: PY_SPY_ENVIRONMENT, signal: this.#abort.signal, measured: { pid, startTicks } };
    const pipeline = await this.#send()
      .then((commands) => startPipeline(runner, commands, settings))
      .catch((error: unknown) => {
        if (this.#abort.signal.aborted) return null;
        throw error;
      });
    if (pipeline === null) return new Uint8Array();
    this.#pipeline = pipeline;
    const messages = this.#log.read(this.#noticingBegin(pipeline.stderr));
    if (this.ask !== null) this.end(this.ask);
    const chunks: Uint8Array[] = [];
    for await (const chunk of pipeline.stdout) {
      this.#bytes += chunk.length;
      if (this.#bytes <= MAX_BYTES) chunks.push(chunk);
    }
    await messages;
    this.#end = await pipeline.end;
    if (this.#bytes <= MAX_BYTES) return joinBytes(chunks);
    throw Object.assign(new Error('py-spy’s profile is larger than 512 MiB'), { remedy: 'record fewer --seconds' });
  }

  /** Sends py-spy if it is planned. Returns the commands. */
  async #send(): Promise<(readonly string[])[]> {
    const commands = commandsOf(this.#plan);
    const { sent, options } = this.#plan;
    if (sent === undefined) return commands;
    const program = await provideProgram(sent, options.send === 'fetched', this.#abort.signal);
    const folder = await this.#target.makeTempDir();
    this.#folder = folder;
    await this.#target.writeFile(posix.join(folder, SENT_FILE), program);
    this.#abort.signal.throwIfAborted();
    return commands.map((argv) => inFolder(argv, folder));
  }

  async *#noticingBegin(stderr: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let text = '';
    for await (const chunk of stderr) {
      if (this.startedAt === null) {
        text += Buffer.from(chunk).toString('latin1');
        // py-spy counts samples, not seconds: one that falls behind would run for longer.
        if (BEGIN.test(text)) this.markBegin(this.#plan.options.seconds);
      }
      yield chunk;
    }
  }

  protected end(ask: Ask): void {
    if (this.#pipeline === null) this.#abort.abort();
    else if (ask === 'stop') this.#pipeline.endFirst('SIGINT');
    else this.#pipeline.kill('SIGTERM');
    this.after((this.#target.slowness?.() ?? 1) * (ask === 'stop' ? STOP_GRACE_MS : CANCEL_GRACE_MS), () => {
      if (this.#end !== null) return;
      this.#isForced = true;
      this.#pipeline?.kill('SIGKILL');
    });
  }

  #whyNothing(): RecordingFailure {
    const { pid } = this.#plan.options.scope;
    const end = this.#end;
    if (end?.identity === 'gone') return noSuchProcess(pid);
    if (end?.identity === 'replaced') return pidReused(pid);
    const code = end?.exits[0]?.code ?? null;
    if (code !== null && code !== 0) return explainFailure(this.#log.text, pid, code);
    if (this.startedAt === null && this.ask !== null)
      return { code: 'stopped-early', message: 'stopped before the first sample', remedy: null };
    if (this.#isForced) return { code: 'killed', message: 'py-spy did not stop when asked', remedy: null };
    if (end === null || (isUnknown(end.exit) && !end.isTorn)) {
      const message = `the connection to ${this.#target.host} was lost; the samples are lost`;
      return { code: 'link-lost', message, remedy: 'reconnect and record again' };
    }
    return explainFailure(this.#log.text, pid, code);
  }

  async #keep(bytes: Uint8Array): Promise<RecordingOutcome> {
    const kept = this.#plan.options.subprocesses ? withoutSecrets(bytes) : bytes;
    await this.#sink.append(RAW_FILE, kept);
    this.#bytes = kept.length;
    const { profile } = await importKept(this.#sink, RAW_FILE);
    this.#samples = profile.samples.length;
    const report = readReport(this.#log.text);
    const seconds = this.elapsedMs / 1000;
    if (this.#samples === 0) return this.#conclude([], noSamples(this.#plan.options));
    const lost = report.errors + missedSamples(report, this.#samples, seconds);
    const found = [...profile.diagnostics, ...diagnose(report, this.#samples, seconds)];
    if (this.#end?.measuredEnded === true) found.push(targetEnded(this.#plan.options.scope.pid, seconds));
    return { ...this.#conclude(found, null), lost, quality: captureQuality(profile, { lost }) };
  }

  #conclude(diagnostics: readonly Diagnostic[], error: RecordingFailure | null): RecordingOutcome {
    const isCancelled = this.ask === 'cancel';
    return {
      ...NO_OUTCOME,
      state: isCancelled ? 'cancelled' : error === null ? 'finished' : 'failed',
      incomplete: diagnostics.some(({ code }) => code === 'target-ended'),
      primaryFile: RAW_FILE,
      exit: this.#end?.exits[0] ?? null,
      samples: this.#samples,
      startedAt: this.startedAt,
      durationMs: this.elapsedMs,
      event: this.#plan.event,
      diagnostics,
      error: isCancelled ? null : error,
    };
  }

  protected counts() {
    return { samples: this.#samples, lost: 0, bytes: this.#bytes, messages: [...this.#log.lines] };
  }
}

/** With subprocesses, py-spy adds a frame for each with its command line: `process 7:"python app.py"`. */
function withoutSecrets(bytes: Uint8Array): Uint8Array {
  const text = new TextDecoder()
    .decode(bytes)
    .replaceAll(/"name":("process \d+:(?:[^"\\]|\\.)*")/g, (_, name: string) => {
      const [, head, line] = /^(process \d+:")(.*)"$/s.exec(String(JSON.parse(name))) ?? ['', '', ''];
      return `"name":${JSON.stringify(`${head}${redactCommandLine(line)}"`)}`;
    });
  return new TextEncoder().encode(text);
}

const noSamples = ({ threads }: PythonOptions): RecordingFailure => ({
  code: 'no-samples',
  message: threads === 'gil' ? 'no thread held the interpreter lock' : 'no thread ran',
  remedy: threads === 'all' ? null : 'record while it works, or idle threads, too: --idle',
});

const targetEnded = (pid: number, seconds: number): Diagnostic =>
  diagnostic('target-ended', `Process ${pid} ended after ${seconds.toFixed(1)} s.`, { severity: 'info' });
