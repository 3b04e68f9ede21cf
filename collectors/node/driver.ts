import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeOptions } from '#core/contract/node.ts';
import type { Diagnostic } from '#core/model/diagnostics.ts';
import type { CaptureSink, Clock, Plan, Recording, RecordingOutcome } from '../collector.ts';
import { RecordingBase, type Ask } from '../recording-base.ts';
import { toFailure } from '../recording-failure.ts';
import { discardOutput } from '../target/discard-output.ts';
import { readProcStat } from '../target/processes.ts';
import type { RunningProcess, Target } from '../target/target.ts';
import { inspectProcess, type NodeProcess } from './checks.ts';
import { NodeFailure } from './failure.ts';
import { CLOSE, withInspector, type Inspector } from './inspector.ts';
import { agentAnswer, agentCall, guardArgv, NODE_RAW_FILES } from './plan.ts';
import { readBackNode } from './read-back.ts';

/** Time between two looks at whether the process still runs. */
const LIFE_MS = 1000;

/** Samples a Node process from within. Failures are reported by the outcome. */
export const startNode = (target: Target, plan: Plan<NodeOptions>, sink: CaptureSink, clock: Clock): Recording =>
  new NodeRecording(target, plan, sink, clock);

class NodeRecording extends RecordingBase {
  readonly #target: Target;
  readonly #plan: Plan<NodeOptions>;
  readonly #sink: CaptureSink;
  readonly #file: string;
  readonly #key = `flamebench.${randomUUID()}`;
  readonly #messages: string[] = [];
  readonly #diagnostics: Diagnostic[] = [];
  readonly #ending = new AbortController();
  /** The port of the inspector, once it is known. */
  #port: number | null = null;
  #samples = 0;
  #bytes = 0;

  constructor(target: Target, plan: Plan<NodeOptions>, sink: CaptureSink, clock: Clock) {
    super(clock);
    this.#target = target;
    this.#plan = plan;
    this.#sink = sink;
    this.#file = NODE_RAW_FILES[plan.options.profile];
  }

  protected end(): void {
    this.#ending.abort();
  }

  protected async record(): Promise<RecordingOutcome> {
    let guard: RunningProcess | null = null;
    try {
      const node = await inspectProcess(this.#target, this.#plan.options.scope);
      guard = node.seesTarget ? await this.#startGuard() : null;
      await this.#begin(node, guard);
      await this.#wait(node, guard);
      this.markEnd();
      const text = await this.#fetch(node);
      return text === null ? this.#refuse(null) : await this.#keep(text);
    } catch (error) {
      return this.#refuse(error);
    } finally {
      guard?.kill('SIGKILL');
      await guard?.exit;
    }
  }

  async #startGuard(): Promise<RunningProcess> {
    const guard = await this.#target.run(guardArgv(this.#plan.options), { input: false });
    void discardOutput(guard.stdout);
    void discardOutput(guard.stderr);
    return guard;
  }

