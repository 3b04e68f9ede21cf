import type { JavaOptions } from '#core/contract/java.ts';
import { AttachedRecording } from '../attached-recording.ts';
import {
  commandsOf,
  type CaptureSink,
  type Clock,
  type Plan,
  type Recording,
  type RecordingOutcome,
} from '../collector.ts';
import { RefusedRecording } from '../recording-failure.ts';
import { runToEnd } from '../target/run-to-end.ts';
import type { Target } from '../target/target.ts';
import { inspectJava } from './checks.ts';
import { explainRefusal, JCMD_MS } from './driver.ts';
import { DUMP_RAW_FILE } from './plan.ts';

/** A thread has some 10 KB; JVMs have up to some 10,000 threads. */
const MAX_BYTES = 256 << 20;

/** Takes a snapshot of a JVM's threads. Failures are reported by the outcome. */
export const startDump = (target: Target, plan: Plan<JavaOptions>, sink: CaptureSink, clock: Clock): Recording =>
  new ThreadDump(target, plan, sink, clock, DUMP_RAW_FILE);

class ThreadDump extends AttachedRecording<JavaOptions> {
  protected async record(): Promise<RecordingOutcome> {
    try {
      const java = await inspectJava(this.target, this.plan.options.scope);
      if (this.asked() !== null) throw new RefusedRecording('stopped-early', 'stopped before the first sample', null);
      this.markBegin(null);
      const options = { env: { LC_ALL: 'C' }, timeoutMs: JCMD_MS, maxBytes: MAX_BYTES + 1 };
      const { stdout, stderr, exit } = await runToEnd(this.target, commandsOf(this.plan)[0]!, options);
      this.markEnd();
      if (this.asked() === 'cancel') return this.refuse(null);
      const head = new TextDecoder().decode(stdout.subarray(0, 4096));
      if (exit.code !== 0 || !/^Full thread dump /m.test(head)) {
        await this.expectAlive(java);
        throw explainRefusal(java.pid, `${stderr}\n${head}`);
      }
      if (stdout.length > MAX_BYTES)
        throw new RefusedRecording('too-large', 'the JVM printed more than 256 MB of threads', null);
      await this.append(stdout);
      return { ...(await this.keep()), durationMs: null };
    } catch (error) {
      return this.refuse(error);
    }
  }
}
