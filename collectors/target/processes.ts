import type { ProcessRow } from '#core/contract/schemas.ts';
import {
  parseBootTime,
  parseCommandLine,
  parseContainer,
  parseFields,
  parseProcStat,
  type ProcStat,
} from './proc-files.ts';
import { quoteArgv } from './quote-argv.ts';
import { redactArgv } from './redact-argv.ts';
import { EXECUTABLE_HEAD_BYTES, guessRuntime } from './runtime.ts';
import { runToEnd } from './run-to-end.ts';
import type { Target } from './target.ts';

/** Between the two samples of CPU time: long enough for several ticks, short enough to wait for. */
const SAMPLE_GAP_MS = 300;
const MAX_COMMAND_BYTES = 4096;

/** User processes of a target, busiest first. Kernel threads and zombies are left out. Secrets in command lines are redacted. */
export async function listProcesses(target: Target): Promise<ProcessRow[]> {
  const system = await readSystem(target);
  const first = await readStats(target, await listPids(target));
  const startedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, SAMPLE_GAP_MS));
  const second = await readStats(target, [...first.keys()]);
  const seconds = (performance.now() - startedAt) / 1000;

  const stats = [...second.values()].filter((stat) => !stat.isKernelThread && stat.state !== 'Z');
  const rows = await describeProcesses(target, system, stats, (stat) => {
    const before = first.get(stat.pid);
    if (before === undefined || before.startTicks !== stat.startTicks) return null;
    return ((stat.cpuTicks - before.cpuTicks) / system.ticksPerSecond / seconds) * 100;
  });
  return rows.sort((a, b) => (b.cpuPercent ?? 0) - (a.cpuPercent ?? 0) || a.pid - b.pid);
}

/** One process, without its CPU share; null where it doesn't exist or is a zombie. */
export async function findProcess(target: Target, pid: number): Promise<ProcessRow | null> {
  const stats = await readStats(target, [pid]);
  const living = [...stats.values()].filter(({ state }) => state !== 'Z');
  const rows = await describeProcesses(target, await readSystem(target), living, () => null);
  return rows[0] ?? null;
}

export async function readProcStat(target: Target, pid: number): Promise<ProcStat | null> {
  return (await readStats(target, [pid])).get(pid) ?? null;
}

interface SystemFacts {
  readonly ticksPerSecond: number;
  readonly pageBytes: number;
  /** Unix epoch seconds. */
  readonly bootTime: number;
}

/** USER_HZ: clock ticks that /proc counts in; 100 on every Linux, asked for all the same. */
export async function readTicksPerSecond(target: Target): Promise<number> {
  return readConfigured(target, 'CLK_TCK', 100);
}

async function readSystem(target: Target): Promise<SystemFacts> {
  const [ticksPerSecond, pageBytes, stat] = await Promise.all([
    readTicksPerSecond(target),
    readConfigured(target, 'PAGESIZE', 4096),
    target.readFile('/proc/stat'),
  ]);
  return { ticksPerSecond, pageBytes, bootTime: parseBootTime(decode(stat)) ?? 0 };
}

async function readConfigured(target: Target, name: string, fallback: number): Promise<number> {
  const printed = await runToEnd(target, ['getconf', name]).catch(() => null);
  const value = printed === null ? NaN : Number(decode(printed.stdout).trim());
  return Number.isInteger(value) && value > 0 ? value : fallback;
}

async function listPids(target: Target): Promise<number[]> {
  const names = await target.listDirectory('/proc');
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

async function readStats(target: Target, pids: readonly number[]): Promise<Map<number, ProcStat>> {
  const files = await target.readRanges(pids.map((pid) => ({ path: `/proc/${pid}/stat`, offset: 0, length: 4096 })));
  const stats = new Map<number, ProcStat>();
  for (const bytes of files) {
    const stat = bytes === null ? null : parseProcStat(decode(bytes));
    if (stat !== null) stats.set(stat.pid, stat);
  }
  return stats;
}

async function describeProcesses(
  target: Target,
  system: SystemFacts,
  stats: readonly ProcStat[],
  cpuPercent: (stat: ProcStat) => number | null,
): Promise<ProcessRow[]> {
  const readAll = (file: string, length: number): Promise<(Uint8Array | null)[]> =>
    target.readRanges(stats.map(({ pid }) => ({ path: `/proc/${pid}/${file}`, offset: 0, length })));
  const [commands, statuses, cgroups, executables, heads] = await Promise.all([
    readAll('cmdline', MAX_COMMAND_BYTES),
    readAll('status', 4096),
    readAll('cgroup', 16 * 1024),
    target.readLinks(stats.map(({ pid }) => `/proc/${pid}/exe`)),
    readAll('exe', EXECUTABLE_HEAD_BYTES),
  ]);
  const uids = statuses.map((status) => (status === null ? null : effectiveUid(decode(status))));
  const users = await readUserNames(target, uids);
  return stats.map((stat, row) => {
    const argv = redactArgv(parseCommandLine(commands[row] ?? new Uint8Array()));
    const executable = executables[row] ?? null;
    const uid = uids[row] ?? null;
    return {
      pid: stat.pid,
      startTicks: stat.startTicks,
      user: uid === null ? '' : (users.get(uid) ?? uid),
      cpuPercent: cpuPercent(stat),
      rssBytes: stat.rssPages * system.pageBytes,
      threads: stat.threads,
      startedAt: Math.round((system.bootTime + Number(stat.startTicks) / system.ticksPerSecond) * 1000),
      name: stat.name,
      command: describeCommand(argv) || stat.name,
      container: parseContainer(decode(cgroups[row] ?? new Uint8Array())),
      executable,
      runtime: guessRuntime(executable, heads[row] ?? null),
    };
  });
}

/** A single argument may be a title that the process gave itself: text, not an argv. */
function describeCommand(argv: readonly string[]): string {
  return argv.length === 1 ? argv[0]!.replaceAll(/\p{Cc}+/gu, ' ').trim() : quoteArgv(argv);
}

/** `Uid: real effective saved file-system` */
function effectiveUid(status: string): string | null {
  return parseFields(status).get('Uid')?.split(/\s+/)[1] ?? null;
}

/** By uid as text. Names of /etc/passwd first, then those that only the name service knows. */
async function readUserNames(target: Target, uids: readonly (string | null)[]): Promise<Map<string, string>> {
  const passwd = await target.readFile('/etc/passwd').catch(() => new Uint8Array());
  const names = parsePasswd(decode(passwd));
  const missing = [...new Set(uids)].filter((uid) => uid !== null && !names.has(uid)).slice(0, 100) as string[];
  if (missing.length === 0) return names;
  const printed = await runToEnd(target, ['getent', 'passwd', ...missing], { timeoutMs: 2000 }).catch(() => null);
  return new Map([...parsePasswd(decode(printed?.stdout ?? new Uint8Array())), ...names]);
}

function parsePasswd(text: string): Map<string, string> {
  const names = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [name, , uid] = line.split(':');
    if (name !== undefined && uid !== undefined && !names.has(uid)) names.set(uid, name);
  }
  return names;
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