  async #begin(node: NodeProcess, guard: RunningProcess | null): Promise<void> {
    await this.#inspect(node, async (inspector) => {
      // Read again, because opening takes time.
      const ask = this.#asked();
      if (ask !== null) {
        if (inspector.wasOpened) await inspector.evaluate(CLOSE);
        throw new NodeFailure('stopped-early', 'stopped before the first sample', null);
      }
      const { seconds, profile } = this.#plan.options;
      const pid = guard?.pid ?? null;
      const version = await inspector.evaluate(
        agentCall({ key: this.#key, seconds, guard: pid, profile, closes: inspector.wasOpened }),
      );
      this.#messages.push(`samples Node ${version}`);
      this.markBegin(seconds);
    });
  }

  #asked(): Ask | null {
    return this.ask;
  }

  /** Attaches, and reports a port that stays open. */
  #inspect<T>(node: NodeProcess, use: (inspector: Inspector) => Promise<T>): Promise<T> {
    const once = (inspector: Inspector): Promise<T> => {
      this.#port = inspector.port;
      return use(inspector);
    };
    return withInspector(this.#target, { ...node, port: this.#port ?? node.port }, once, () =>
      this.#diagnostics.push(portStaysOpen(node.pid)),
    );
  }

  /** Waits for the end that was asked for. Throws if the process, or the way to it, ends before. */
  async #wait(node: NodeProcess, guard: RunningProcess | null): Promise<void> {
    const { signal } = this.#ending;
    let isGuardGone = false;
    void guard?.exit.then(() => (isGuardGone = true));
    while (!signal.aborted) {
      await sleep(LIFE_MS, undefined, { signal }).catch(() => undefined);
      if (isGuardGone)
        throw new NodeFailure('connection-lost', 'the connection to the target ended; the samples are lost', null);
      if (!(await isAlive(this.#target, node))) throw processEnded(node.pid);
    }
  }

  /** Returns the profile as JSON; null if it was cancelled. */
  async #fetch(node: NodeProcess): Promise<string | null> {
    if (!(await isAlive(this.#target, node))) throw processEnded(node.pid);
    return this.#inspect(node, async (inspector) => {
      if (this.#asked() === 'cancel') {
        await inspector.evaluate(agentAnswer(this.#key, 'drop'));
        return null;
      }
      const text =
        (await inspector.evaluate(agentAnswer(this.#key, 'take'))) ??
        (await inspector.evaluate(agentAnswer(this.#key, 'taken'), true));
      if (typeof text === 'string') return text;
      throw new NodeFailure('no-profile', 'the process sent no profile', null);
    });
  }

  async #keep(text: string): Promise<RecordingOutcome> {
    if (text === '')
      throw new NodeFailure('no-samples', 'the process created no request, handle or promise', 'record while it works');
    const bytes = new TextEncoder().encode(text);
    await this.#sink.append(this.#file, bytes);
    this.#bytes = bytes.length;
    const { samples, durationMs, quality, diagnostics } = await readBackNode(this.#sink, this.#file);
    this.#samples = samples;
    return {
      ...this.#facts(),
      state: this.#asked() === 'cancel' ? 'cancelled' : 'finished',
      durationMs: durationMs ?? this.elapsedMs,
      quality,
      diagnostics: [...this.#diagnostics, ...diagnostics],
      error: null,
    };
  }

  #refuse(error: unknown): RecordingOutcome {
    const isCancelled = this.#asked() === 'cancel';
    return {
      ...this.#facts(),
      state: isCancelled ? 'cancelled' : 'failed',
      durationMs: this.elapsedMs,
      quality: null,
      diagnostics: this.#diagnostics,
      error: isCancelled ? null : toFailure(error),
    };
  }

  #facts() {
    return {
      incomplete: false,
      primaryFile: this.#file,
      otherFiles: [],
      exit: null,
      samples: this.#samples,
      lost: 0,
      startedAt: this.startedAt,
      event: this.#plan.event,
      cpuSeconds: null,
    };
  }

  protected counts() {
    return { samples: this.#samples, lost: 0, bytes: this.#bytes, messages: [...this.#messages] };
  }
}

const isAlive = async (target: Target, { pid, startTicks }: NodeProcess): Promise<boolean> => {
  const stat = await readProcStat(target, pid);
  return stat?.startTicks === startTicks && stat.state !== 'Z';
};

const processEnded = (pid: number): NodeFailure =>
  new NodeFailure(
    'process-ended',
    `process ${pid} ended; its samples, which were in its memory, are lost`,
    'record fewer --seconds',
  );

const portStaysOpen = (pid: number): Diagnostic => ({
  code: 'inspector-open',
  severity: 'warning',
  message: `The inspector of process ${pid} is still open: its event loop is blocked, and closes the port as soon as it turns.`,
  count: 1,
  first: null,
  remedy: 'Until then, local users can run code in the process.',
});
