import type { CgroupLimits, Circumstances } from '#core/contract/schemas.ts';
import type { Target } from './target.ts';

/** What does not change from run to run of a series. */
export type MachineSettings = Pick<Circumstances, 'cpuModel' | 'governor' | 'turbo'>;

/** Counters of one moment. */
export interface LoadReading {
  /** 1-minute load average. */
  readonly average: number | null;
  /** Of all CPUs since boot, in clock ticks. */
  readonly ticks: { readonly steal: number; readonly all: number } | null;
}

export const NO_LOAD: LoadReading = { average: null, ticks: null };

const CPU = '/sys/devices/system/cpu';
const TURBO_FILES = [`${CPU}/intel_pstate/no_turbo`, `${CPU}/cpufreq/boost`] as const;

/** How the CPUs are set up, see cpufreq's admin guide. Never rejects: what can't be read is null. */
export async function readMachineSettings(target: Target): Promise<MachineSettings> {
  const policies = await target.listDirectory(`${CPU}/cpufreq`).catch(() => []);
  const governors = policies
    .filter((name) => /^policy\d+$/.test(name))
    .map((name) => `${CPU}/cpufreq/${name}/scaling_governor`);
  const [cpuInfo, noTurbo, boost, ...found] = await readTexts(target, ['/proc/cpuinfo', ...TURBO_FILES, ...governors]);
  return {
    cpuModel: parseCpuModel(cpuInfo ?? null),
    governor: distinctGovernors(found),
    turbo: parseTurbo(noTurbo ?? null, boost ?? null),
  };
}

/** The load now. Never rejects. */
export async function readLoad(target: Target): Promise<LoadReading> {
  const [average, stat] = await readTexts(target, ['/proc/loadavg', '/proc/stat']);
  return { average: parseLoadAverage(average ?? null), ticks: parseCpuTicks(stat ?? null) };
}

/** Part of the CPUs' time between two readings that the hypervisor gave to others; null where it can't be told. */
export function stealBetween(start: LoadReading, end: LoadReading): number | null {
  if (start.ticks === null || end.ticks === null) return null;
  const all = end.ticks.all - start.ticks.all;
  const steal = end.ticks.steal - start.ticks.steal;
  // Counters of some hypervisors run backwards.
  return all > 0 && steal >= 0 && steal <= all ? steal / all : null;
}

/** Limits of a process's control groups, of cgroup 2 and 1; `self`: of what reads. Never rejects; null where they can't be read. */
export async function readCgroupLimits(target: Target, pid: number | 'self'): Promise<CgroupLimits | null> {
  const [text] = await readTexts(target, [`/proc/${pid}/cgroup`]);
  const groups = parseCgroups(text ?? null);
  if (groups === null) return null;
  const paths = groups.flatMap(limitFiles);
  const found = await readTexts(
    target,
    paths.flatMap(({ quota, period, memory }) => [quota, period, memory].filter((path) => path !== null)),
  );
  // The root of the hierarchy has no limits to read.
  if (found.every((one) => one === null) && groups.some(({ path }) => path !== '/')) return null;
  let place = 0;
  const next = (path: string | null): string | null => (path === null ? null : (found[place++] ?? null));
  const limits = paths.map(({ quota, period, memory }) => ({
    cpus: parseQuota(next(quota), next(period)),
    memoryBytes: parseMemoryLimit(next(memory)),
  }));
  return {
    cpus: least(limits.map(({ cpus }) => cpus)),
    memoryBytes: least(limits.map(({ memoryBytes }) => memoryBytes)),
  };
}

const least = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.min(...known);
};

/** Bytes of each file that are read: the first CPU of /proc/cpuinfo, the first line of /proc/stat. */
const FILE_BYTES = 4096;

async function readTexts(target: Target, paths: readonly string[]): Promise<(string | null)[]> {
  const ranges = paths.map((path) => ({ path, offset: 0, length: FILE_BYTES }));
  const found = await target.readRanges(ranges).catch(() => []);
  return paths.map((_, place) => {
    const bytes = found[place];
    return bytes === null || bytes === undefined ? null : new TextDecoder().decode(bytes);
  });
}

/** Longest names that are kept. */
const LONGEST_NAME = 300;

/** `model name` of x86, `cpu` of POWER; ARM names its part by numbers. */
export function parseCpuModel(text: string | null): string | null {
  if (text === null) return null;
  const field = (name: string): string | null =>
    new RegExp(String.raw`^${name}\s*:\s*(\S.*?)\s*$`, 'm').exec(text)?.[1]?.slice(0, LONGEST_NAME) ?? null;
  const named = field('model name') ?? field('cpu');
  if (named !== null) return named.replaceAll(/\s+/g, ' ');
  const [implementer, part] = [field('CPU implementer'), field('CPU part')];
  return implementer === null || part === null ? null : `implementer ${implementer}, part ${part}`;
}

