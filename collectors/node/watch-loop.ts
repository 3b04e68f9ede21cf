import { randomUUID } from 'node:crypto';
import { readLoopReadings, type LoopReading } from '#core/import/v8/event-loop.ts';
import { isObject } from '#core/import/text/json-value.ts';
import { RefusedRecording } from '../recording-failure.ts';
import { discardOutput } from '../target/discard-output.ts';
import type { Target } from '../target/target.ts';
import { inspectProcess } from './checks.ts';
import { withInspector } from './inspector.ts';
import { agentAnswer, agentCall, guardArgv } from './plan.ts';

/** Reads the event loop of a Node process once a second, without sampling. */
export interface LoopWatch {
  /** Returns the readings since the last call; `at` is in Unix epoch milliseconds of this machine. */
  take(): Promise<LoopReading[]>;
  /** Idempotent. */
  end(): void;
}

/** Longer than any load test; the guard ends with Flamebench. */
const GUARD_SECONDS = 7 * 86_400;
/** Seconds between two calls of {@link LoopWatch.take}, after which the process stops reading. */
const IDLE_SECONDS = 2 * 3600;

/** Starts reading. Throws a {@link RefusedRecording} if the process can't be inspected. */
export async function watchLoop(target: Target, pid: number): Promise<LoopWatch> {
  const node = await inspectProcess(target, { kind: 'pid', pid, startTicks: null });
  const key = `flamebench.${randomUUID()}`;
  const guard = node.seesTarget ? await target.run(guardArgv({ seconds: GUARD_SECONDS }), { input: false }) : null;
  if (guard !== null) {
    void discardOutput(guard.stdout);
    void discardOutput(guard.stderr);
  }
  let port = node.port;
  const evaluate = (expression: string): Promise<string | number | null> =>
    withInspector(target, { ...node, port }, (inspector) => {
      port = inspector.port;
      return inspector.evaluate(expression);
    });
  try {
    const settings = { key, seconds: IDLE_SECONDS, guard: guard?.pid ?? null, profile: 'none' } as const;
    await evaluate(agentCall(settings));
  } catch (error) {
    guard?.kill('SIGKILL');
    throw error;
  }
  return {
    async take() {
      const text = await evaluate(agentAnswer(key, 'peek'));
      const now = Date.now();
      const answer: unknown = typeof text === 'string' ? JSON.parse(text) : null;
      if (!isObject(answer) || typeof answer['now'] !== 'number')
        throw new RefusedRecording('no-readings', `process ${pid} sent no readings`, null);
      const clock = answer['now'];
      return readLoopReadings(answer['readings']).map((one) => ({ ...one, at: now - (clock - one.at) / 1000 }));
    },
    end() {
      // What runs in the process ends with its guard.
      guard?.kill('SIGKILL');
      if (guard === null) void evaluate(agentAnswer(key, 'drop')).catch(() => undefined);
    },
  };
}
