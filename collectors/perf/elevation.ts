import type { Check, PerfOptions } from '#core/contract/schemas.ts';
import type { Target } from '../target/target.ts';
import type { Trial } from './capabilities.ts';

/** How perf becomes root on a target. */
export interface Elevation {
  /** Null where it can't. */
  readonly sudo: readonly string[] | null;
  readonly check: Check;
}

/** `sudo`: of the target's `root`. Nothing is tried: it may ask for a password. */
export function planElevation(target: Target, sudo: readonly string[] | null, options: PerfOptions): Elevation {
  const failed = (found: string, remedy: string): Elevation => ({
    sudo: null,
    check: { id: 'permission', status: 'failed', found, remedy },
  });
  if (target.root === undefined) return failed('sudo is for other hosts', 'run flamebench itself as root');
  if (sudo === null) return failed('there is no sudo', 'connect as root, or install sudo');
  if (options.keepPerfData === true) {
    return failed(
      'perf’s raw stream can’t be kept if perf runs with sudo',
      'leave --keep-perf-data out, or connect as root',
    );
  }
  const found = 'perf runs as root, with sudo, which may ask for a password in the terminal';
  return { sudo, check: { id: 'permission', status: 'ok', found, remedy: null } };
}

/** What stands in the user's way, but not in root's. */
const OF_USERS = new Set(['perf-events', 'perf-event-paranoid', 'kernel-symbols']);

/** The same check for one who becomes root. */
export function asForRoot(check: Check): Check {
  if (!OF_USERS.has(check.id) || check.status === 'ok' || check.status === 'unknown') return check;
  return { ...check, status: 'ok', found: `${check.found}; root can`, remedy: null };
}

/** The event that will work for root where none works for the user: a machine with hardware counters lists them as a device. */
export async function guessEvent(target: Target): Promise<string> {
  const devices = await target.listDirectory('/sys/bus/event_source/devices').catch(() => []);
  return devices.some((name) => /^(?:cpu(?:_core)?|armv\w*_pmu\w*)$/.test(name)) ? 'cycles' : 'cpu-clock';
}

/** A refusal that sudo would lift says so. */
export function offerSudo(trial: Trial, sudo: readonly string[] | null): Trial {
  if (trial.works || sudo === null || !REFUSALS.has(trial.failure.code)) return trial;
  const { code, remedy } = trial.failure;
  const otherwise = code === 'other-user' || remedy === null ? 'log in as its user' : remedy;
  return { works: false, failure: { ...trial.failure, remedy: `record as root with --sudo, or ${otherwise}` } };
}

const REFUSALS = new Set(['perf-refused', 'other-user']);
