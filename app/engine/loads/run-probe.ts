import { PROBE_FORMAT, readProbe, type ProbeSample } from '#core/load/probe.ts';
import { redactText } from '#core/redact/secret-shapes.ts';
import { runToEnd } from '#collectors/target/run-to-end.ts';
import type { Target } from '#collectors/target/target.ts';
import { EngineFailure } from '../failure.ts';
import { checkUrl } from './check-url.ts';

export interface ProbePlan {
  readonly url: string;
  readonly headers: readonly string[];
  /** Two requests each: on a new connection, and on the kept one. */
  readonly times: number;
}

export const MAX_PROBES = 1000;
/** Time that a request may take. Seconds. */
const TIMEOUT_SECONDS = 30;

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

/** Returns the absolute path of curl. Rejects with an `EngineFailure` for a bad URL, and if there is no curl. */
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

/** Probes one after another. Rejects with an `EngineFailure` at the first that fails; an abort ends it with those so far. */
export async function runProbe(
  target: Target,
  program: string,
  plan: ProbePlan,
  signal: AbortSignal,
): Promise<ProbeSample[]> {
  const samples: ProbeSample[] = [];
  while (samples.length < plan.times && !signal.aborted) {
    const { stdout, stderr } = await runToEnd(target, probeArgv(program, plan), {
      timeoutMs: 3 * TIMEOUT_SECONDS * 1000,
      env: { LC_ALL: 'C' },
      signal,
    });
    if (signal.aborted) break;
    const sample = readProbe(new TextDecoder().decode(stdout));
    if (sample === null) throw failed(stderr, samples.length + 1);
    samples.push(sample);
  }
  return samples;
}

function failed(stderr: string, place: number): EngineFailure {
  const [line = 'no answer'] = stderr.trim().split('\n');
  return new EngineFailure(
    'refused',
    `Probe ${place} failed: ${redactText(line.replace(/^curl: \(\d+\) /, '')).slice(0, 300)}.`,
    'Check that the server answers at this address, also as seen from the machine that sends the requests.',
  );
}
