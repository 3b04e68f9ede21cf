import { posix } from 'node:path';
import { escapeControls } from '#core/contract/escape-controls.ts';
import type { JavaOptions } from '#core/contract/java.ts';
import { diagnostic } from '#core/model/diagnostics.ts';
import { AttachedRecording } from '../attached-recording.ts';
import {
  commandsOf,
  inFolder,
  type CaptureSink,
  type Clock,
  type Recording,
  type RecordingOutcome,
} from '../collector.ts';
import { RefusedRecording } from '../recording-failure.ts';
import { discardOutput } from '../target/discard-output.ts';
import { runToEnd } from '../target/run-to-end.ts';
import { isUnknown, type RunningProcess, type Target } from '../target/target.ts';
import { keptPath, readKept } from '../kept-files.ts';
import { LIBRARY } from './async-profiler.ts';
import { inspectJava, type JavaProcess } from './checks.ts';
import { type AsyncProfilerPlan, guardArgv, JAVA_RAW_FILE, MAX_MEGABYTES, SETTINGS_FILE, settingsOf } from './plan.ts';

/** Time for jcmd: the JVM attaches within 10 s, and writes the file. */
export const JCMD_MS = 120_000;
/** The JVM may exceed its limit by the chunk that it writes. */
const MAX_FILE_BYTES = (MAX_MEGABYTES + 64) << 20;
/** Share of the recording's time that is missing if the JVM discarded its oldest data. */
const MISSING_SHARE = 0.1;

/** Records a JVM with its own Flight Recorder. Failures are reported by the outcome. */
export const startJava = (target: Target, plan: AsyncProfilerPlan, sink: CaptureSink, clock: Clock): Recording =>
  new JavaRecording(target, plan, sink, clock, JAVA_RAW_FILE);

class JavaRecording extends AttachedRecording<JavaOptions, AsyncProfilerPlan> {
  /** The JVM may be recording. */
  #isActive = false;

  protected async record(): Promise<RecordingOutcome> {
    let folder: string | null = null;
    let guard: RunningProcess | null = null;
    try {
      const java = await inspectJava(this.target, this.plan.options.scope);
      folder = await this.target.makeTempDir();
      const commands = commandsOf(this.plan).map((argv) => inFolder(argv, folder!));
      const [fetch = [], stop = [], start = [], ...before] = commands.toReversed();
      await this.#writeFiles(java, folder);
      for (const argv of before.toReversed()) await this.#run(argv, /^/, java);
      guard = await this.startGuard(guardArgv(java, stop), true);
      try {
        await this.#start(java, start);
        await this.waitForEnd(java, guard);
        this.markEnd();
        if (this.asked() === 'cancel') return this.refuse(null);
        await this.#stop(java, stop);
      } finally {
        if (this.#isActive) await this.#stop(java, stop).catch(() => {});
      }
      await this.#fetch(fetch);
      return this.#judge(await this.keep());
    } catch (error) {
      return this.refuse(error);
    } finally {
      await this.#release(guard);
      if (folder !== null) await this.target.removeTempDir(folder).catch(() => {});
    }
  }

  async #writeFiles(java: JavaProcess, folder: string): Promise<void> {
    const { sent, options } = this.plan;
    if (options.profile === undefined) {
      const settings = new TextEncoder().encode(settingsOf(java));
      return this.target.writeFile(posix.join(folder, SETTINGS_FILE), settings, 0o644);
    }
    if (sent === undefined) return;
    const library = await readKept(sent);
    if (library === null)
      throw new RefusedRecording(
        'no-async-profiler',
        `${keptPath(sent)} was deleted or changed`,
        'give it again: --async-profiler FILE.jar',
      );
    await this.target.writeFile(posix.join(folder, LIBRARY), library, 0o644);
  }

