import { setTimeout as sleep } from 'node:timers/promises';
import type { ProbePlan } from '#core/contract/load/probe.ts';
import { redactArgv } from '#core/redact/redact-argv.ts';
import { preflightRefusal, probeFormat, readProbe, type ProbeSample } from '#core/load/probe.ts';
import { redactText } from '#core/redact/secret-shapes.ts';
import { messageOf } from '#core/model/failure.ts';
import { findOtherScheme } from '#collectors/fetch/other-scheme.ts';
import { runToEnd } from '#collectors/target/run-to-end.ts';
import type { Target } from '#collectors/target/target.ts';
import { EngineFailure } from '../failure.ts';
import { HOOK_MS, runHook } from './run-hook.ts';
import { checkUrl } from './check-url.ts';
import type { LoadTests } from './load-tests.ts';
import type { LoadSession } from './run-load.ts';

/** Time that a request may take. Seconds. */
const TIMEOUT_SECONDS = 30;
/** Pause between two attempts to connect to a server that starts. Milliseconds. */
const RETRY_MS = 100;
/** curl's exit code if it can't connect. */
const NOT_CONNECTED = 7;
const BAD_REQUEST = 400;

/** Returns curl's command for one probe. */
function probeArgv(program: string, { url, headers, preflight }: ProbePlan): string[] {
  const transfer = (kind: 'probe' | 'preflight', options: readonly string[], times: number): string[] => [
    '--silent',
    '--show-error',
    '--globoff',
    '--proto',
    '=http,https',
    '--max-time',
    String(TIMEOUT_SECONDS),
    ...options,
    '--write-out',
    probeFormat(kind),
    ...Array.from({ length: times }, () => ['--output', '/dev/null']).flat(),
    ...Array.from({ length: times }, () => url),
  ];
  const own = headers.flatMap((header) => ['--header', header]);
  // The user's own configuration would change what is measured.
  if (preflight === undefined) return [program, '--disable', ...transfer('probe', own, 2)];
  const origin = ['--header', `Origin: ${preflight}`];
  const one = [
    ...transfer('preflight', ['--request', 'OPTIONS', ...origin, ...askedHeaders(headers)], 1),
    '--next',
    ...transfer('probe', [...origin, ...own], 1),
  ];
  return [program, '--disable', '--fail-early', ...one, '--next', ...one];
}

/** Headers that a page may send without asking, or that it can't set: https://fetch.spec.whatwg.org/ */
const NOT_ASKED = new Set(['accept', 'accept-language', 'content-language', 'cookie', 'host', 'origin', 'referer']);

/** Returns what a browser asks in the preflight of a GET with these headers. */
function askedHeaders(headers: readonly string[]): string[] {
  const names = headers.map((header) => header.split(/[:;]/, 1)[0]!.trim().toLowerCase());
  const asked = [...new Set(names)].filter((name) => !NOT_ASKED.has(name)).sort();
  return [
    '--header',
    'Access-Control-Request-Method: GET',
    ...(asked.length === 0 ? [] : ['--header', `Access-Control-Request-Headers: ${asked.join(',')}`]),
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

/** Returns exactly the commands of each probe, without secrets. */
export const probeCommands = (program: string, plan: ProbePlan): string[][] => [
  ...(plan.restart === null ? [] : [['sh', '-c', redactText(plan.restart)]]),
  redactArgv(probeArgv(program, plan)),
];

/** Runs the probes and stores them; each is on disk once it has ended. */
export async function startProbe(
  target: Target,
  program: string,
  plan: ProbePlan,
  { name, tests, keepsFailure = false }: { name: string; tests: LoadTests; keepsFailure?: boolean },
): Promise<LoadSession> {
  const { url, headers, restart: command } = plan;
  const writer = await tests.create({
    name,
    host: target.host,
    plan: null,
    commands: probeCommands(program, plan),
    probe: {
      plan: {
        ...plan,
        url: redactText(url),
        headers: headers.map(redactText),
        restart: command === null ? null : redactText(command),
      },
      samples: [],
    },
  });
  const ending = new AbortController();
  let isCancelled = false;
  let kept = 0;
  const run = async () => {
    try {
      await runProbe(target, program, plan, ending.signal, async (sample) => {
        await writer.addProbe(sample);
        kept += 1;
      });
    } catch (error) {
      if (!isCancelled && (kept > 0 || keepsFailure)) {
        const reason = messageOf(error);
        return writer.finish('failed', kept === 0 ? reason : `${reason} The probes before are kept.`);
      }
      await writer.discard();
      throw error;
    }
    if (!isCancelled && kept > 0) return writer.finish(kept === plan.times ? 'finished' : 'stopped');
    await writer.discard();
    return null;
  };
  return {
    id: writer.id,
    done: run(),
    stop: () => ending.abort(),
    cancel() {
      isCancelled = true;
      ending.abort();
    },
  };
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
  onSample: (sample: ProbeSample) => Promise<void> = () => Promise.resolve(),
): Promise<ProbeSample[]> {
  const samples: ProbeSample[] = [];
  while (samples.length < plan.times && !signal.aborted) {
    if (plan.idle > 0) await sleep(plan.idle * 1000, undefined, { signal }).catch(() => undefined);
    if (plan.restart !== null && !signal.aborted) {
      const failure = { failed: `The restart command failed on ${target.host}`, code: 'restart-failed' };
      await runHook(target, ['sh', '-c', plan.restart], failure, signal);
    }
    const sample = await probeOnce(target, program, plan, signal, samples.length + 1);
    if (sample === null) break;
    samples.push(sample);
    await onSample(sample);
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
  const until = performance.now() + HOOK_MS;
  while (!signal.aborted) {
    const { stdout, stderr, exit } = await runToEnd(target, probeArgv(program, plan), {
      timeoutMs: 3 * TIMEOUT_SECONDS * 1000,
      env: { LC_ALL: 'C' },
      signal,
    });
    if (signal.aborted) break;
    const text = new TextDecoder().decode(stdout);
    const refused = preflightRefusal(text);
    if (refused !== null) {
      throw new EngineFailure(
        'preflight-refused',
        `The preflight of probe ${place} was refused with status ${refused}: a browser would not send the request.`,
        `Allow OPTIONS from ${plan.preflight} on the server, or probe without a preflight.`,
      );
    }
    const sample = readProbe(text);
    if (sample !== null && sample.status !== BAD_REQUEST) return sample;
    const mayStart = plan.restart !== null && exit.code === NOT_CONNECTED && performance.now() < until;
    if (sample !== null || !mayStart) {
      // A server answers a plain request at its port for TLS with this status, or with none.
      const other = await findOtherScheme(target, plan.url);
      if (other !== null)
        throw new EngineFailure('other-scheme', `Probe ${place} failed: ${other.found}.`, other.remedy);
      if (sample === null) throw failed(stderr, place);
      return sample;
    }
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
  return null;
}

function failed(stderr: string, place: number): EngineFailure {
  const [line = 'no answer'] = stderr.trim().split('\n');
  return new EngineFailure(
    'refused',
    `Probe ${place} failed: ${redactText(line.replace(/^curl: \(\d+\) /, '')).slice(0, 300)}.`,
    'Check that the server answers at this address, also as seen from the machine that sends the requests.',
  );
}