function distinctGovernors(texts: readonly (string | null)[]): string | null {
  const names = new Set(texts.flatMap((text) => (text === null || text.trim() === '' ? [] : [text.trim()])));
  return names.size === 0 ? null : [...names].sort().join(', ').slice(0, LONGEST_NAME);
}

/** intel_pstate says that it is off, cpufreq that it is on. */
function parseTurbo(noTurbo: string | null, boost: string | null): boolean | null {
  if (noTurbo !== null && /^[01]$/.test(noTurbo.trim())) return noTurbo.trim() === '0';
  return boost !== null && /^[01]$/.test(boost.trim()) ? boost.trim() === '1' : null;
}

export function parseLoadAverage(text: string | null): number | null {
  const first = text?.split(' ')[0] ?? '';
  return /^\d+(\.\d+)?$/.test(first) ? Number(first) : null;
}

/** The first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal; what follows is in user and nice already. */
export function parseCpuTicks(text: string | null): LoadReading['ticks'] {
  const fields =
    /^cpu +((?:\d+ ?)+)/
      .exec(text ?? '')?.[1]
      ?.trim()
      .split(' ')
      .slice(0, 8)
      .map(Number) ?? [];
  if (fields.length < 8) return null;
  return { steal: fields[7]!, all: fields.reduce((sum, ticks) => sum + ticks, 0) };
}

/** A control group whose limits count: in the unified hierarchy, or under a controller of cgroup 1. */
interface Cgroup {
  readonly kind: 'unified' | 'cpu' | 'memory';
  /** Where its hierarchy is mounted. */
  readonly mount: string;
  /** `/system.slice/app.service` */
  readonly path: string;
}

/** `hierarchy:controllers:path` per line, see cgroups(7); null where there is none. */
export function parseCgroups(text: string | null): Cgroup[] | null {
  const groups = (text ?? '').split('\n').flatMap((line): Cgroup[] => {
    const match = /^(\d+):([^:]*):(\/.*)$/.exec(line);
    if (match === null) return [];
    const [, id, controllers, path] = match as unknown as [string, string, string, string];
    // A path above the namespace's root can't be read from here.
    if (path.split('/').includes('..')) return [];
    if (id === '0' && controllers === '') return [{ kind: 'unified', mount: '/sys/fs/cgroup', path }];
    return (['cpu', 'memory'] as const)
      .filter((kind) => controllers.split(',').includes(kind))
      .map((kind) => ({ kind, mount: `/sys/fs/cgroup/${kind}`, path }));
  });
  return groups.length === 0 ? null : groups;
}

interface LimitFiles {
  readonly quota: string | null;
  readonly period: string | null;
  readonly memory: string | null;
}

/** Deeper groups than this are nobody's. */
const MOST_LEVELS = 32;

/** Of a group and all above it: the tightest limit holds. */
function limitFiles({ kind, mount, path }: Cgroup): LimitFiles[] {
  const names = path
    .split('/')
    .filter((name) => name !== '')
    .slice(0, MOST_LEVELS);
  const folders = Array.from({ length: names.length + 1 }, (_, depth) => [mount, ...names.slice(0, depth)].join('/'));
  return folders.map((folder) => {
    if (kind === 'unified') return { quota: `${folder}/cpu.max`, period: null, memory: `${folder}/memory.max` };
    if (kind === 'cpu')
      return { quota: `${folder}/cpu.cfs_quota_us`, period: `${folder}/cpu.cfs_period_us`, memory: null };
    return { quota: null, period: null, memory: `${folder}/memory.limit_in_bytes` };
  });
}

/** CPUs' worth of time: `150000 100000` of cpu.max, or quota and period in two files; `max` and -1: no limit. */
export function parseQuota(quota: string | null, period: string | null): number | null {
  const [time, per] = `${quota?.trim() ?? ''} ${period?.trim() ?? ''}`.trim().split(/\s+/).map(Number);
  const cpus = (time ?? Number.NaN) / (per ?? Number.NaN);
  return Number.isFinite(cpus) && cpus > 0 ? cpus : null;
}

/** cgroup 1 writes what no machine has where there is no limit. */
const NO_MEMORY_LIMIT = 2 ** 60;

export function parseMemoryLimit(text: string | null): number | null {
  const bytes = /^\d+$/.test(text?.trim() ?? '') ? Number(text) : Number.NaN;
  return bytes > 0 && bytes < NO_MEMORY_LIMIT ? bytes : null;
}
