import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#collectors/collector.ts';
import { listProcesses } from '#collectors/target/processes.ts';
import type { Target } from '#collectors/target/target.ts';
import type { ProcessRow } from '#core/contract/schemas.ts';

/** Duration and interval of the search for a restarted process, in milliseconds. */
const SEARCH_MS = 60_000;
const INTERVAL_MS = 2000;

/**
 * Searches for a younger process with the same executable as one that has ended, preferably with the same command line.
 * Returns null after a minute, or once `isStopped`.
 */
export async function findSuccessor(
  target: Target,
  ended: ProcessRow,
  clock: Clock,
  isStopped: () => boolean,
): Promise<ProcessRow | null> {
  if (ended.executable === null) return null;
  const deadline = clock.monotonic() + SEARCH_MS;
  while (clock.monotonic() < deadline && !isStopped()) {
    const rows = await listProcesses(target);
    const younger = rows.filter((row) => row.executable === ended.executable && row.startedAt > ended.startedAt);
    const found = younger.find(({ command }) => command === ended.command) ?? younger[0];
    if (found !== undefined && found.pid !== ended.pid) return found;
    await sleep(INTERVAL_MS, undefined, { ref: false });
  }
  return null;
}
