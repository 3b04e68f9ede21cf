import type { Check } from '#core/contract/schemas.ts';
import type { PerfDataFacts } from '#core/import/perf-data/facts.ts';
import { countText, formatValue } from '#core/units/format.ts';
import { checkOf } from '../check.ts';
import { printedBy } from '../target/run-to-end.ts';
import type { Target } from '../target/target.ts';
import { hasControl, isAtLeast, readPerfVersion } from './capabilities.ts';
import { installAdvice } from './checks.ts';
import { cleanMessage } from '../message-log.ts';
import { PERF_ENVIRONMENT } from './perf-environment.ts';
import { readKernelSettings } from '../target/kernel-settings.ts';

/** Whether perf can read a recording on a target, and caveats about its output. */
export interface DataScriptChecks {
  readonly checks: readonly Check[];
  /** Absolute; null if there is none. */
  readonly perfPath: string | null;
  readonly version: string | null;
  /** perf can report lost samples. */
  readonly showsLost: boolean;
  /** The machine's own name, which may differ from the one under which it is reached. */
  readonly hostName: string;
}

/** Checks whether perf can read the file. `copyBytes` is the space of a copy on the target; null without a copy. */
export async function checkDataScript(
  target: Target,
  facts: PerfDataFacts,
  copyBytes: number | null,
): Promise<DataScriptChecks> {
  const perfPath = await target.findExecutable('perf');
  if (perfPath === null) {
    const { distributions, isLinux } = await readKernelSettings(target);
    const remedy = `${installAdvice(distributions)}, or name a machine that has it as the target`;
    const found = isLinux ? `perf is not installed on ${target.host}` : 'perf runs on Linux only';
    const checks: Check[] = [checkRecording(facts), checkOf('perf', 'failed', found, remedy)];
    return { checks, perfPath, version: null, showsLost: false, hostName: target.host };
  }
  const [version, machine, unwinding, space] = await Promise.all([
    readPerfVersion(target, perfPath),
    readMachine(target),
    facts.hasUserStacks ? checkUnwinding(target, perfPath) : null,
    copyBytes === null ? null : checkSpace(target, copyBytes),
  ]);
  const checks = [
    checkRecording(facts),
    checkVersion(perfPath, version, facts),
    checkBinaries(machine, facts),
    unwinding,
    space,
  ].filter((check) => check !== null);
  return { checks, perfPath, version, showsLost: hasControl(version), hostName: machine.name };
}

function checkRecording({ isStream, samples, perfVersion, hostName, arch, isCut }: PerfDataFacts): Check {
  const id = 'recording';
  if (isCut && !isStream) {
    const remedy = 'copy the file again, or open it in Flamebench, which reads the intact part';
    return checkOf(id, 'failed', 'the file is truncated, which crashes perf', remedy);
  }
  const made = perfVersion === null ? '' : ` of perf ${perfVersion}`;
  const where = hostName === null ? '' : ` on ${hostName}${arch === null ? '' : ` (${arch})`}`;
  const count = samples === null ? 'compressed samples' : countText(samples, 'sample');
  const found = cleanMessage(`a ${isStream ? 'stream' : 'file'}${made}${where}, ${count}`);
  if (!isCut) return checkOf(id, 'ok', found);
  return checkOf(id, 'warning', `${found}; it is truncated, and read up to its end`);
}

function checkVersion(perfPath: string, version: string | null, { perfVersion }: PerfDataFacts): Check {
  const id = 'perf';
  const remedy = 'choose a target with a newer perf: the machine that recorded';
  if (version === null) return checkOf(id, 'failed', `${perfPath} does not run`, remedy);
  const found = `perf ${version} (${perfPath})`;
  if (perfVersion === null || isAtLeast(version, release(perfVersion))) return checkOf(id, 'ok', found);
  const older = cleanMessage(`${found}, older than perf ${perfVersion} that recorded it: it may not know the format`);
  return checkOf(id, 'warning', older, remedy);
}

