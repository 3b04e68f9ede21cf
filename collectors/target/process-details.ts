import { readBuildId } from './elf.ts';
import { cgroupPathSchema, type ProcessRow } from '#core/contract/schemas.ts';
import { createContainerNames, type ContainerNameReader } from './container-names.ts';
import { parseControlGroup } from '#core/contract/control-group.ts';
import { innerPid, parseCommandLine, parseFields, type ProcStat } from './proc-files.ts';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import { redactArgv } from '#core/redact/redact-argv.ts';
import { printedBy, runToEnd } from './run-to-end.ts';
import type { Target } from './target.ts';
import { parseCount, parseTargetPath } from './target-words.ts';

/** Details of a process other than its `stat`. `command` is empty if it has no command line. */
export type ProcessDetails = Omit<
  ProcessRow,
  'pid' | 'startTicks' | 'cpuPercent' | 'rssBytes' | 'threads' | 'startedAt' | 'name'
>;

interface DetailsReader {
  /** Returns the details in the order of `stats`; null for a process that has ended. */
  read(stats: readonly ProcStat[]): Promise<readonly (ProcessDetails | null)[]>;
}

interface Known {
  readonly startTicks: string;
  readonly cpuTicks: number;
  readonly details: ProcessDetails;
}

const FILES = ['cmdline', 'status', 'cgroup'] as const;
/** Bytes read of each file, enough for the paths of control groups and for command lines. */
const FILE_BYTES = 4096;

/**
 * Caches details and rereads a process only if it has used CPU since: otherwise it can't have changed its title, user
 * or program.
 */
