import type { PerfOptions } from '#core/contract/schemas.ts';
import type { RecordingFailure } from '../recording-failure.ts';
import { printedBy, runToEnd } from '../target/run-to-end.ts';
import { SpawnFailure, type Target } from '../target/target.ts';
import { explainPerfFailure } from './explain-failure.ts';
import { PERF_ENVIRONMENT } from './perf-environment.ts';
import { scopeArgv } from './scope.ts';
import { readPerfStream, type PerfAttr } from './stream.ts';

export type CallGraphMode = Exclude<PerfOptions['callGraph'], 'auto'>;

/** perf's capabilities on a target, each determined by trying. */
export interface PerfCapabilities {
  /** Absolute path. */
  readonly perfPath: string;
  /** `6.1.187`; null if perf does not run. */
  readonly version: string | null;
  /** perf reads commands while it records (5.9 and later), so the ring can be emptied at any time. */
  readonly control: boolean;
  /** The best event that works: `cycles`, otherwise `cpu-clock`. Null if neither does. */
  readonly event: string | null;
  /** Whether samples include kernel frames; null if nothing could be recorded. */
  readonly kernelSamples: boolean | null;
  readonly callGraphs: ReadonlyMap<CallGraphMode, Trial>;
  /** Why no event works. */
  readonly failure: RecordingFailure | null;
}

/** Result of recording `true` briefly. */
export type Trial = { readonly works: true } | { readonly works: false; readonly failure: RecordingFailure };

/** PERF_TYPE_SOFTWARE of perf_event_open(2). */
const SOFTWARE = 1;
const TRIAL_TIMEOUT_MS = 8000;

/** Tries the event and the requested call graphs. Null if the target has no perf. */
export async function probePerf(target: Target, modes: readonly CallGraphMode[]): Promise<PerfCapabilities | null> {
  const perfPath = await target.findExecutable('perf');
  if (perfPath === null) return null;
  const [version, first] = await Promise.all([
    readPerfVersion(target, perfPath),
    // perf silently substitutes cpu-clock if cycles do not work; the stream states what it used.
    tryRecord(target, perfPath, ['-e', 'cycles']),
  ]);
  const best = first.failure === null ? first : await tryRecord(target, perfPath, ['-e', 'cpu-clock']);
  const event = best.failure !== null ? null : isSoftware(best.attrs) ? 'cpu-clock' : 'cycles';
  return {
    perfPath,
    version,
    control: hasControl(version),
    event,
    kernelSamples: best.attrs[0] === undefined ? null : !best.attrs[0].excludesKernel,
    callGraphs: event === null ? new Map() : await tryCallGraphs(target, perfPath, event, modes),
    failure: best.failure,
  };
}

/** perf of Linux 5.9 introduced --control fd:…. */
const CONTROL_VERSION = '5.9';

export const hasControl = (version: string | null): boolean => version !== null && isAtLeast(version, CONTROL_VERSION);

/** Compares versions such as `6.1.187` and `5.4.0-150-generic`. */
export function isAtLeast(version: string, least: string): boolean {
  const [parts, wanted] = [version, least].map((text) =>
    text.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0),
  );
  for (const [index, number] of (wanted ?? []).entries()) {
    const part = parts?.[index] ?? 0;
    if (part !== number) return part > number;
  }
  return true;
}

/** Tries whether the scope can be recorded with these options: the kernel checks permissions when events are opened. */
export async function tryScope(target: Target, perfPath: string, options: PerfOptions, event: string): Promise<Trial> {
  const scope = options.scope.kind === 'command' ? [] : scopeArgv(options.scope, event, '');
  const mode = options.callGraph === 'auto' ? 'fp' : options.callGraph;
  const { failure } = await tryRecord(target, perfPath, ['-e', event, '--call-graph', mode, ...scope]);
  if (failure === null) return { works: true };
  return { works: false, failure: await explainRefusal(target, options.scope, failure) };
}

/**
 * Explains a refusal. For another user's process a lower kernel.perf_event_paranoid is not enough: it needs ptrace(2)
 * access, or CAP_PERFMON.
 */
export async function explainRefusal(
  target: Target,
  scope: PerfOptions['scope'],
  failure: RecordingFailure,
): Promise<RecordingFailure> {
  if (scope.kind !== 'pid' || failure.code !== 'perf-refused') return failure;
  const [owner, self] = await Promise.all([target.stat(`/proc/${scope.pid}`), target.stat('/proc/self')]);
  if (owner === null || self === null || owner.uid === self.uid) return failure;
  const message = `process ${scope.pid} belongs to another user, and the kernel does not let this user record it`;
  return { code: 'other-user', message, remedy: 'record as root or as that user' };
}

async function tryCallGraphs(
  target: Target,
  perfPath: string,
  event: string,
  modes: readonly CallGraphMode[],
): Promise<ReadonlyMap<CallGraphMode, Trial>> {
  const trials = await Promise.all(
    modes.map((mode) => tryRecord(target, perfPath, ['-e', event, '--call-graph', mode])),
  );
  return new Map(
    modes.map((mode, index) => {
      const failure = trials[index]!.failure;
      return [mode, failure === null ? { works: true } : { works: false, failure }];
    }),
  );
}

interface RecordTrial {
  readonly attrs: readonly PerfAttr[];
  readonly failure: RecordingFailure | null;
}

/** Avoids a thread for which perf waits a second at the end; since 5.1. */
const QUICK = '--no-bpf-event';

/** Records for as long as `true` runs. */
async function tryRecord(
  target: Target,
  perfPath: string,
  options: readonly string[],
  quick: readonly string[] = [QUICK],
): Promise<RecordTrial> {
  const argv = [perfPath, 'record', '-o', '-', '-F', '99', ...quick, ...options, '--', 'true'];
  try {
    const { stdout, stderr, exit } = await runToEnd(target, argv, {
      env: PERF_ENVIRONMENT,
      timeoutMs: TRIAL_TIMEOUT_MS,
    });
    if (quick.length > 0 && stderr.includes('unknown option')) return await tryRecord(target, perfPath, options, []);
    const reader = readPerfStream();
    reader.push(stdout);
    const worked = exit.code === 0 && reader.attrs.length > 0;
    return { attrs: reader.attrs, failure: worked ? null : explainPerfFailure(stderr, exit) };
  } catch (error) {
    if (!(error instanceof SpawnFailure)) throw error;
    return { attrs: [], failure: { code: 'perf-refused', message: error.message, remedy: null } };
  }
}

const isSoftware = (attrs: readonly PerfAttr[]): boolean => attrs.every(({ type }) => type === SOFTWARE);

/** Returns `6.1.187`; null if perf does not run. */
export async function readPerfVersion(target: Target, perfPath: string): Promise<string | null> {
  const printed = await printedBy(target, [perfPath, '--version'], { env: PERF_ENVIRONMENT });
  return /perf version (\S+)/.exec(printed)?.[1] ?? null;
}
