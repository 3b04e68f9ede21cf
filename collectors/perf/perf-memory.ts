import * as z from 'zod';
import type { PerfOptions } from '#core/contract/schemas.ts';
import type { MemoryFile, MemoryTable } from '../collector.ts';
import { readTexts } from '../target/read-texts.ts';
import type { Target } from '../target/target.ts';
import { hasControl, probePerf, tryScope, type PerfCapabilities, type Trial } from './capabilities.ts';
import type { KernelSettings } from '../target/kernel-settings.ts';

/** Scopes of a host; a row has some 300 bytes. */
const MAX_SCOPES = 50;

/** Successful results of trial runs of perf on a host, keyed by everything that affects them. */
const rememberedSchema = z.object({
  key: z.string().min(1).max(2000),
  version: z.string().max(100).nullable(),
  event: z.enum(['cycles', 'cpu-clock']),
  kernelSamples: z.boolean().nullable(),
  /** Scopes that could be recorded. */
  scopes: z.array(z.string().max(100)).max(MAX_SCOPES),
});
type RememberedPerf = z.infer<typeof rememberedSchema>;

/** Saves the next recording perf's trial runs, which take longer than starting it. */
export const PERF_HOSTS: MemoryFile<RememberedPerf> = {
  fileName: 'perf-hosts.json',
  list: 'hosts',
  row: rememberedSchema,
  maxRows: 500,
};
export type PerfMemory = MemoryTable<RememberedPerf>;

/** Forgets what is known of a host, because a recording failed. */
export const forgetHost = (memory: PerfMemory, target: Pick<Target, 'kind' | 'host'>): Promise<void> =>
  memory.edit((rows) => rows.filter(({ key }) => !key.startsWith(hostPrefix(target))));

const hostPrefix = ({ kind, host }: Pick<Target, 'kind' | 'host'>): string => `${kind} ${host} `;

/**
 * Returns the key of what perf can do on the target: its boot, its perf (path, size and modification time), its user,
 * and the kernel's settings. Null if the target has no perf, or does not say when it booted.
 */
async function machineKey(target: Target, settings: KernelSettings): Promise<string | null> {
  const perfPath = await target.findExecutable('perf');
  if (perfPath === null) return null;
  const [[boot, status], perf] = await Promise.all([
    readTexts(target, ['/proc/sys/kernel/random/boot_id', '/proc/self/status']),
    target.stat(perfPath),
  ]);
  if (perf === null || !boot?.trim()) return null;
  const rights =
    (status ?? '')
      .match(/^(?:Uid|CapEff):.*$/gm)
      ?.join(' ')
      .replaceAll(/\s+/g, ' ') ?? '';
  const { paranoid, kptrRestrict } = settings;
  return `${hostPrefix(target)}${boot.trim()} ${perfPath} ${perf.size} ${perf.modifiedAt} ${rights} ${paranoid} ${kptrRestrict}`;
}

/** perf's capabilities on one target for one preflight, remembered or found by trial. */
interface KnownPerf {
  readonly capabilities: PerfCapabilities | null;
  tryScope(options: PerfOptions, event: string): Promise<Trial>;
}

export async function findPerf(
  target: Target,
  settings: KernelSettings,
  memory: PerfMemory | undefined,
): Promise<KnownPerf> {
  const key = memory === undefined ? null : await machineKey(target, settings).catch(() => null);
  let known = memory?.get().find((row) => row.key === key) ?? null;
  const capabilities = known === null ? await probePerf(target, []) : await recalled(target, known);
  const { event = null, version = null, kernelSamples = null, failure = null } = capabilities ?? {};
  const remember = async (scopes: readonly string[]): Promise<void> => {
    if (key === null || failure !== null || (event !== 'cycles' && event !== 'cpu-clock')) return;
    const found: RememberedPerf = { key, version, event, kernelSamples, scopes: scopes.slice(-MAX_SCOPES) };
    known = found;
    await memory?.edit((rows) => [found, ...rows.filter((row) => row.key !== key)]);
  };
  return {
    capabilities,
    async tryScope(options, asked) {
      const scope = scopeKey(options, asked, settings);
      if (scope !== null && known?.scopes.includes(scope) === true) return { works: true };
      const trial = await tryScope(target, capabilities?.perfPath ?? 'perf', options, asked);
      if (trial.works && scope !== null) void remember([...(known?.scopes ?? []), scope]);
      return trial;
    },
  };
}

async function recalled(target: Target, known: RememberedPerf): Promise<PerfCapabilities | null> {
  const perfPath = await target.findExecutable('perf');
  if (perfPath === null) return null;
  const { version, event, kernelSamples } = known;
  return {
    perfPath,
    version,
    control: hasControl(version),
    event,
    kernelSamples,
    callGraphs: new Map(),
    failure: null,
  };
}

/** Returns null if each process must be tried, because it may be another user's. */
function scopeKey({ scope, callGraph }: PerfOptions, event: string, { privileged }: KernelSettings): string | null {
  return scope.kind === 'pid' && privileged !== true ? null : `${scope.kind} ${callGraph} ${event}`;
}