export function createDetailsReader(target: Target): DetailsReader {
  const users = createUserNames(target);
  const containers = createContainerNames(target);
  let known = new Map<number, Known>();

  return {
    async read(stats) {
      const isKnown = ({ pid, startTicks, cpuTicks }: ProcStat): boolean => {
        const found = known.get(pid);
        return found?.startTicks === startTicks && found.cpuTicks === cpuTicks;
      };
      const unknown = stats.filter((stat) => !isKnown(stat));
      const found = await readDetails(target, unknown, users, containers);
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

/** Skips processes that have ended. */
async function readDetails(
  target: Target,
  stats: readonly ProcStat[],
  users: UserNames,
  containers: ContainerNameReader,
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
  const groups = stats.map((_stat, row) => parseControlGroup(text(row, 2)));
  const [names, named] = await Promise.all([
    users.read(uids),
    containers.read(
      groups.flatMap(({ container, containerId: id }) =>
        container === null || id === null ? [] : [{ runtime: container.split(':')[0]!, id }],
      ),
    ),
  ]);
  for (const [row, { pid }] of stats.entries()) {
    const executable = parseTargetPath(executables[row]);
    const uid = uids[row] ?? null;
    const head = heads.get(pid) ?? null;
    if (uid === null) continue;
    const runtime = guessRuntime(executable, head);
    const { container, containerId, podUid, unit, ...group } = groups[row]!;
    const cgroup = cgroupPathSchema.safeParse(group.cgroup).data ?? null;
    const called = named.get(containerId ?? '');
    details.set(pid, {
      user: names.get(uid) ?? uid,
      command: describeCommand(redactArgv(parseCommandLine(files[row * FILES.length] ?? new Uint8Array()))),
      container,
      containerName: called?.name ?? null,
      image: called?.image ?? null,
      pod: called?.pod ?? podUid,
      cgroup,
      unit,
      innerPid: innerPid(text(row, 1)),
      executable,
      buildId: head === null ? null : readBuildId(head),
      runtime: runtime === 'nginx' && (await mapsLuaJit(target, pid)) ? 'luajit' : runtime,
    });
  }
  return details;
}

/** `'/proc/7/exe' -> '/usr/bin/x'`: names that need no escaping, as both GNU's and busybox's stat write them. */
const LINK = /^'\/proc\/(\d+)\/exe' -> (?:'([^'"$\\]*)'$)?/;

/**
 * Returns the executables in the order of `stats`; null if a link can't be read. Unusual names and duplicate answers
 * are queried one by one.
 */
async function readExecutables(target: Target, stats: readonly ProcStat[]): Promise<(string | null)[]> {
  const paths = stats.map(({ pid }) => `/proc/${pid}/exe`);
  if (target.kind === 'local') return target.readLinks(paths);
  const printed = await printedBy(target, ['stat', '-c', '%N', ...paths], { env: { LC_ALL: 'C' } });
  const links = new Map<string, string | null>();
  const odd = new Set<string>();
  for (const line of printed.split('\n')) {
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

/**
 * Returns the first bytes of the executables. The same path in the same control group at the same time is the same
 * file.
 */
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

/**
 * Returns whether a process maps LuaJIT: an nginx worker with lua-nginx-module runs Lua, and OpenResty's links its
 * LuaJIT dynamically. False if its map can't be read.
 */
async function mapsLuaJit(target: Target, pid: number): Promise<boolean> {
  const [maps] = await target.readRanges([{ path: `/proc/${pid}/maps`, offset: 0, length: 64 * 1024 }]);
  return /\/libluajit/.test(decode(maps ?? new Uint8Array()));
}

/** A single argument may be a title that the process set itself, which is text instead of an argv. */
function describeCommand(argv: readonly string[]): string {
  return argv.length === 1 ? argv[0]!.replaceAll(/\p{Cc}+/gu, ' ').trim() : quoteArgv(argv);
}

/** Returns the second of `Uid: real effective saved file-system`. */
function effectiveUid(status: string): string | null {
  return parseCount(parseFields(status).get('Uid')?.split(/\s+/)[1])?.toString() ?? null;
}

interface UserNames {
  /** Reads /etc/passwd, once. */
  load(): Promise<void>;
  /** Returns the names by uid as text. */
  read(uids: readonly (string | null)[]): Promise<ReadonlyMap<string, string>>;
}

/** Takes names from /etc/passwd first, then from the name service, which is queried once per uid. */
function createUserNames(target: Target): UserNames {
  const names = new Map<string, string>();
  const asked = new Set<string>();
  let loaded: Promise<void> | null = null;
  const load = (): Promise<void> =>
    (loaded ??= target.readFile('/etc/passwd').then(
      (passwd) => addNames(names, decode(passwd)),
      () => undefined,
    ));
  return {
    load,
    async read(uids) {
      await load();
      const missing = [...new Set(uids)].filter((uid) => uid !== null && !names.has(uid) && !asked.has(uid));
      const some = missing.slice(0, 100) as string[];
      for (const uid of some) asked.add(uid);
      if (some.length > 0) addNames(names, await printedBy(target, ['getent', 'passwd', ...some], { timeoutMs: 2000 }));
      return names;
    },
  };
}

function addNames(names: Map<string, string>, passwd: string): void {
  for (const line of passwd.split('\n')) {
    const [name, , uid] = line.split(':');
    if (name !== undefined && uid !== undefined && !names.has(uid)) names.set(uid, name);
  }
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Maximum number of files in one command's arguments. */
const FILES_AT_ONCE = 900;

/**
 * Returns the first `length` bytes of many files of /proc, in the order of `paths`; null if one can't be read. One
 * command reads hundreds of files; a command per file, which {@link Target.readRanges} may need, is too expensive for
 * repeated queries.
 */
export async function readTogether(
  target: Target,
  paths: readonly string[],
  length: number,
): Promise<(Uint8Array | null)[]> {
  const found: (Uint8Array | null)[] = [];
  if (target.kind === 'local') return target.readRanges(paths.map((path) => ({ path, offset: 0, length })));
  for (let at = 0; at < paths.length; at += FILES_AT_ONCE) {
    const some = paths.slice(at, at + FILES_AT_ONCE);
    const printed = await runToEnd(target, ['head', '-v', '-c', String(length), ...some], {
      maxBytes: some.length * (length + 200),
    }).catch(() => null);
    const files = printed === null ? null : splitFiles(printed.stdout, some);
    if (files === null) found.push(...(await target.readRanges(some.map((path) => ({ path, offset: 0, length })))));
    else found.push(...some.map((path) => files.get(path) ?? null));
  }
  return found;
}

/**
 * Splits the output of `head -v`, which prints `==> PATH <==` before each file. A command line may contain such a line:
 * then a path occurs twice or out of order, and null means that the files must be read one by one. The same applies if
 * there are no such lines because `head` lacks `-v`.
 */
export function splitFiles(printed: Uint8Array, paths: readonly string[]): ReadonlyMap<string, Uint8Array> | null {
  const text = Buffer.from(printed.buffer, printed.byteOffset, printed.byteLength).toString('latin1');
  const headers = [...text.matchAll(/(?:^|\n)==> (\/proc\/\d+\/\w+) <==\n/g)];
  const files = new Map<string, Uint8Array>();
  let place = -1;
  for (const [index, header] of headers.entries()) {
    const path = header[1]!;
    const next = paths.indexOf(path, place + 1);
    if (next < 0) return null;
    place = next;
    const start = header.index + header[0].length;
    files.set(path, printed.subarray(start, headers[index + 1]?.index ?? printed.length));
  }
  return files.size === 0 && paths.length > 0 ? null : files;
}

/** Bytes at the start of an executable that {@link guessRuntime} examines. Linkers put the notes there. */
export const EXECUTABLE_HEAD_BYTES = 8192;

const BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/^(?:node|nodejs|electron|bun|deno)$/, 'node'],
  [/^(?:java|javac|jsvc)$/, 'jvm'],
  [/^(?:python|pypy)[0-9.]*$/, 'python'],
  [/^(?:nginx|openresty|angie|tengine)$/, 'nginx'],
  [/^luajit(?:-[0-9.a-z-]+)?$/, 'luajit'],
  [/^ruby[0-9.]*$/, 'ruby'],
  [/^(?:php|php-fpm|php-cgi)[0-9.]*$/, 'php'],
  [/^perl[0-9.]*$/, 'perl'],
  [/^beam(?:\.smp)?$/, 'erlang'],
  [/^dotnet$/, 'dotnet'],
  [/^postgres$/, 'postgres'],
];

/**
 * Returns the runtime of a process (`go`, `node`, `jvm`…) from the path and the first {@link EXECUTABLE_HEAD_BYTES} of
 * its executable; null if unknown. A Go binary has a `Go` note (build id), which its linker writes right after the
 * program headers.
 */
export function guessRuntime(executable: string | null, head: Uint8Array | null): string | null {
  const base = (executable ?? '').replace(/ \(deleted\)$/, '').replace(/^.*\//, '');
  for (const [pattern, runtime] of BY_NAME) if (pattern.test(base)) return runtime;
  return head !== null && holdsGoNote(head) ? 'go' : null;
}

/** Searches for an ELF note: name size 4, any description, type 4 (either byte order), name `Go\0\0`. */
function holdsGoNote(head: Uint8Array): boolean {
  if (head[0] !== 0x7f || head[1] !== 0x45 || head[2] !== 0x4c || head[3] !== 0x46) return false;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  for (let at = 64; at + 16 <= head.length; at += 4) {
    if (view.getUint32(at + 12) !== 0x47_6f_00_00) continue;
    for (const littleEndian of [true, false]) {
      if (view.getUint32(at, littleEndian) === 4 && view.getUint32(at + 8, littleEndian) === 4) return true;
    }
  }
  return false;
}
