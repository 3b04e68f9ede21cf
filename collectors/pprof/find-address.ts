import type { Check } from '#core/contract/schemas.ts';
import type { PprofOptions } from '#core/contract/pprof.ts';
import { checkOf } from '../check.ts';
import { judgeIdentity } from '../chosen-process.ts';
import { listListeners } from '../target/listeners.ts';
import { parseCommandLine } from '../target/proc-files.ts';
import { findProcess, readProcStat } from '../target/processes.ts';
import type { Target } from '../target/target.ts';
import { fetchText, FETCH_LIMITS } from '../fetch/http-fetch.ts';
import { executableName, forwarded } from './check-program.ts';
import { openRoute } from './route.ts';

/** Further ports would belong to another service. */
const MAX_PORTS = 16;
const PROBE_LIMITS = { ...FETCH_LIMITS, connectMs: 2000, headMs: 3000, idleMs: 2000, bodyMs: 4000 };
const INDEX_BYTES = 256 << 10;

interface FoundAddress {
  /** Null: none. */
  readonly url: string | null;
  readonly check: Check;
}

type PidScope = Extract<PprofOptions['scope'], { kind: 'pid' }>;

/**
 * Requests `/debug/pprof/` from the listening ports of a process, http before https. A port that sends what another
 * program answers is refused here already: both would record that one at the same time, which it can't.
 */
export async function findAddress(
  target: Target,
  { pid, startTicks }: PidScope,
  options: Access,
): Promise<FoundAddress> {
  const failed = (found: string, remedy: string | null): FoundAddress => ({
    url: null,
    check: checkOf('pprof', 'failed', found, remedy),
  });
  const other = judgeIdentity({ pid, startTicks }, await readProcStat(target, pid));
  if (other !== null) return failed(other.message, other.remedy);
  const reached = await listListeners(target, pid);
  if ('problem' in reached) return failed(reached.problem, reached.remedy);
  const { listeners, isContained } = reached;
  if (listeners.length === 0)
    return failed(`process ${pid} listens on no TCP port`, 'give its URL if another process serves it');
  let behind: string | null = null;
  for (const { host, port } of listeners.slice(0, MAX_PORTS)) {
    for (const scheme of ['http', 'https']) {
      const url = `${scheme}://${host}:${port}/`;
      const index = await ask(target, `${url}debug/pprof/`, options);
      if (index === null || !index.includes('/debug/pprof/') || !index.includes('goroutine')) continue;
      const other = await otherProgram(target, pid, `${url}debug/pprof/cmdline`, options);
      if (other === null) {
        const found = `process ${pid} serves it at ${url}debug/pprof/`;
        return { url, check: checkOf('pprof', 'ok', found) };
      }
      behind ??= other;
    }
  }
  const process = await findProcess(target, pid);
  if (behind !== null && process !== null) {
    const { message, remedy } = forwarded(process, behind);
    return failed(message, remedy);
  }
  const { runtime = null } = process ?? {};
  const ports = listeners.map(({ port }) => port).join(', ');
  if (isContained) {
    return failed(
      `process ${pid} serves no /debug/pprof/ that ${target.kind === 'local' ? 'this machine' : 'the host'} reaches on port ${ports} of its own network`,
      'publish the port, and give its URL',
    );
  }
  return failed(
    `process ${pid} serves no /debug/pprof/ on port ${ports}${runtime === null || runtime === 'go' ? '' : `: it is not Go but ${runtime}`}`,
    runtime === null || runtime === 'go'
      ? 'import net/http/pprof in the program, or give the URL if it uses a different path'
      : 'record it with perf, or give its URL',
  );
}

/** Returns the base name of the program that answers, by its command line, unless it may be the process's own; null: it may be. */
async function otherProgram(target: Target, pid: number, url: string, options: Access): Promise<string | null> {
  const [program] = parseCommandLine(new TextEncoder().encode((await ask(target, url, options)) ?? ''));
  // Whatever else a program sends for an unknown path is no command line.
  if (program === undefined || !/^[\x20-\x7e]+$/.test(program)) return null;
  const file = { path: `/proc/${pid}/cmdline`, offset: 0, length: 4096 };
  const [[own], [executable]] = await Promise.all([target.readRanges([file]), target.readLinks([`/proc/${pid}/exe`])]);
  const names = [parseCommandLine(own ?? new Uint8Array())[0], executable].flatMap((path) =>
    typeof path === 'string' ? [executableName(path)] : [],
  );
  return names.length === 0 || names.includes(executableName(program)) ? null : executableName(program);
}

type Access = Pick<PprofOptions, 'headers' | 'tls'>;

/** Returns the text of an answer; null without one. */
async function ask(target: Target, url: string, options: Access): Promise<string | null> {
  try {
    const route = await openRoute(target, url);
    try {
      const fetch = { url, options, signal: AbortSignal.timeout(5000), limits: PROBE_LIMITS };
      return await fetchText({ ...fetch, ...(route.via === undefined ? {} : { via: route.via }) }, INDEX_BYTES);
    } finally {
      await route.close();
    }
  } catch {
    return null;
  }
}
