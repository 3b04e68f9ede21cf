import { parseGroupLines } from '#core/contract/control-group.ts';
import type { CgroupLimits, Throttling } from '#core/contract/capture-facts.ts';
import { readTexts } from './read-texts.ts';
import type { Target } from './target.ts';
import { parseTargetPath } from './target-words.ts';

/** A process, the reading one, or the control group with this path in every hierarchy. */
export type GroupOwner = number | 'self' | { readonly path: string };

/** Finds the control groups whose limits apply. Never rejects; null if they can't be read. */
export async function findLimitingGroups(target: Target, owner: GroupOwner): Promise<readonly Cgroup[] | null> {
  if (typeof owner === 'object') return LIMITING.map((kind) => ({ kind, mount: MOUNTS[kind], path: owner.path }));
  const [text] = await readTexts(target, [`/proc/${owner}/cgroup`]);
  return parseCgroups(text ?? null);
}

/** Counters of a control group and of its ancestors, in the order of their folders. */
export type ThrottleReading = readonly (Throttling | null)[];

/** Reads how often control groups of cgroup 2 and 1 had to wait for CPU time so far. Never rejects. */
export async function readThrottling(target: Target, groups: readonly Cgroup[]): Promise<ThrottleReading> {
  const folders = groups.filter(({ kind }) => kind !== 'memory').flatMap(foldersOf);
  const found = await readTexts(
    target,
    folders.map((folder) => `${folder}/cpu.stat`),
  );
  return found.map(parseThrottling);
}

/** Parses `cpu.stat`: microseconds in cgroup 2, nanoseconds in cgroup 1. Null without a limit. */
export function parseThrottling(text: string | null): Throttling | null {
  const field = (name: string): number | null => {
    const match = new RegExp(String.raw`^${name} (\d{1,15})$`, 'm').exec(text ?? '');
    return match === null ? null : Number(match[1]);
  };
  const [periods, throttledPeriods] = [field('nr_periods'), field('nr_throttled')];
  const micros = field('throttled_usec') ?? (field('throttled_time') ?? 0) / 1000;
  if (periods === null || throttledPeriods === null || periods === 0) return null;
  return { periods, throttledPeriods, ms: micros / 1000 };
}

/** Returns the wait of the group that waited in most periods; null if none has a limit. */
export function throttlingBetween(start: ThrottleReading, end: ThrottleReading): Throttling | null {
  const spans = end.flatMap((after, place): Throttling[] => {
    const before = start[place] ?? { periods: 0, throttledPeriods: 0, ms: 0 };
    if (after === null || start.length !== end.length || after.periods < before.periods) return [];
    return [
      {
        periods: after.periods - before.periods,
        throttledPeriods: Math.max(0, after.throttledPeriods - before.throttledPeriods),
        ms: Math.max(0, after.ms - before.ms),
      },
    ];
  });
  return spans.reduce<Throttling | null>(
    (most, span) => (most === null || span.throttledPeriods > most.throttledPeriods ? span : most),
    null,
  );
}

/**
 * Reads the limits of control groups, of cgroup 2 and 1, and of their ancestors. Never rejects; null if they can't be
 * read.
 */
export async function readCgroupLimits(target: Target, groups: readonly Cgroup[]): Promise<CgroupLimits | null> {
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

const LIMITING = ['unified', 'cpu', 'memory'] as const;
const MOUNTS = { unified: '/sys/fs/cgroup', cpu: '/sys/fs/cgroup/cpu', memory: '/sys/fs/cgroup/memory' } as const;

/** A control group whose limits apply: in the unified hierarchy, or under a controller of cgroup 1. */
export interface Cgroup {
  readonly kind: (typeof LIMITING)[number];
  /** Mount point of its hierarchy. */
  readonly mount: string;
  /** `/system.slice/app.service` */
  readonly path: string;
}

/** Parses `/proc/<pid>/cgroup`, see cgroups(7); null if there are none. */
export function parseCgroups(text: string | null): Cgroup[] | null {
  const groups = parseGroupLines(text ?? '').flatMap(({ isUnified, controllers, path }): Cgroup[] => {
    // A path above the namespace's root can't be read from here.
    if (parseTargetPath(path) === null) return [];
    return LIMITING.filter((kind) => (kind === 'unified' ? isUnified : controllers.includes(kind))).map((kind) => ({
      kind,
      mount: MOUNTS[kind],
      path,
    }));
  });
  return groups.length === 0 ? null : groups;
}

interface LimitFiles {
  readonly quota: string | null;
  readonly period: string | null;
  readonly memory: string | null;
}

/** Deeper groups do not occur. */
const MOST_LEVELS = 32;

/** Returns the folders of a group's ancestors and its own, outermost first. */
function foldersOf({ mount, path }: Cgroup): string[] {
  const names = path
    .split('/')
    .filter((name) => name !== '')
    .slice(0, MOST_LEVELS);
  return Array.from({ length: names.length + 1 }, (_, depth) => [mount, ...names.slice(0, depth)].join('/'));
}

/** Returns the limit files of a group and its ancestors; the tightest limit applies. */
function limitFiles(group: Cgroup): LimitFiles[] {
  const { kind } = group;
  return foldersOf(group).map((folder) => {
    if (kind === 'unified') return { quota: `${folder}/cpu.max`, period: null, memory: `${folder}/memory.max` };
    if (kind === 'cpu')
      return { quota: `${folder}/cpu.cfs_quota_us`, period: `${folder}/cpu.cfs_period_us`, memory: null };
    return { quota: null, period: null, memory: `${folder}/memory.limit_in_bytes` };
  });
}

/**
 * Returns the limit in CPUs: from `150000 100000` of cpu.max, or from quota and period in two files; `max` and -1: no
 * limit.
 */
export function parseQuota(quota: string | null, period: string | null): number | null {
  const [time, per] = `${quota?.trim() ?? ''} ${period?.trim() ?? ''}`.trim().split(/\s+/).map(Number);
  const cpus = (time ?? Number.NaN) / (per ?? Number.NaN);
  return Number.isFinite(cpus) && cpus > 0 ? cpus : null;
}

/** Without a limit, cgroup 1 reports a number larger than any machine's memory. */
const NO_MEMORY_LIMIT = 2 ** 60;

export function parseMemoryLimit(text: string | null): number | null {
  const bytes = /^\d+$/.test(text?.trim() ?? '') ? Number(text) : Number.NaN;
  return bytes > 0 && bytes < NO_MEMORY_LIMIT ? bytes : null;
}
