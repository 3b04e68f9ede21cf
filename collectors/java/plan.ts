import { randomBytes } from 'node:crypto';
import { ASYNC_PROFILER_CONSENT, JAVA_CONSENT, JAVA_DUMP_CONSENT, type JavaOptions } from '#core/contract/java.ts';
import { commandStep, TARGET_FOLDER, type Plan } from '../collector.ts';
import { readScript } from '../read-script.ts';
import type { SentFile } from '../kept-files.ts';
import { ASYNC_PROFILER_VERSION, LIBRARY, type ProfilerLibrary } from './async-profiler.ts';
import type { JavaProcess } from './checks.ts';

export const JAVA_RAW_FILE = 'raw.jfr';
export const DUMP_RAW_FILE = 'raw.threads.txt';

/** Name of a recording within the JVM: tells it from the user's own. */
export const recordingName = (): string => `flamebench-${randomBytes(8).toString('hex')}`;

export const SETTINGS_FILE = 'settings.jfc';

/** Seconds after the planned end after which the JVM ends the recording if nobody else could. */
const GRACE_SECONDS = 60;
/** Space that the JVM may use on the target; a busy service fills some 100 KB a second. */
export const MAX_MEGABYTES = 512;
const SAMPLE_MS = 10;
/** Of all threads, also those that wait; async-profiler's default. */
const WALL_MS = 50;
/** What waits shorter than this is not recorded, as in the JDK's profile.jfc. */
const WAIT_MS = 10;

const END_RECORDING = readScript(new URL('./end-recording.sh', import.meta.url));

/** Without the option, jcmd would leave a folder for its own statistics in /tmp. */
const jcmdOf = ({ jcmd }: JavaProcess): string[] => [jcmd, '-J-XX:-UsePerfData'];

/** Returns the argv of a program, run as the process's user with none of root's environment. */
function asOwner({ owner }: JavaProcess, argv: readonly string[]): string[] {
  const [uid, gid] = owner?.split(':') ?? [];
  if (uid === undefined) return [...argv];
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', 'env', '-i', 'LC_ALL=C', ...argv];
}

/** Returns the command that runs while the JVM is recorded, and runs `stop` if Flamebench is gone. */
export const guardArgv = (java: JavaProcess, stop: readonly string[]): string[] => [
  '/bin/sh',
  '-c',
  END_RECORDING,
  'flamebench',
  String(java.pid),
  java.startTicks,
  ...stop,
];

/** Returns the commands that let the JVM of another user write that one file of the folder. */
function giveFile({ owner }: JavaProcess, file: string): string[][] {
  const [uid, gid] = owner?.split(':') ?? [];
  if (uid === undefined || gid === undefined) return [];
  return [
    ['chmod', '711', TARGET_FOLDER],
    ['install', '-o', uid, '-g', gid, '-m', '600', '/dev/null', file],
  ];
}

/** Pure. `name`: of the recording within the JVM. */
export function planJava(options: JavaOptions, java: JavaProcess, name: string): Plan<JavaOptions> {
  const jcmd = [...jcmdOf(java), String(java.pid)];
  const limits = [`duration=${options.seconds + GRACE_SECONDS}s`, `maxsize=${MAX_MEGABYTES}M`];
  const file = `${TARGET_FOLDER}/recording.jfr`;
  return {
    collector: 'java',
    options,
    steps: [
      ...giveFile(java, file),
      // Without a file name, newer JVMs make a file in their working directory.
      asOwner(java, [
        ...jcmd,
        'JFR.start',
        `name=${name}`,
        `settings=${TARGET_FOLDER}/${SETTINGS_FILE}`,
        `filename=${file}`,
        ...limits,
      ]),
      asOwner(java, [...jcmd, 'JFR.stop', `name=${name}`]),
      ['cat', file],
    ].map(commandStep),
    piped: false,
    sudo: null,
    otherFiles: [],
    toolVersion: java.version,
    event: 'jdk.ExecutionSample',
    rateHz: 1000 / SAMPLE_MS,
    note: JAVA_CONSENT,
  };
}

export interface AsyncProfilerPlan extends Plan<JavaOptions> {
  /** The library that is sent. Absent: the target's own, or none. */
  readonly sent?: SentFile;
}

/** Without what may contain secrets: the machine's facts, the JVM's arguments, and the system properties. */
const WITHOUT_SECRETS = 'jfropts=7';

