import type { Check } from '#core/contract/schemas.ts';
import { checkObjdump } from './perf/annotate.ts';
import { probePerf } from './perf/capabilities.ts';
import { checkPerf, readKernelSettings } from './perf/checks.ts';
import { checkProcess } from './perf/process-checks.ts';
import { parseFields } from './target/proc-files.ts';
import { runToEnd } from './target/run-to-end.ts';
import type { Target } from './target/target.ts';

/**
 * What can be recorded on a target and, with a PID, how good a recording of that process would be: checks in a fixed order, each
 * yielded once it is known. For the PID, it is recorded for a second.
 */
export async function* runDoctor(target: Target, pid: number | null): AsyncGenerator<Check> {
  yield* checkMachine(target);
  const settings = await readKernelSettings(target);
  yield checkPrivilege(settings.privileged);
  const perf = await probePerf(target, ['fp', 'dwarf', 'lbr']);
  yield* checkPerf(perf, settings);
  yield withoutWhichAllCanBeRecorded(checkObjdump(await target.findExecutable('objdump'), settings.distributions));
  yield await checkDiskSpace(target);
  if (pid !== null) yield* checkProcess(target, pid, perf);
}

const withoutWhichAllCanBeRecorded = (check: Check): Check =>
  check.status === 'failed' ? { ...check, status: 'warning' } : check;

async function* checkMachine(target: Target): AsyncGenerator<Check> {
  const before = Date.now();
  const date = await print(target, ['date', '+%s%3N']);
  const after = Date.now();
  yield date === null
    ? {
        id: 'target',
        status: 'failed',
        found: `${target.host}: no command can be run there`,
        remedy: 'check that it can be reached',
      }
    : { id: 'target', status: 'ok', found: `${target.host} (${target.kind})`, remedy: null };
  yield describe('kernel', await print(target, ['uname', '-srm']));
  const cpus = await print(target, ['getconf', '_NPROCESSORS_ONLN']);
  yield describe('cpus', cpus === null ? null : `${cpus} online`);
  yield await checkMemory(target);
  yield await checkClock(target, date === null ? null : Number(date), { before, after });
}

/** A clock that is off puts captures of two machines side by side at different times; a slow clock source makes sampling dear. */
async function checkClock(
  target: Target,
  millis: number | null,
  asked: { readonly before: number; readonly after: number },
): Promise<Check> {
  const id = 'clock';
  if (millis === null || !Number.isFinite(millis))
    return { id, status: 'unknown', found: 'can’t be read', remedy: null };
  const off = Math.max(0, asked.before - millis, millis - asked.after) / 1000;
  if (off > 2) {
    const remedy = 'let both machines set their clocks by NTP: timedatectl set-ntp true';
    return { id, status: 'warning', found: `${off.toFixed(1)} s off this machine’s`, remedy };
  }
  const source = await readLine(target, '/sys/devices/system/clocksource/clocksource0/current_clocksource');
  if (source === 'hpet' || source === 'acpi_pm') {
    const remedy = 'start the kernel with clocksource=tsc where the CPU has a reliable one';
    return {
      id,
      status: 'warning',
      found: `in step; its source ${source} is slow, which adds to the cost of samples`,
      remedy,
    };
  }
  return { id, status: 'ok', found: source === null ? 'in step' : `in step, source ${source}`, remedy: null };
}

async function checkMemory(target: Target): Promise<Check> {
  const fields = parseFields((await readText(target, '/proc/meminfo')) ?? '');
  const kib = Number.parseInt(fields.get('MemAvailable') ?? '', 10);
  return describe('memory', Number.isFinite(kib) ? `${(kib / 1024 ** 2).toFixed(1)} GiB available` : null);
}

function checkPrivilege(privileged: boolean | null): Check {
  const id = 'privilege';
  if (privileged === null) return { id, status: 'unknown', found: 'can’t be read', remedy: null };
  if (privileged) return { id, status: 'ok', found: 'may record every process (root, or CAP_PERFMON)', remedy: null };
  return {
    id,
    status: 'warning',
    found: 'an ordinary user: only own processes, as far as kernel.perf_event_paranoid lets',
    remedy:
      'for other users’ processes run Flamebench as root, or give perf the right: sudo setcap cap_perfmon+ep <path of perf>',
  };
}

/** A recording takes about 1 MB a minute and busy CPU at 99 Hz, some hundred times that with dwarf. */
const LITTLE_SPACE_BYTES = 1024 ** 3;

async function checkDiskSpace(target: Target): Promise<Check> {
  const id = 'disk-space';
  const path = (await print(target, ['printenv', 'TMPDIR'])) ?? '/tmp';
  const printed = await print(target, ['df', '-Pk', path]);
  const kib = Number(printed?.split('\n')[1]?.trim().split(/\s+/)[3] ?? NaN);
  if (!Number.isFinite(kib)) return { id, status: 'unknown', found: `of ${path} can’t be read`, remedy: null };
  const found = `${(kib / 1024 ** 2).toFixed(1)} GiB free in ${path}`;
  return kib * 1024 < LITTLE_SPACE_BYTES
    ? { id, status: 'warning', found, remedy: 'free some space, or set TMPDIR to a larger disk' }
    : { id, status: 'ok', found, remedy: null };
}

const describe = (id: string, found: string | null): Check =>
  found === null
    ? { id, status: 'unknown', found: 'can’t be read', remedy: null }
    : { id, status: 'ok', found, remedy: null };

/** What a command prints; null where it fails. */
async function print(target: Target, argv: readonly string[]): Promise<string | null> {
  const done = await runToEnd(target, argv, { timeoutMs: 5000 }).catch(() => null);
  const text = done?.exit.code === 0 ? new TextDecoder().decode(done.stdout).trim() : '';
  return text === '' ? null : text;
}

async function readText(target: Target, path: string): Promise<string | null> {
  const [bytes] = await target.readRanges([{ path, offset: 0, length: 4096 }]);
  return bytes === null || bytes === undefined ? null : new TextDecoder().decode(bytes);
}

const readLine = async (target: Target, path: string): Promise<string | null> =>
  (await readText(target, path))?.trim() ?? null;
