import type { ProcessRow } from '#core/contract/schemas.ts';
import { innerPid, parseBootTime, parseProcStat, type ProcStat } from './proc-files.ts';
import { createDetailsReader, type ProcessDetails } from './process-details.ts';
import { printedBy, runToEnd } from './run-to-end.ts';
import { readText } from './read-texts.ts';
import type { Target } from './target.ts';

/** Milliseconds between the two samples of CPU time: long enough for several ticks, short enough to wait for. */
const SAMPLE_GAP_MS = 300;
/** Maximum age of the previous sample; an older one describes the past. */
const MAX_GAP_MS = 5000;
/** 100,000 processes have some 20 MB of `/proc/<pid>/stat`. */
const MAX_STATS_BYTES = 32 << 20;

/** Lists the processes of one target repeatedly. */
export interface ProcessLister {
  /**
   * Returns the user processes, busiest first. Kernel threads and zombies are left out; secrets in command lines are
   * redacted. CPU shares cover the time since the previous list if that is at most a few seconds ago, otherwise a short
   * interval during which the call waits.
   */
  list(): Promise<ProcessRow[]>;
}

/** Reads constant facts once and the others with a few commands for all processes together. */
export function createProcessLister(target: Target): ProcessLister {
  const details = createDetailsReader(target);
  let system: Promise<SystemFacts> | null = null;
  let last: Sample | null = null;

  async function list(): Promise<ProcessRow[]> {
    system ??= readSystem(target);
    system.catch(() => (system = null));
    const recent = last !== null && performance.now() - last.takenAt < MAX_GAP_MS ? last : null;
    const [facts, first] = await Promise.all([system, recent ?? takeSample(target)]);
    const gap = SAMPLE_GAP_MS - (performance.now() - first.takenAt);
    if (gap > 0) await new Promise((resolve) => setTimeout(resolve, gap));
    last = await takeSample(target);
    const stats = [...last.stats.values()].filter(isUserProcess);
    const known = await details.read(stats);
    const share = cpuShare(first, last, facts);
    const rows = stats.flatMap((stat, index) => toRow(stat, known[index], facts, share(stat)) ?? []);
    return rows.sort((a, b) => (b.cpuPercent ?? 0) - (a.cpuPercent ?? 0) || a.pid - b.pid);
  }

  // Concurrent requests of two windows share one answer.
  let running: Promise<ProcessRow[]> | null = null;
  return { list: () => (running ??= list().finally(() => (running = null))) };
}

/** Lists once; see {@link createProcessLister}. */
export const listProcesses = (target: Target): Promise<ProcessRow[]> => createProcessLister(target).list();

interface Sample {
  /** Milliseconds of this machine's monotonic clock. */
  readonly takenAt: number;
  /** Seconds since the target's boot. */
  readonly uptime: number;
  readonly stats: ReadonlyMap<number, ProcStat>;
}

/** Reads all processes with one command, and the target's own clock, because a link may be slow in either direction. */
async function takeSample(target: Target): Promise<Sample> {
  const { stdout } = await runToEnd(target, ['sh', '-c', 'cat /proc/uptime /proc/[0-9]*/stat 2>/dev/null'], {
    maxBytes: MAX_STATS_BYTES,
  });
  const [uptime = '', ...lines] = decode(stdout).split('\n');
  const stats = new Map<number, ProcStat>();
  // The kernel writes a line end in a name as `\n` (proc_task_name of fs/proc/array.c).
  for (const line of lines) {
    const stat = parseProcStat(line);
    if (stat !== null) stats.set(stat.pid, stat);
  }
  return { takenAt: performance.now(), uptime: Number.parseFloat(uptime), stats };
}

const isUserProcess = ({ isKernelThread, state }: ProcStat): boolean => !isKernelThread && state !== 'Z';

/** Returns null if the earlier sample does not have the same process. */
function cpuShare(from: Sample, to: Sample, { ticksPerSecond }: SystemFacts): (stat: ProcStat) => number | null {
  const seconds = to.uptime - from.uptime;
  return (stat) => {
    const before = from.stats.get(stat.pid);
    if (before?.startTicks !== stat.startTicks || !(seconds > 0)) return null;
    return ((stat.cpuTicks - before.cpuTicks) / ticksPerSecond / seconds) * 100;
  };
}

