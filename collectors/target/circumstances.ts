import type { Circumstances } from '#core/contract/capture-facts.ts';
import { readTexts } from './read-texts.ts';
import type { Target } from './target.ts';

/** Settings that do not change between runs of a series. */
export type MachineSettings = Pick<Circumstances, 'cpuModel' | 'governor' | 'turbo'>;

/** Counters at one moment. */
export interface LoadReading {
  /** 1-minute load average. */
  readonly average: number | null;
  /** Sum over all CPUs since boot, in clock ticks. */
  readonly ticks: { readonly steal: number; readonly all: number } | null;
}

export const NO_LOAD: LoadReading = { average: null, ticks: null };

const CPU = '/sys/devices/system/cpu';
const TURBO_FILES = [`${CPU}/intel_pstate/no_turbo`, `${CPU}/cpufreq/boost`] as const;

/** Reads the CPU settings, see cpufreq's admin guide. Never rejects: unreadable values are null. */
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

/** Reads the current load. Never rejects. */
export async function readLoad(target: Target): Promise<LoadReading> {
  const [average, stat] = await readTexts(target, ['/proc/loadavg', '/proc/stat']);
  return { average: parseLoadAverage(average ?? null), ticks: parseCpuTicks(stat ?? null) };
}

/** Returns the share of CPU time between two readings that the hypervisor gave to others; null if unknown. */
export function stealBetween(start: LoadReading, end: LoadReading): number | null {
  if (start.ticks === null || end.ticks === null) return null;
  const all = end.ticks.all - start.ticks.all;
  const steal = end.ticks.steal - start.ticks.steal;
  // Counters of some hypervisors run backwards.
  return all > 0 && steal >= 0 && steal <= all ? steal / all : null;
}

/** Maximum characters of a name. */
const LONGEST_NAME = 300;

/** Parses `model name` of x86 or `cpu` of POWER; ARM identifies its part by numbers. */
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

/** Returns whether turbo is on: intel_pstate reports that it is off, cpufreq that it is on. */
function parseTurbo(noTurbo: string | null, boost: string | null): boolean | null {
  if (noTurbo !== null && /^[01]$/.test(noTurbo.trim())) return noTurbo.trim() === '0';
  return boost !== null && /^[01]$/.test(boost.trim()) ? boost.trim() === '1' : null;
}

export function parseLoadAverage(text: string | null): number | null {
  const first = text?.split(' ')[0] ?? '';
  return /^\d+(\.\d+)?$/.test(first) ? Number(first) : null;
}

/**
 * Parses the first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal; the following fields are
 * already included in user and nice.
 */
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
