import { parseFields } from './proc-files.ts';
import type { Target } from './target.ts';

/** Kernel settings that determine what may be recorded; null if they can't be read. */
export interface KernelSettings {
  readonly isLinux: boolean;
  /** kernel.perf_event_paranoid */
  readonly paranoid: number | null;
  /** kernel.kptr_restrict */
  readonly kptrRestrict: number | null;
  /** /proc/kallsyms shows addresses to this user. */
  readonly kernelSymbols: boolean | null;
  /** uid 0, or CAP_PERFMON or CAP_SYS_ADMIN in effect, outside a user namespace. */
  readonly privileged: boolean | null;
  /** What restricts this user's processes, as in containers. */
  readonly confinement: Confinement;
  /** kernel.perf_event_max_sample_rate */
  readonly maxRateHz: number | null;
  /** `debian`, `ubuntu`, `fedora`…, most specific first; from /etc/os-release. */
  readonly distributions: readonly string[];
}

export interface Confinement {
  /** Root in a user namespace has no rights over the kernel. */
  readonly isUserNamespace: boolean;
  /** A filter decides on system calls. */
  readonly hasSeccompFilter: boolean;
  /** Name of the enforced AppArmor profile. */
  readonly apparmorProfile: string | null;
}

export async function readKernelSettings(target: Target): Promise<KernelSettings> {
  const paths = [
    '/proc/sys/kernel/perf_event_paranoid',
    '/proc/sys/kernel/kptr_restrict',
    '/proc/kallsyms',
    '/proc/self/status',
    '/proc/sys/kernel/perf_event_max_sample_rate',
    '/etc/os-release',
    '/proc/version',
    '/proc/self/uid_map',
    '/proc/self/attr/current',
  ];
  const files = await target.readRanges(paths.map((path) => ({ path, offset: 0, length: 4096 })));
  const [paranoid, kptr, symbols, status, rate, release, version, uidMap, apparmor] = files.map((bytes) =>
    bytes === null ? null : new TextDecoder().decode(bytes),
  );
  const os = parseFields(release ?? '');
  const confinement = readConfinement(status ?? null, uidMap ?? null, apparmor ?? null);
  return {
    isLinux: version !== null,
    paranoid: toNumber(paranoid),
    kptrRestrict: toNumber(kptr),
    kernelSymbols: symbols === null || symbols === undefined ? null : !/^0+ /.test(symbols),
    privileged: status === null || status === undefined ? null : holdsPrivilege(status) && !confinement.isUserNamespace,
    confinement,
    maxRateHz: toNumber(rate),
    distributions: [os.get('ID') ?? '', ...(os.get('ID_LIKE') ?? '').split(' ')].filter((name) => name !== ''),
  };
}

const toNumber = (text: string | null | undefined): number | null =>
  text === null || text === undefined || !/^-?\d+$/.test(text.trim()) ? null : Number(text);

/** capabilities(7): CAP_SYS_ADMIN 21, CAP_PERFMON 38. */
function holdsPrivilege(status: string): boolean {
  const effective = parseFields(status).get('CapEff') ?? '0';
  const bits = /^[0-9a-f]+$/.test(effective) ? BigInt(`0x${effective}`) : 0n;
  return (bits & ((1n << 21n) | (1n << 38n))) !== 0n;
}

/** The map of the first user namespace, see user_namespaces(7). */
const WHOLE_MAP = /^\s*0\s+0\s+4294967295\s*$/;

/** Takes `/proc/self/status`, `uid_map` and `attr/current`; an unreadable file counts as no confinement. */
export function readConfinement(status: string | null, uidMap: string | null, apparmor: string | null): Confinement {
  const [, profile = null] = /^([^\s\0]{1,200}) \(enforce\)/.exec(apparmor ?? '') ?? [];
  return {
    isUserNamespace: uidMap !== null && uidMap.trim() !== '' && !WHOLE_MAP.test(uidMap),
    hasSeccompFilter: parseFields(status ?? '').get('Seccomp') === '2',
    apparmorProfile: profile,
  };
}
