import type { PerfOptions } from '#core/contract/schemas.ts';
import type { Target } from '../target/target.ts';
import { hasControl, probePerf, tryScope, type PerfCapabilities, type Trial } from './capabilities.ts';
import type { KernelSettings } from '../target/kernel-settings.ts';

/** Successful results of trial runs of perf on a host. */
export interface RememberedPerf {
  readonly version: string | null;
  readonly event: 'cycles' | 'cpu-clock';
  readonly kernelSamples: boolean | null;
  /** Scopes that could be recorded. */
  readonly scopes: readonly string[];
}

/** Saves the next recording perf's trial runs, which take longer than starting it. Nothing here rejects. */
export interface PerfMemory {
  find(key: string): RememberedPerf | null;
  remember(key: string, found: RememberedPerf): Promise<void>;
  /** Forgets all keys with this prefix, because a recording failed. */
  forget(prefix: string): Promise<void>;
}

export const hostPrefix = ({ kind, host }: Pick<Target, 'kind' | 'host'>): string => `${kind} ${host} `;

/**
 * Returns the key of what perf can do on the target: its boot, its perf (path, size and modification time), its user,
 * and the kernel's settings. Null if the target has no perf, or does not say when it booted.
 */
async function machineKey(target: Target, settings: KernelSettings): Promise<string | null> {
  const perfPath = await target.findExecutable('perf');
  if (perfPath === null) return null;
  const ranges = ['/proc/sys/kernel/random/boot_id', '/proc/self/status'].map((path) => ({
    path,
    offset: 0,
    length: 4096,
  }));
  const [files, perf] = await Promise.all([target.readRanges(ranges), target.stat(perfPath)]);
  const [boot, status] = files.map((bytes) => (bytes === null ? '' : new TextDecoder().decode(bytes)));
  if (perf === null || boot === undefined || boot.trim() === '') return null;
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
  let known = key === null ? null : (memory?.find(key) ?? null);
  const capabilities = known === null ? await probePerf(target, []) : await recalled(target, known);
  const { event = null, version = null, kernelSamples = null, failure = null } = capabilities ?? {};
  const remember = async (scopes: readonly string[]): Promise<void> => {
    if (key === null || failure !== null || (event !== 'cycles' && event !== 'cpu-clock')) return;
    known = { version, event, kernelSamples, scopes };
    await memory?.remember(key, known);
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
