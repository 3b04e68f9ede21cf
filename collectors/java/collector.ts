import { isJava, type JavaOptions } from '#core/contract/java.ts';
import { checkOf } from '../check.ts';
import { NO_OUTCOME, type Collector, type Preflight } from '../collector.ts';
import { toFailure } from '../recording-failure.ts';
import type { Target } from '../target/target.ts';
import { readBackProfile } from '../trace-read-back.ts';
import { withoutLive } from '../without-live.ts';
import { findLibrary } from './async-profiler.ts';
import { inspectJava } from './checks.ts';
import { startJava } from './driver.ts';
import { DUMP_RAW_FILE, JAVA_RAW_FILE, planAsyncProfiler, planDump, planJava, recordingName } from './plan.ts';
import { startDump } from './thread-dump.ts';

/** Records a running JVM with its own Flight Recorder, or takes a snapshot of its threads. */
export const javaCollector: Collector<JavaOptions> = {
  id: 'java',
  label: 'Java (Flight Recorder)',
  output: { primaryFile: JAVA_RAW_FILE, otherFiles: [], format: null },
  async checkProcess(target, process) {
    if (!isJava(process)) return [];
    const scope = { kind: 'pid', pid: process.pid, startTicks: null } as const;
    return (await preflightJava(target, { collector: 'java', scope, seconds: 1 })).checks;
  },
  preflight: preflightJava,
  start: (target, plan, sink, clock) =>
    (plan.options.profile === 'threads' ? startDump : startJava)(target, plan, sink, clock),
  scope: ({ scope }) => scope,
  title: ({ profile, scope }) => `Java ${profile === 'threads' ? 'threads of ' : ''}process ${scope.pid}`,
  live: withoutLive('a JVM writes its recording at the end'),
  async recover(_target, sink) {
    for (const primaryFile of [JAVA_RAW_FILE, DUMP_RAW_FILE]) {
      const found = await readBackProfile(sink, primaryFile).catch(() => null);
      if (found !== null) return { ...found, lost: 0, primaryFile };
    }
    return NO_OUTCOME;
  },
};

async function preflightJava(target: Target, options: JavaOptions): Promise<Preflight<JavaOptions>> {
  try {
    const java = await inspectJava(target, options.scope);
    const version = java.version === null ? '' : `JDK ${java.version}, `;
    const found = `${version}by ${java.jcmd}`;
    const isDump = options.profile === 'threads';
    const plan = isDump
      ? planDump(options, java)
      : options.profile === 'async-profiler'
        ? planAsyncProfiler(options, java, await findLibrary(target))
        : planJava(options, java, recordingName());
    return { checks: [checkOf('flight-recorder', 'ok', found)], plan };
  } catch (error) {
    const { message, remedy } = toFailure(error);
    return { checks: [checkOf('flight-recorder', 'failed', message, remedy)], plan: null };
  }
}
