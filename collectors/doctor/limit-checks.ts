import type { Check } from '#core/contract/schemas.ts';
import { checkOf } from '../check.ts';
import type { Survey } from './survey.ts';

/** Processes and threads needed by a collector, its watchdog and the ssh server. */
const LEAST_TASKS = 50;
/** perf record and perf script need some tens of MB, more for large programs. */
const LEAST_BYTES = 256 * 1024 ** 2;

/** Checks the limits that control groups set for collectors. */
export function checkOwnLimits(survey: Survey): Check {
  const id = 'limits';
  if (survey.one('own-cgroup') === null) {
    return checkOf(id, 'unknown', 'no cgroup v2 limits to read');
  }
  const { cpus, bytes, tasks } = readLimits(survey, 'own');
  const parts = describeLimits(cpus, bytes, tasks);
  const isTight = (cpus ?? Infinity) < 1 || (bytes ?? Infinity) < LEAST_BYTES || (tasks ?? Infinity) < LEAST_TASKS;
  if (!isTight) return checkOf(id, 'ok', parts.length === 0 ? 'none' : parts.join(', '));
  const found = `${parts.join(', ')} for processes this user starts: perf may be slowed down or killed`;
  return checkOf(id, 'warning', found, 'raise the limits of the session’s slice: systemctl edit user-.slice');
}

/**
 * Checks the limits that control groups set for the process: it may wait for CPU, which samples of CPU time don’t show.
 */
export function checkProcessLimits(survey: Survey): Check {
  const id = 'process-limits';
  if (survey.one('process-cgroup') === null) {
    return checkOf(id, 'unknown', 'its cgroup can’t be read');
  }
  const { cpus, bytes, tasks } = readLimits(survey, 'process');
  const parts = describeLimits(cpus, bytes, tasks);
  const throttled = Number(survey.one('process-throttled') ?? 0);
  if (cpus !== null && throttled > 0) {
    const found = `${parts.join(', ')}; it was throttled in ${throttled} periods, which samples don’t show`;
    return checkOf(id, 'warning', found, 'raise cpu.max of its cgroup (CPUQuota=, --cpus), or keep it in mind');
  }
  return checkOf(id, 'ok', parts.length === 0 ? 'none' : parts.join(', '));
}

/** Returns the smallest limit of the group and its ancestors; null if there is none. */
function readLimits(survey: Survey, whose: 'own' | 'process'): Record<'cpus' | 'bytes' | 'tasks', number | null> {
  const least = (values: readonly number[]): number | null => (values.length === 0 ? null : Math.min(...values));
  const numbers = (file: string): number[] => survey.all(`${whose}-${file}`).map(Number).filter(Number.isFinite);
  // `QUOTA PERIOD` in microseconds.
  const shares = survey.all(`${whose}-cpu.max`).map((text) => {
    const [quota, period] = text.split(' ').map(Number);
    return quota! / period!;
  });
  return {
    cpus: least(shares.filter(Number.isFinite)),
    bytes: least(numbers('memory.max')),
    tasks: least(numbers('pids.max')),
  };
}

const describeLimits = (cpus: number | null, bytes: number | null, tasks: number | null): string[] => [
  ...(cpus === null ? [] : [`${Number(cpus.toFixed(2))} CPUs`]),
  ...(bytes === null ? [] : [`${(bytes / 1024 ** 2).toFixed(0)} MiB of memory`]),
  ...(tasks === null ? [] : [`${tasks} tasks`]),
];

/**
 * Checks which processes can be seen and read. Recording with perf needs only read access, which Yama does not
 * restrict.
 */
export function checkPtrace(survey: Survey): Check {
  const id = 'ptrace';
  if (survey.one('sees-others') === null) {
    const found = 'other users’ processes are hidden (/proc is mounted with hidepid)';
    return checkOf(id, 'warning', found, 'to see them, log in as root or as a member of the mount’s group');
  }
  const scope = survey.one('ptrace-scope');
  const found =
    scope === null
      ? 'no limits beyond user permissions'
      : `kernel.yama.ptrace_scope is ${scope}, which does not affect perf`;
  return checkOf(id, 'ok', found);
}

/** Checks access to the process's memory map, from which function names are derived. */
export function checkMaps(survey: Survey): Check {
  const id = 'process-access';
  if (survey.one('maps') !== null) return checkOf(id, 'ok', 'its memory map can be read');
  const found = 'its memory map can’t be read: functions first seen later would have no names';
  return checkOf(id, 'warning', found, 'log in as its user or as root');
}
