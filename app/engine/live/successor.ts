import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#collectors/collector.ts';
import { listProcesses } from '#collectors/target/processes.ts';
import type { Target } from '#collectors/target/target.ts';
import type { ProcessRow } from '#core/contract/schemas.ts';

/** Duration and interval of the search for a restarted process, in milliseconds. */
const SEARCH_MS = 60_000;
const INTERVAL_MS = 2000;

/** Searches for the process that replaces one that has ended. Returns null after a minute, or once `isStopped`. */
export async function findSuccessor(
  target: Target,
  ended: ProcessRow,
  clock: Clock,
  isStopped: () => boolean,
): Promise<ProcessRow | null> {
  if (ended.executable === null && serviceOf(ended) === null) return null;
  const deadline = clock.monotonic() + SEARCH_MS;
  while (clock.monotonic() < deadline && !isStopped()) {
    const found = chooseSuccessor(await listProcesses(target), ended);
    if (found !== null) return found;
    await sleep(INTERVAL_MS, undefined, { ref: false });
  }
  return null;
}

/**
 * Returns the younger process with the same executable, preferably with the same command line; without one, the oldest
 * younger process of the same service, whose new version may have another executable. Null if there is none.
 */
export function chooseSuccessor(rows: readonly ProcessRow[], ended: ProcessRow): ProcessRow | null {
  const younger = rows.filter(({ pid, startedAt }) => startedAt > ended.startedAt && pid !== ended.pid);
  const same = ended.executable === null ? [] : younger.filter(({ executable }) => executable === ended.executable);
  const service = serviceOf(ended);
  const ofService = service === null ? [] : younger.filter((row) => serviceOf(row) === service);
  const [first] = ofService.sort((a, b) => a.startedAt - b.startedAt || a.pid - b.pid);
  return same.find(({ command }) => command === ended.command) ?? same[0] ?? first ?? null;
}

/** Returns the control group of the process's service; null if it may hold others, as a login session's does. */
const serviceOf = ({ cgroup, unit }: ProcessRow): string | null =>
  unit?.endsWith('.service') === true && cgroup?.endsWith(`/${unit}`) === true ? cgroup : null;
