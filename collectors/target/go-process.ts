import type { GoProcess } from '#core/contract/schemas.ts';
import { findLimitingGroups, readCgroupLimits } from './cgroup-limits.ts';
import { readElf } from './elf.ts';
import { readTexts } from './read-texts.ts';
import { printedBy } from './run-to-end.ts';
import type { Target } from './target.ts';
import { parsePid } from './target-words.ts';

/** Programs with large environments have some kilobytes. */
const ENVIRONMENT_BYTES = 256 * 1024;

/**
 * Reads what a process's executable and environment state about its Go runtime. Null if it is not a Go program or can't
 * be read. Of the environment, only GOMAXPROCS is kept.
 */
export async function readGoProcess(target: Target, pid: number): Promise<GoProcess | null> {
  const build = await readElf(target, `/proc/${pid}/exe`, (elf) => {
    const section = elf.section('.go.buildinfo');
    return section === null ? null : parseBuildInfo(elf.content(section));
  }).catch(() => null);
  if (build === null) return null;
  const { followsGroups, ...facts } = build;
  const range = { path: `/proc/${pid}/environ`, offset: 0, length: ENVIRONMENT_BYTES };
  const [environment] = await target.readRanges([range]).catch(() => [null]);
  const maxProcs = parseMaxProcs(environment ?? null);
  if (maxProcs !== null || environment === null || environment === undefined) return { ...facts, maxProcs };
  const byDefault = await readDefaultMaxProcs(target, pid, followsGroups);
  return { ...facts, maxProcs: byDefault, ...(byDefault === null ? {} : { isMaxProcsDefault: true as const }) };
}

/** Returns the CPUs that the process may run on, in Go 1.25 and later also limited by its control group. */
async function readDefaultMaxProcs(target: Target, pid: number, followsGroups: boolean): Promise<number | null> {
  const [status] = await readTexts(target, [`/proc/${pid}/status`]);
  const groups = followsGroups ? await findLimitingGroups(target, pid) : null;
  const limits = groups === null || groups.length === 0 ? null : await readCgroupLimits(target, groups);
  return defaultMaxProcs(status ?? null, limits?.cpus ?? null);
}

/**
 * Returns Go's default from `/proc/PID/status` and the CPUs of the control group's limit; null if the former is not
 * readable. Source: adjustCgroupGOMAXPROCS in Go's runtime, which rounds a limit up and to 2 at least.
 */
export function defaultMaxProcs(status: string | null, limit: number | null): number | null {
  const [, list] = /^Cpus_allowed_list:\s*([\d,-]{1,10000})$/m.exec(status ?? '') ?? [];
  if (list === undefined) return null;
  const allowed = list.split(',').reduce((sum, range) => {
    const [first = Number.NaN, last = first] = range.split('-').map(Number);
    return sum + last - first + 1;
  }, 0);
  if (!(allowed >= 1)) return null;
  return limit === null ? allowed : Math.min(allowed, Math.max(2, Math.ceil(limit)));
}

/** Returns the process that listens on a port of the target; null if unknown, as for other users' processes. */
export async function findListener(target: Target, port: number): Promise<number | null> {
  const argv = ['ss', '-Hltnp', `sport = :${port}`];
  const printed = await printedBy(target, argv, { timeoutMs: 2000 });
  const pids = new Set([...printed.matchAll(/\bpid=(\d+)/g)].flatMap(([, pid]) => parsePid(pid) ?? []));
  return pids.size === 1 ? [...pids][0]! : null;
}

const MAGIC = '\xff Go buildinf:';
const HEADER_BYTES = 32;
/** The strings follow the header; Go before 1.18 has pointers to them instead. */
const INLINE_STRINGS = 2;
const LONGEST_TEXT = 1000;

interface BuildInfo extends Pick<GoProcess, 'version' | 'path'> {
  /** GOMAXPROCS follows the limit of the control group by default (Go 1.25). */
  readonly followsGroups: boolean;
}

/** Parses the content of `.go.buildinfo`. Source: debug/buildinfo of Go's library. */
export function parseBuildInfo(bytes: Uint8Array): BuildInfo | null {
  const head = String.fromCharCode(...bytes.subarray(0, MAGIC.length));
  if (bytes.length < HEADER_BYTES || head !== MAGIC || (bytes[15]! & INLINE_STRINGS) === 0) return null;
  const version = readText(bytes, HEADER_BYTES);
  if (version === null || !/^(go|devel )/.test(version.text)) return null;
  // Sixteen bytes that mark the start precede the first line.
  const settings = readText(bytes, version.end)?.text ?? '';
  const path = /path\t(.+)/.exec(settings)?.[1] ?? null;
  const minor = Number(/^go1\.(\d+)/.exec(version.text)?.[1] ?? 0);
  return {
    version: version.text.slice(0, 100),
    path: path?.slice(0, LONGEST_TEXT) ?? null,
    followsGroups: minor >= 25 && !settings.includes('containermaxprocs=0'),
  };
}

/** Reads a length as a varint, then that many bytes. */
function readText(bytes: Uint8Array, start: number): { readonly text: string; readonly end: number } | null {
  let length = 0;
  let at = start;
  for (let scale = 1; ; scale *= 128) {
    const byte = bytes[at++];
    if (byte === undefined || scale > 2 ** 28) return null;
    length += (byte % 128) * scale;
    if (byte < 128) break;
  }
  if (at + length > bytes.length) return null;
  return { text: new TextDecoder().decode(bytes.subarray(at, at + length)), end: at + length };
}

/** Returns GOMAXPROCS of `NAME=value` texts that each end in NUL; null if it is not set. */
export function parseMaxProcs(environment: Uint8Array | null): number | null {
  if (environment === null) return null;
  const texts = new TextDecoder().decode(environment).split('\0');
  const [, value] = /^GOMAXPROCS=(\d{1,6})$/.exec(texts.find((text) => text.startsWith('GOMAXPROCS=')) ?? '') ?? [];
  return value === undefined || Number(value) < 1 ? null : Number(value);
}
