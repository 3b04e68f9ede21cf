import type { ProcessRow } from '#core/contract/schemas.ts';
import { readBuildId } from './elf.ts';
import { parseCommandLine, parseContainer, parseFields, type ProcStat } from './proc-files.ts';
import { quoteArgv } from './quote-argv.ts';
import { redactArgv } from './redact-argv.ts';
import { EXECUTABLE_HEAD_BYTES, guessRuntime } from './runtime.ts';
import { readTogether } from './read-together.ts';
import { runToEnd } from './run-to-end.ts';
import type { Target } from './target.ts';

/** What of a process is not in its `stat`. `command` is empty where it has no command line. */
export type ProcessDetails = Pick<ProcessRow, 'user' | 'command' | 'container' | 'executable' | 'buildId' | 'runtime'>;

export interface DetailsReader {
  /** In the order of `stats`; null for a process that has ended. */
  read(stats: readonly ProcStat[]): Promise<readonly (ProcessDetails | null)[]>;
}

interface Known {
  readonly startTicks: string;
  readonly cpuTicks: number;
  readonly details: ProcessDetails;
}

const FILES = ['cmdline', 'status', 'cgroup'] as const;
/** Of each: paths of control groups are the longest that matter, command lines the longest that there are. */
const FILE_BYTES = 4096;

/** Reads a process again only where it has used CPU since: one that has not can't have changed its title, user or program. */
export function createDetailsReader(target: Target): DetailsReader {
  const users = createUserNames(target);
  let known = new Map<number, Known>();

  return {
    async read(stats) {
      const isKnown = ({ pid, startTicks, cpuTicks }: ProcStat): boolean => {
        const found = known.get(pid);
        return found?.startTicks === startTicks && found.cpuTicks === cpuTicks;
      };
      const unknown = stats.filter((stat) => !isKnown(stat));
      const found = await readDetails(target, unknown, users);
      const next = new Map<number, Known>();
      for (const stat of stats) {
        const details = isKnown(stat) ? known.get(stat.pid)?.details : found.get(stat.pid);
        const { startTicks, cpuTicks } = stat;
        if (details !== undefined) next.set(stat.pid, { startTicks, cpuTicks, details });
      }
      known = next;
      return stats.map(({ pid }) => next.get(pid)?.details ?? null);
    },
  };
}

/** Without those that have ended. */
async function readDetails(
  target: Target,
  stats: readonly ProcStat[],
  users: UserNames,
): Promise<Map<number, ProcessDetails>> {
  const details = new Map<number, ProcessDetails>();
  if (stats.length === 0) return details;
  const paths = stats.flatMap(({ pid }) => FILES.map((file) => `/proc/${pid}/${file}`));
  const [files, executables] = await Promise.all([
    readTogether(target, paths, FILE_BYTES),
    readExecutables(target, stats),
    users.load(),
  ]);
  const text = (row: number, file: number): string => decode(files[row * FILES.length + file] ?? new Uint8Array());
  const heads = await readHeads(
    target,
    stats.map(({ pid }, row) => ({ pid, identity: `${executables[row]}\0${text(row, 2)}` })),
  );
  const uids = stats.map((_stat, row) => effectiveUid(text(row, 1)));
  const names = await users.read(uids);
  for (const [row, { pid }] of stats.entries()) {
    const executable = executables[row] ?? null;
    const uid = uids[row] ?? null;
    const head = heads.get(pid) ?? null;
    if (uid === null) continue;
    const runtime = guessRuntime(executable, head);
    details.set(pid, {
      user: names.get(uid) ?? uid,
      command: describeCommand(redactArgv(parseCommandLine(files[row * FILES.length] ?? new Uint8Array()))),
      container: parseContainer(text(row, 2)),
      executable,
      buildId: head === null ? null : readBuildId(head),
      runtime: runtime === 'nginx' && (await mapsLuaJit(target, pid)) ? 'luajit' : runtime,
    });
  }
  return details;
}