/** Returns one process without its CPU share; null if it does not exist or is a zombie. */
export async function findProcess(target: Target, pid: number): Promise<ProcessRow | null> {
  const [stat] = [...(await readStats(target, [pid])).values()].filter(({ state }) => state !== 'Z');
  if (stat === undefined) return null;
  const [[details], system] = await Promise.all([createDetailsReader(target).read([stat]), readSystem(target)]);
  return toRow(stat, details, system, null);
}

/** Returns a process and its descendants. */
export async function processTree(target: Target, pid: number): Promise<ProcStat[]> {
  const { stats } = await takeSample(target);
  const tree = new Set([pid]);
  const all = [...stats.values()].sort((a, b) => Number(a.startTicks) - Number(b.startTicks));
  for (let size = 0; size < tree.size;) {
    size = tree.size;
    for (const one of all) if (tree.has(one.parent)) tree.add(one.pid);
  }
  return all.filter((one) => tree.has(one.pid) && isUserProcess(one));
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

/** Returns USER_HZ, the unit of clock ticks in /proc. It is 100 on every Linux, but is queried regardless. */
export async function readTicksPerSecond(target: Target): Promise<number> {
  return (await readOwnVector(target, AT_CLKTCK)) ?? readConfigured(target, 'CLK_TCK', 100);
}

/** Returns the size of a page of memory in bytes. */
export async function readPageBytes(target: Target): Promise<number> {
  return (await readOwnVector(target, AT_PAGESZ)) ?? readConfigured(target, 'PAGESIZE', 4096);
}

/** Returns the PID that a process has in its innermost namespace; its own PID if that is unknown. */
export async function readInnerPid(target: Target, pid: number): Promise<number> {
  return innerPid(await readText(target, `/proc/${pid}/status`)) ?? pid;
}

/** Keys of getauxval(3). */
const AT_PAGESZ = 6n;
const AT_CLKTCK = 17n;

/** Reads what the kernel told this process at its start, without starting another one; null on another machine. */
async function readOwnVector(target: Target, key: bigint): Promise<number | null> {
  if (target.kind !== 'local') return null;
  const bytes = await target.readFile('/proc/self/auxv').catch(() => new Uint8Array());
  const words = new BigUint64Array(bytes.slice(0, bytes.length - (bytes.length % 8)).buffer);
  const at = words.findIndex((word, index) => index % 2 === 0 && word === key);
  const value = Number(words[at + 1] ?? 0n);
  return at >= 0 && value > 0 ? value : null;
}

async function readSystem(target: Target): Promise<SystemFacts> {
  const [ticksPerSecond, pageBytes, stat] = await Promise.all([
    readTicksPerSecond(target),
    readPageBytes(target),
    target.readFile('/proc/stat'),
  ]);
  return { ticksPerSecond, pageBytes, bootTime: parseBootTime(decode(stat)) ?? 0 };
}

async function readConfigured(target: Target, name: string, fallback: number): Promise<number> {
  const value = Number((await printedBy(target, ['getconf', name])).trim());
  return Number.isInteger(value) && value > 0 ? value : fallback;
}

/** Reads several processes in one call; those that have ended are absent. */
export async function readStats(target: Target, pids: readonly number[]): Promise<ReadonlyMap<number, ProcStat>> {
  const files = await target.readRanges(pids.map((pid) => ({ path: `/proc/${pid}/stat`, offset: 0, length: 4096 })));
  const stats = new Map<number, ProcStat>();
  for (const bytes of files) {
    const stat = bytes === null ? null : parseProcStat(decode(bytes));
    if (stat !== null) stats.set(stat.pid, stat);
  }
  return stats;
}

/** Returns null if the process ended before its details could be read. */
function toRow(
  stat: ProcStat,
  details: ProcessDetails | null | undefined,
  system: SystemFacts,
  cpuPercent: number | null,
): ProcessRow | null {
  if (details === null || details === undefined) return null;
  return {
    pid: stat.pid,
    startTicks: stat.startTicks,
    cpuPercent,
    rssBytes: stat.rssPages * system.pageBytes,
    threads: stat.threads,
    startedAt: Math.round((system.bootTime + Number(stat.startTicks) / system.ticksPerSecond) * 1000),
    name: stat.name,
    ...details,
    command: details.command || stat.name,
  };
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