/** Returns the plan of a recording by async-profiler, as an agent that `jcmd` loads. Pure. */
export function planAsyncProfiler(
  options: JavaOptions,
  java: JavaProcess,
  library: ProfilerLibrary,
): AsyncProfilerPlan {
  const file = `${TARGET_FOLDER}/recording.jfr`;
  const sent = typeof library === 'string' ? null : library;
  const path = typeof library === 'string' ? library : `${TARGET_FOLDER}/${LIBRARY}`;
  // The JVM splits an argument without quotes at `=`.
  const agent = (words: readonly string[]): string[] =>
    asOwner(java, [...jcmdOf(java), String(java.pid), 'JVMTI.agent_load', path, `"${words.join(',')}"`]);
  const events = ['event=cpu', `interval=${SAMPLE_MS}ms`, 'alloc', 'lock', `wall=${WALL_MS}ms`];
  const output = ['jfr', WITHOUT_SECRETS, `file=${file}`, `timeout=${options.seconds + GRACE_SECONDS}`, 'quiet'];
  return {
    collector: 'java',
    options,
    steps: [
      ...giveFile(java, file),
      agent(['start', ...events, ...output]),
      agent(['stop', 'quiet']),
      ['cat', file],
    ].map(commandStep),
    piped: false,
    sudo: null,
    otherFiles: [],
    toolVersion: sent === null ? null : ASYNC_PROFILER_VERSION,
    event: 'jdk.ExecutionSample',
    rateHz: 1000 / SAMPLE_MS,
    note: ASYNC_PROFILER_CONSENT,
    ...(sent === null
      ? {}
      : { sent, remark: `${LIBRARY} (async-profiler ${ASYNC_PROFILER_VERSION}) is sent, and deleted at the end` }),
  };
}

/** Returns the plan of a snapshot of the threads. Pure. */
export const planDump = (options: JavaOptions, java: JavaProcess): Plan<JavaOptions> => ({
  collector: 'java',
  options,
  steps: [commandStep(asOwner(java, [...jcmdOf(java), String(java.pid), 'Thread.print']))],
  piped: false,
  sudo: null,
  otherFiles: [],
  toolVersion: java.version,
  event: 'threads',
  rateHz: null,
  note: JAVA_DUMP_CONSENT,
});

const on = { enabled: 'true' };
const waits = { ...on, threshold: `${WAIT_MS} ms`, stackTrace: 'true' };
const once = { ...on, period: 'beginChunk' };

/** The events, all those with stacks of the JDK's profile.jfc; those with secrets (environment, arguments, properties, other processes) are not recorded. */
function eventsOf(version: string | null): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const major = Number(/^(?:1\.)?(\d+)/.exec(version ?? '')?.[1] ?? Infinity);
  const allocations = { ...on, stackTrace: 'true' };
  return {
    'jdk.ActiveSetting': on,
    'jdk.OSInformation': once,
    'jdk.CPUInformation': once,
    'jdk.DataLoss': on,
    'jdk.ExecutionSample': { ...on, period: `${SAMPLE_MS} ms` },
    'jdk.NativeMethodSample': { ...on, period: `${2 * SAMPLE_MS} ms` },
    ...(major >= 16
      ? { 'jdk.ObjectAllocationSample': { ...allocations, throttle: '300/s' } }
      : { 'jdk.ObjectAllocationInNewTLAB': allocations, 'jdk.ObjectAllocationOutsideTLAB': allocations }),
    'jdk.JavaMonitorEnter': waits,
    'jdk.JavaMonitorWait': waits,
    'jdk.ThreadPark': waits,
    'jdk.ThreadSleep': waits,
    'jdk.SocketRead': waits,
    'jdk.SocketWrite': waits,
    'jdk.FileRead': waits,
    'jdk.FileWrite': waits,
  };
}

/** Returns the settings file of the JVM's Flight Recorder. */
export function settingsOf({ version }: JavaProcess): string {
  const events = Object.entries(eventsOf(version)).map(([name, settings]) => {
    const lines = Object.entries(settings).map(([key, value]) => `<setting name="${key}">${value}</setting>`);
    return `<event name="${name}">${lines.join('')}</event>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<configuration version="2.0">\n${events.join('')}</configuration>\n`;
}