/** `'/proc/7/exe' -> '/usr/bin/x'`: names that need no escaping, as both GNU's and busybox's stat write them. */
const LINK = /^'\/proc\/(\d+)\/exe' -> (?:'([^'"$\\]*)'$)?/;

/** In order of `stats`; null where a link can't be read. Odd names, and what is said twice, are asked for one by one. */
async function readExecutables(target: Target, stats: readonly ProcStat[]): Promise<(string | null)[]> {
  const paths = stats.map(({ pid }) => `/proc/${pid}/exe`);
  const printed = await runToEnd(target, ['stat', '-c', '%N', ...paths], { env: { LC_ALL: 'C' } }).catch(() => null);
  const links = new Map<string, string | null>();
  const odd = new Set<string>();
  for (const line of decode(printed?.stdout ?? new Uint8Array()).split('\n')) {
    const [, pid, name] = LINK.exec(line) ?? [];
    if (pid === undefined) continue;
    if (name === undefined || links.has(pid)) odd.add(pid);
    links.set(pid, name ?? null);
  }
  const unknown = links.size === 0 ? stats.map(({ pid }) => String(pid)) : [...odd];
  const read = await target.readLinks(unknown.map((pid) => `/proc/${pid}/exe`));
  for (const [index, pid] of unknown.entries()) links.set(pid, read[index] ?? null);
  return stats.map(({ pid }) => links.get(String(pid)) ?? null);
}

/** First bytes of the executables. One path in one control group, at one time, is one file. */
async function readHeads(
  target: Target,
  processes: readonly { readonly pid: number; readonly identity: string }[],
): Promise<Map<number, Uint8Array>> {
  const representatives = new Map(processes.map(({ pid, identity }) => [identity, pid]));
  const pids = [...representatives.values()];
  const paths = pids.map((pid) => `/proc/${pid}/exe`);
  const heads = await readTogether(target, paths, EXECUTABLE_HEAD_BYTES);
  const headOf = new Map(pids.map((pid, index) => [pid, heads[index] ?? null]));
  const found = new Map<number, Uint8Array>();
  for (const { pid, identity } of processes) {
    const head = headOf.get(representatives.get(identity)!) ?? null;
    if (head !== null) found.set(pid, head);
  }
  return found;
}

/** An nginx worker with lua-nginx-module runs Lua; OpenResty's links its LuaJIT dynamically. False where its map can't be read. */
async function mapsLuaJit(target: Target, pid: number): Promise<boolean> {
  const [maps] = await target.readRanges([{ path: `/proc/${pid}/maps`, offset: 0, length: 64 * 1024 }]);
  return /\/libluajit/.test(decode(maps ?? new Uint8Array()));
}

/** A single argument may be a title that the process gave itself: text, not an argv. */
function describeCommand(argv: readonly string[]): string {
  return argv.length === 1 ? argv[0]!.replaceAll(/\p{Cc}+/gu, ' ').trim() : quoteArgv(argv);
}

/** `Uid: real effective saved file-system` */
function effectiveUid(status: string): string | null {
  return parseFields(status).get('Uid')?.split(/\s+/)[1] ?? null;
}

interface UserNames {
  /** Reads /etc/passwd, once. */
  load(): Promise<void>;
  /** By uid as text. */
  read(uids: readonly (string | null)[]): Promise<ReadonlyMap<string, string>>;
}

/** Names of /etc/passwd first, then those that only the name service knows; each asked for once. */
function createUserNames(target: Target): UserNames {
  const names = new Map<string, string>();
  const asked = new Set<string>();
  let loaded: Promise<void> | null = null;
  const load = (): Promise<void> =>
    (loaded ??= target.readFile('/etc/passwd').then(
      (passwd) => addNames(names, passwd),
      () => undefined,
    ));
  return {
    load,
    async read(uids) {
      await load();
      const missing = [...new Set(uids)].filter(
        (uid) => uid !== null && !names.has(uid) && !asked.has(uid),
      ) as string[];
      for (const uid of missing) asked.add(uid);
      if (missing.length > 0) {
        const argv = ['getent', 'passwd', ...missing.slice(0, 100)];
        const printed = await runToEnd(target, argv, { timeoutMs: 2000 }).catch(() => null);
        addNames(names, printed?.stdout ?? new Uint8Array());
      }
      return names;
    },
  };
}

function addNames(names: Map<string, string>, passwd: Uint8Array): void {
  for (const line of decode(passwd).split('\n')) {
    const [name, , uid] = line.split(':');
    if (name !== undefined && uid !== undefined && !names.has(uid)) names.set(uid, name);
  }
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
