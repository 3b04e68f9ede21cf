import type { Check } from '#core/contract/schemas.ts';
import type { PprofOptions } from '#core/contract/pprof.ts';
import { checkOf } from '../check.ts';
import { judgeIdentity } from '../chosen-process.ts';
import { listListeners } from '../target/listeners.ts';
import { findProcess, readProcStat } from '../target/processes.ts';
import type { Target } from '../target/target.ts';
import { fetchText, FETCH_LIMITS } from '../fetch/http-fetch.ts';
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

/** Requests `/debug/pprof/` from the listening ports of a process, http before https. */
export async function findAddress(
  target: Target,
  { pid, startTicks }: PidScope,
  options: Pick<PprofOptions, 'headers' | 'tls'>,
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
  for (const { host, port } of listeners.slice(0, MAX_PORTS)) {
    for (const scheme of ['http', 'https']) {
      const url = `${scheme}://${host}:${port}/`;
      if (await servesPprof(target, url, options)) {
        const found = `process ${pid} serves it at ${url}debug/pprof/`;
        return { url, check: checkOf('pprof', 'ok', found) };
      }
    }
  }
  const { runtime = null } = (await findProcess(target, pid)) ?? {};
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

async function servesPprof(
  target: Target,
  url: string,
  options: Pick<PprofOptions, 'headers' | 'tls'>,
): Promise<boolean> {
  try {
    const route = await openRoute(target, url);
    try {
      const fetch = { url: `${url}debug/pprof/`, options, signal: AbortSignal.timeout(5000), limits: PROBE_LIMITS };
      const index = await fetchText({ ...fetch, ...(route.via === undefined ? {} : { via: route.via }) }, INDEX_BYTES);
      return index.includes('/debug/pprof/') && index.includes('goroutine');
    } finally {
      await route.close();
    }
  } catch {
    return false;
  }
}
