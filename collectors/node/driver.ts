import { randomUUID } from 'node:crypto';
import type { NodeOptions } from '#core/contract/node.ts';
import { diagnostic, type Diagnostic } from '#core/model/diagnostics.ts';
import { AttachedRecording } from '../attached-recording.ts';
import type { CaptureSink, Clock, Plan, Recording, RecordingOutcome } from '../collector.ts';
import { RefusedRecording } from '../recording-failure.ts';
import type { RunningProcess, Target } from '../target/target.ts';
import { inspectProcess, type NodeProcess } from './checks.ts';
import { withInspector, type Inspector } from './inspector.ts';
import { agentAnswer, agentCall, guardArgv, NODE_RAW_FILES } from './plan.ts';

/** Samples a Node process from within. Failures are reported by the outcome. */
export const startNode = (target: Target, plan: Plan<NodeOptions>, sink: CaptureSink, clock: Clock): Recording =>
  new NodeRecording(target, plan, sink, clock, NODE_RAW_FILES[plan.options.profile]);

class NodeRecording extends AttachedRecording<NodeOptions> {
  readonly #key = `flamebench.${randomUUID()}`;
  /** The port of the inspector, once it is known. */
  #port: number | null = null;

  protected async record(): Promise<RecordingOutcome> {
    let guard: RunningProcess | null = null;
    try {
      const node = await inspectProcess(this.target, this.plan.options.scope);
      guard = node.seesTarget ? await this.startGuard(guardArgv(this.plan.options), false) : null;
      await this.#begin(node, guard);
      await this.waitForEnd(node, guard);
      this.markEnd();
      const text = await this.#fetch(node);
      return text === null ? this.refuse(null) : await this.#keep(text);
    } catch (error) {
      return this.refuse(error);
    } finally {
      guard?.kill('SIGKILL');
      await guard?.exit;
    }
  }

  async #begin(node: NodeProcess, guard: RunningProcess | null): Promise<void> {
    await this.#inspect(node, async (inspector) => {
      // Read again, because opening takes time.
      const ask = this.asked();
      if (ask !== null) {
        throw new RefusedRecording('stopped-early', 'stopped before the first sample', null);
      }
      const { seconds, profile, withHeap = false, sourceMaps = false } = this.plan.options;
      const own = { key: this.#key, guard: guard?.pid ?? null };
      const version = await inspector.evaluate(agentCall({ ...own, seconds, profile, withHeap, sourceMaps }));
      this.messages.push(`samples Node ${version}`);
      this.markBegin(seconds);
    });
  }

  /** Attaches, and reports a port that stays open. */
  #inspect<T>(node: NodeProcess, use: (inspector: Inspector) => Promise<T>): Promise<T> {
    const once = (inspector: Inspector): Promise<T> => {
      this.#port = inspector.port;
      return use(inspector);
    };
    return withInspector(this.target, { ...node, port: this.#port ?? node.port }, once, () =>
      this.diagnostics.push(portStaysOpen(node.pid)),
    );
  }

  /** Returns the profile as JSON; null if it was cancelled. */
  async #fetch(node: NodeProcess): Promise<string | null> {
    await this.expectAlive(node);
    return this.#inspect(node, async (inspector) => {
      if (this.asked() === 'cancel') {
        await inspector.evaluate(agentAnswer(this.#key, 'drop'));
        return null;
      }
      const text =
        (await inspector.evaluate(agentAnswer(this.#key, 'take'))) ??
        (await inspector.evaluate(agentAnswer(this.#key, 'taken'), true));
      if (typeof text === 'string') return text;
      throw new RefusedRecording('no-profile', 'the process sent no profile', null);
    });
  }

  async #keep(text: string): Promise<RecordingOutcome> {
    if (text === '')
      throw new RefusedRecording(
        'no-samples',
        'the process created no request, handle or promise',
        'record while it works',
      );
    const { sourceMaps } = this.plan.options;
    // Loaded here because other recordings need no maps.
    const kept = sourceMaps === true ? (await import('./source-maps.ts')).withSources(text) : text;
    await this.append(new TextEncoder().encode(kept));
    return this.keep();
  }
}

const portStaysOpen = (pid: number): Diagnostic =>
  diagnostic(
    'inspector-open',
    `The inspector of process ${pid} is still open: its event loop is blocked, or another client is connected; the process closes the port after that.`,
    { remedy: 'Until then, local users can run code in the process.' },
  );