  async #start(java: JavaProcess, argv: readonly string[]): Promise<void> {
    await this.expectAlive(java);
    if (this.asked() !== null) throw new RefusedRecording('stopped-early', 'stopped before the first sample', null);
    this.#isActive = true;
    await this.#run(argv, /^Started recording \d+|^return code: 0$/m, java);
    this.markBegin(this.plan.options.seconds);
  }

  async #stop(java: JavaProcess, argv: readonly string[]): Promise<void> {
    await this.expectAlive(java);
    await this.#run(argv, /^Stopped recording |^return code: 0$/m, java);
    this.#isActive = false;
  }

  /** Runs a command whose output says whether it succeeded: jcmd exits with 0 when the JVM refuses. */
  async #run(argv: readonly string[], success: RegExp, java: JavaProcess): Promise<void> {
    const options = { env: { LC_ALL: 'C' }, timeoutMs: JCMD_MS };
    const { stdout, stderr, exit } = await runToEnd(this.target, argv, options);
    const text = new TextDecoder().decode(stdout);
    if (exit.code === 0 && success.test(text)) return;
    if (isUnknown(exit))
      throw new RefusedRecording('connection-lost', 'the connection to the target ended; the samples are lost', null);
    await this.expectAlive(java);
    if (exit.code === 0) this.#isActive = false;
    throw explainRefusal(java.pid, `${stderr}\n${text}`);
  }

  async #fetch(argv: readonly string[]): Promise<void> {
    const process = await this.target.run(argv, { input: false });
    void discardOutput(process.stderr);
    for await (const chunk of process.stdout) {
      if (this.bytes + chunk.length > MAX_FILE_BYTES) process.kill('SIGKILL');
      else await this.append(chunk.slice());
    }
    if ((await process.exit).code === 0) return;
    throw new RefusedRecording('not-fetched', 'the recording could not be fetched whole from the target', null);
  }

  /** Reports data that the JVM discarded to stay within its limit. */
  #judge(outcome: RecordingOutcome): RecordingOutcome {
    if (outcome.samples === 0)
      throw new RefusedRecording('no-samples', 'the JVM ran no Java method', 'record while it works');
    if (this.plan.options.profile !== undefined) return outcome;
    const missingMs = this.elapsedMs - (outcome.durationMs ?? this.elapsedMs);
    if (missingMs < Math.max(1000, MISSING_SHARE * this.elapsedMs)) return outcome;
    const lost = diagnostic(
      'oldest-discarded',
      `The JVM discarded the first ${Math.round(missingMs / 1000)} s of the recording, to use at most ${MAX_MEGABYTES} MB.`,
      { remedy: 'Record fewer --seconds.' },
    );
    return { ...outcome, diagnostics: [lost, ...outcome.diagnostics] };
  }

  /** Ends what would stop the recording if Flamebench were gone; it does so at once if nothing else could. */
  async #release(guard: RunningProcess | null): Promise<void> {
    if (guard === null) return;
    const isTold =
      !this.#isActive &&
      (await guard.write(new TextEncoder().encode('\n')).then(
        () => true,
        () => false,
      ));
    if (!isTold) guard.kill('SIGKILL');
    await guard.exit;
  }
}

/** Returns the reason in what jcmd printed, after the line with the PID. */
export function explainRefusal(pid: number, printed: string): RefusedRecording {
  const lines = printed.split('\n').map((line) => line.trim());
  const said = lines.find((line) => line !== '' && !/^\d+:$/.test(line)) ?? 'it printed nothing';
  if (/AttachNotSupported|Unable to open socket file|AttachOperationFailed/.test(printed))
    return new RefusedRecording(
      'not-attached',
      `jcmd can’t attach to process ${pid}: ${oneLine(said)}`,
      'start it without -XX:+DisableAttachMechanism, or record it with perf',
    );
  const code = /^return code: (\d{1,9})$/m.exec(printed)?.[1];
  if (code !== undefined)
    return new RefusedRecording(
      'refused',
      `async-profiler did not start in process ${pid} (code ${code}): it may be recording already`,
      'end its other recording, or record with the Flight Recorder; the process’s own output has the reason',
    );
  if (/was not loaded/.test(printed))
    return new RefusedRecording('refused', `process ${pid} can’t load async-profiler: ${oneLine(said)}`, null);
  if (/Unknown diagnostic command|FlightRecorder/.test(printed))
    return new RefusedRecording(
      'no-recorder',
      `process ${pid} has no Flight Recorder: ${oneLine(said)}`,
      'record it with perf',
    );
  return new RefusedRecording('refused', `jcmd: ${oneLine(said)}`, null);
}

const oneLine = (text: string): string => escapeControls(text).slice(0, 300);
