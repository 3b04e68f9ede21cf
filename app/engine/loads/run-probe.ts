import { setTimeout as sleep } from 'node:timers/promises';
import { PROBE_FORMAT, readProbe, type ProbeSample } from '#core/load/probe.ts';
import { redactText } from '#core/redact/secret-shapes.ts';
import { runToEnd } from '#collectors/target/run-to-end.ts';
import type { Target } from '#collectors/target/target.ts';
import { EngineFailure } from '../failure.ts';
import { checkUrl } from './check-url.ts';

export interface ProbePlan {
  readonly url: string;
  readonly headers: readonly string[];
  /** Number of probes, each with two requests: on a new connection, and on the same one again. */
  readonly times: number;
  /** A command line for the target's shell, run before each probe; it must terminate. Null for none. */
  readonly restart: string | null;
  /** Pause before each probe. Seconds. */
  readonly idle: number;
}

export const MAX_PROBES = 1000;
/** Time that a request may take. Seconds. */
const TIMEOUT_SECONDS = 30;
/** Time that the command may take, and then the server until it accepts connections. Milliseconds. */
const RESTART_MS = 120_000;
/** Pause between two attempts to connect to a server that starts. Milliseconds. */
const RETRY_MS = 100;
/** curl's exit code if it can't connect. */
const NOT_CONNECTED = 7;

/** Returns curl's command for one probe. */
export function probeArgv(program: string, { url, headers }: ProbePlan): string[] {
  return [
    program,
    // The user's own configuration would change what is measured.
    '--disable',
    '--silent',
    '--show-error',
    '--globoff',
    '--proto',
    '=http,https',
    '--max-time',
    String(TIMEOUT_SECONDS),
    ...headers.flatMap((header) => ['--header', header]),
    '--write-out',
    PROBE_FORMAT,
    '--output',
    '/dev/null',
    '--output',
    '/dev/null',
    url,
    url,
  ];
}

/** Returns the absolute path of curl. Rejects with an `EngineFailure` for an invalid URL, or if curl is missing. */
export async function planProbe(target: Target, { url }: ProbePlan): Promise<string> {
  checkUrl(url);
  const program = await target.findExecutable('curl');
  if (program !== null) return program;
  throw new EngineFailure(
    'no-tool',
    `curl is not installed on ${target.host}.`,
    'Install it there (Debian and Ubuntu: apt install curl).',
  );
}

/**
 * Runs the probes one after another. Rejects with an `EngineFailure` at the first failure; an abort returns the
 * finished ones.
 */
export async function runProbe(
  target: Target,
  program: string,
  plan: ProbePlan,
  signal: AbortSignal,
): Promise<ProbeSample[]> {
  const samples: ProbeSample[] = [];
  while (samples.length < plan.times && !signal.aborted) {
    if (plan.idle > 0) await sleep(plan.idle * 1000, undefined, { signal }).catch(() => undefined);
    if (plan.restart !== null && !signal.aborted) await restart(target, plan.restart, signal);
    const sample = await probeOnce(target, program, plan, signal, samples.length + 1);
    if (sample === null) break;
    samples.push(sample);
  }
  return samples;
}

/**
 * Runs one probe; null if aborted. After a restart, waits until the server accepts connections and measures the first
 * one.
 */
async function probeOnce(
  target: Target,
  program: string,
  plan: ProbePlan,
  signal: AbortSignal,
  place: number,
): Promise<ProbeSample | null> {
  const until = performance.now() + RESTART_MS;
  while (!signal.aborted) {
    const { stdout, stderr, exit } = await runToEnd(target, probeArgv(program, plan), {
      timeoutMs: 3 * TIMEOUT_SECONDS * 1000,
      env: { LC_ALL: 'C' },
      signal,
    });
    if (signal.aborted) break;
    const sample = readProbe(new TextDecoder().decode(stdout));
    if (sample !== null) return sample;
    const mayStart = plan.restart !== null && exit.code === NOT_CONNECTED && performance.now() < until;
    if (!mayStart) throw failed(stderr, place);
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
  return null;
}

async function restart(target: Target, command: string, signal: AbortSignal): Promise<void> {
  const { stderr, exit } = await runToEnd(target, ['sh', '-c', command], { timeoutMs: RESTART_MS, signal });
  if (exit.code === 0 || signal.aborted) return;
  const how = exit.code === null ? 'did not end in 2 minutes' : `exit code ${exit.code}`;
  const last = redactText(stderr.trim().split('\n').at(-1) ?? '').slice(0, 300);
  throw new EngineFailure(
    'restart-failed',
    `The command of --restart failed on ${target.host} (${how})${last === '' ? '' : `: ${last}`}.`,
    'Run it by hand to see why; it must end by itself.',
  );
}

function failed(stderr: string, place: number): EngineFailure {
  const [line = 'no answer'] = stderr.trim().split('\n');
  return new EngineFailure(
    'refused',
    `Probe ${place} failed: ${redactText(line.replace(/^curl: \(\d+\) /, '')).slice(0, 300)}.`,
    'Check that the server answers at this address, also as seen from the machine that sends the requests.',
  );
}
