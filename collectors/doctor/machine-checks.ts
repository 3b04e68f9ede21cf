import type { Check } from '#core/contract/schemas.ts';
import { checkOf } from '../check.ts';
import type { Target } from '../target/target.ts';
import type { Survey } from './survey.ts';

/** Describes the machine, and checks whether collectors can work on it at all. */
export function* checkMachine(target: Target, survey: Survey): Generator<Check> {
  yield checkOf('target', 'ok', `${target.host} (${target.kind})`);
  yield describe('kernel', survey.one('kernel'));
  const cpus = survey.one('cpus');
  yield describe('cpus', cpus === null ? null : `${cpus} online`);
  const kib = Number.parseInt(survey.one('memory') ?? '', 10);
  yield describe('memory', Number.isFinite(kib) ? `${gib(kib)} available` : null);
  yield checkClock(survey);
  yield checkTools(target, survey);
  yield checkDiskSpace(survey);
}

const describe = (id: string, found: string | null): Check =>
  found === null ? checkOf(id, 'unknown', 'can’t be read') : checkOf(id, 'ok', found);

const gib = (kib: number): string => `${(kib / 1024 ** 2).toFixed(1)} GiB`;

/** Checks the clock: an offset misaligns captures of two machines, and a slow clock source makes sampling expensive. */
function checkClock(survey: Survey): Check {
  const id = 'clock';
  const millis = readDate(survey.one('date'));
  if (millis === null) return checkOf(id, 'unknown', 'can’t be read');
  const { before, after } = survey.asked;
  const off = Math.max(0, before - millis.latest, millis.earliest - after) / 1000;
  if (off > 2) {
    const remedy = 'synchronize both clocks with NTP: timedatectl set-ntp true';
    return checkOf(id, 'warning', `${off.toFixed(1)} s off this machine’s`, remedy);
  }
  const source = survey.one('clock-source');
  if (source === 'hpet' || source === 'acpi_pm') {
    const remedy = 'boot with clocksource=tsc if the CPU’s TSC is reliable';
    const found = `in sync; its source ${source} is slow, which makes samples more expensive`;
    return checkOf(id, 'warning', found, remedy);
  }
  return checkOf(id, 'ok', source === null ? 'in sync' : `in sync, source ${source}`);
}

/** Parses the output of date: GNU's prints nanoseconds, busybox's only seconds. */
function readDate(text: string | null): { earliest: number; latest: number } | null {
  const digits = /^\d{10,}/.exec(text ?? '')?.[0];
  if (digits === undefined) return null;
  const seconds = Number(digits.slice(0, 10)) * 1000;
  const isExact = digits.length >= 13;
  const millis = isExact ? Number(digits.slice(0, 13)) : seconds;
  return { earliest: millis, latest: isExact ? millis : millis + 1000 };
}

/** Checks the tools by which each command on a host is kept in its own process group and ended. */
function checkTools(target: Target, survey: Survey): Check {
  const id = 'tools';
  const missing = ['setsid', 'timeout', 'mkfifo', 'dd'].filter((name) => survey.tool(name) === null);
  const install = (packages: string): string => `install it there: ${packages}`;
  if (target.kind === 'ssh' && (missing.includes('setsid') || missing.includes('dd'))) {
    const found = `${missing.join(', ')} missing: processes started there could not be stopped reliably`;
    return checkOf(id, 'failed', found, install('package util-linux for setsid, coreutils for dd'));
  }
  if (target.kind === 'ssh' && missing.includes('mkfifo')) {
    const found = 'no mkfifo: can’t record with sudo';
    return checkOf(id, 'warning', found, install('coreutils'));
  }
  const found = ['sh', 'setsid', 'timeout'].filter((name) => !missing.includes(name)).join(', ');
  return checkOf(id, 'ok', missing.length === 0 ? found : `${found}; not needed: ${missing.join(', ')}`);
}

/** A recording takes about 1 MB per minute and busy CPU at 99 Hz, and a few hundred times that with dwarf. */
const LITTLE_SPACE_KIB = 1024 ** 2;
/** A collector creates a directory and a few files. */
const FEW_INODES = 100;

function checkDiskSpace(survey: Survey): Check {
  const id = 'disk-space';
  const path = survey.one('temp') ?? '/tmp';
  const kib = available(survey.one('disk'));
  const inodes = available(survey.one('inodes'));
  if (survey.one('temp') !== null && survey.one('temp-writable') === null) {
    return checkOf(id, 'failed', `${path} can’t be written`, 'set TMPDIR to a writable folder');
  }
  if (kib === null) return checkOf(id, 'unknown', `free space in ${path} can’t be read`);
  const found = `${gib(kib)} free in ${path}`;
  const remedy = 'free some space, or set TMPDIR to a larger disk';
  // File systems that create inodes on demand report 0 or `-`.
  if (inodes !== null && inodes > 0 && inodes < FEW_INODES) {
    return checkOf(id, 'warning', `${found}, but only ${inodes} free inodes`, remedy);
  }
  return kib < LITTLE_SPACE_KIB ? checkOf(id, 'warning', found, remedy) : checkOf(id, 'ok', found);
}

/** Returns the available space: the fourth column of POSIX df. */
function available(line: string | null): number | null {
  const value = Number(line?.split(/\s+/)[3] ?? Number.NaN);
  return Number.isFinite(value) ? value : null;
}