/** Returns `6.1` for `6.1.187`: formats change with releases. */
const release = (version: string): string => version.split(/[.-]/).slice(0, 2).join('.');

interface Machine {
  readonly name: string;
  readonly arch: string | null;
}

async function readMachine(target: Target): Promise<Machine> {
  const [name = '', arch] = (await printedBy(target, ['uname', '-nm'])).trim().split(' ');
  return name === '' ? { name: target.host, arch: null } : { name, arch: arch ?? null };
}

/**
 * perf rejects binaries whose build id differs from the recorded one; without build ids it uses whatever is at their
 * paths.
 */
function checkBinaries(machine: Machine, { hostName, arch, buildIds }: PerfDataFacts): Check {
  const id = 'binaries';
  const isThere = hostName !== null && hostName === machine.name;
  const known =
    buildIds === 0 ? 'no build ids are recorded' : `${countText(buildIds, 'build id is', 'build ids are')} recorded`;
  if (arch !== null && machine.arch !== null && arch !== machine.arch) {
    const found = cleanMessage(
      `recorded on ${arch}, ${machine.name} is ${machine.arch}: names and callers may be missing`,
    );
    return checkOf(id, 'warning', found, recordedOn(hostName));
  }
  if (isThere && buildIds > 0) return checkOf(id, 'ok', `recorded on this host; ${known}`);
  if (isThere) {
    const found = `recorded on this host; ${known}, so perf uses the binaries that are there now`;
    return checkOf(id, 'ok', found);
  }
  const where = cleanMessage(`recorded on ${hostName ?? 'an unnamed machine'}, read on ${machine.name}`);
  return buildIds > 0
    ? checkOf(id, 'ok', `${where}: symbols resolve where it has the same binaries (${known})`)
    : checkOf(
        id,
        'warning',
        `${where}; ${known}: other builds of the binaries there give wrong names`,
        recordedOn(hostName),
      );
}

/** Machines without a configured name are called `localhost`. */
const recordedOn = (hostName: string | null): string =>
  cleanMessage(
    `choose the machine that recorded as the target${hostName === null || hostName === 'localhost' ? '' : `: ${hostName}`}`,
  );

/** Reads which libraries perf was built with: `libunwind: [ on  ]`, `libdw-dwarf-unwind: [ OFF ]`. */
async function checkUnwinding(target: Target, perfPath: string): Promise<Check> {
  const id = 'dwarf-unwinding';
  const text = await printedBy(target, [perfPath, 'version', '--build-options'], { env: PERF_ENVIRONMENT });
  const libraries = [...text.matchAll(/^\s*(\S*unwind\S*):\s*\[\s*(\w+)\s*\]/gim)];
  if (libraries.some(([, , state]) => state === 'on')) {
    return checkOf(id, 'ok', 'perf can unwind copied stacks');
  }
  if (libraries.length === 0) return checkOf(id, 'unknown', 'perf does not say');
  return checkOf(
    id,
    'warning',
    'this perf was built without libunwind and libdw: callers will be missing',
    'choose a target whose perf has one of them (perf version --build-options)',
  );
}

const DF = 'df -Pk "${TMPDIR:-/tmp}" | tail -n 1';

/** Checks the space for the copy: perf seeks in the file, so it must exist there as a whole. */
async function checkSpace(target: Target, bytes: number): Promise<Check> {
  const id = 'space';
  const printed = await printedBy(target, ['/bin/sh', '-c', DF]);
  const kib = Number(printed.trim().split(/\s+/)[3] ?? NaN);
  const size = formatValue(bytes, 'bytes');
  if (!Number.isFinite(kib)) return checkOf(id, 'unknown', `${size} needed there`);
  const free = formatValue(kib * 1024, 'bytes');
  if (kib * 1024 > bytes) {
    const found = `${size} of ${free} free; the temporary file disappears with perf`;
    return checkOf(id, 'ok', found);
  }
  const remedy = 'set TMPDIR there to a folder on a larger disk, or free some space';
  return checkOf(id, 'failed', `${size} needed, ${free} free in the temporary folder`, remedy);
}
