import { createHash, randomUUID } from 'node:crypto';
import { posix } from 'node:path';
import type { Check } from '#core/contract/schemas.ts';
import { checkOf } from '../check.ts';
import { cleanMessage } from '../message-log.ts';
import { readScript } from '../read-script.ts';
import { readBuildId, readElfFacts } from '../target/elf.ts';
import { readText } from '../target/read-texts.ts';
import { runToEnd } from '../target/run-to-end.ts';
import type { Target } from '../target/target.ts';
import { normalTargetPath, type KernelRelease, type TargetPath } from '../target/target-words.ts';

const PLACE_FILE = readScript(new URL('./place-file.sh', import.meta.url));

/** How a module is compiled on another machine than the one that is recorded. */
export interface BuildElsewhere {
  /** Target ID of the build host. */
  readonly on: string;
  /** The kernel for which it compiles: the recorded machine's. */
  readonly release: KernelRelease;
  /** Folder there for one machine's kernel: stap's cache, and what is copied from the recorded machine. */
  readonly folder: string;
  /** True if stap names the kernel's functions by the recorded machine's table of symbols, which is copied. */
  readonly symbols: boolean;
  /** Files of the recorded machine that stap reads instead of the build host's, which differ. */
  readonly files: readonly TargetPath[];
  /** Folder there that contains {@link files} by their paths; null if there are none. */
  readonly root: string | null;
}

/** Opens a target by its ID, connected. */
export type OpenTarget = (id: string) => Promise<Target>;

/** Returns the folder of stap's own cache, whose keys include the script, the kernel's release and stap's version. */
export const cacheOf = ({ folder }: Pick<BuildElsewhere, 'folder'>): string => `${folder}/systemtap`;

interface BuildPlan {
  /** Null if nothing can be compiled there; the checks say why. */
  readonly build: BuildElsewhere | null;
  readonly checks: readonly Check[];
}

interface ToBuild {
  readonly on: string;
  readonly release: KernelRelease;
  /** The module contains the kernel's symbols. */
  readonly needsSymbols: boolean;
  readonly binaries: readonly TargetPath[];
  /** The file whose types the script names; null: none. */
  readonly binary: TargetPath | null;
  /** The recorded machine's table can be read as root. */
  readonly hasSudo: boolean;
}

const HEAD_BYTES = 64 << 10;
const MAX_FILE_BYTES = 256 * 2 ** 20;
const MAX_SYMBOLS_BYTES = 64 * 2 ** 20;

const failed = (id: string, found: string, remedy: string | null): BuildPlan => ({
  build: null,
  checks: [checkOf(id, 'failed', found, remedy)],
});

/** Returns the first line that a command prints; null if it fails. */
async function lineOf(target: Target, argv: readonly string[]): Promise<string | null> {
  const said = await runToEnd(target, argv).catch(() => null);
  const text = new TextDecoder().decode(said?.stdout).trim();
  return said?.exit.code === 0 && text !== '' ? text : null;
}

/** Folders from which stap takes a kernel's makefiles, which it runs, and its symbols: no program is there. */
const OF_KERNEL = /^(?:\/usr)?\/(?:lib\/modules|boot)\//;

const CACHE_FOLDER = 'printf "%s\\n" "${XDG_CACHE_HOME:-${HOME:?}/.cache}"';

/** Plans compiling for `target` on `builder`: what has to be copied there, and whether it can be used there. */
export async function planBuild(builder: Target, target: Target, asked: ToBuild): Promise<BuildPlan> {
  const { on, release, needsSymbols, hasSudo } = asked;
  const [cache, machines, version] = await Promise.all([
    lineOf(builder, ['/bin/sh', '-c', CACHE_FOLDER]).then(normalTargetPath),
    Promise.all([builder, target].map((one) => lineOf(one, ['uname', '-m']))),
    readText(target, '/proc/version'),
  ]);
  if (cache === null) return failed('build-host', `${builder.host} has no home folder`, 'give its user one');
  const ofKernel = asked.binaries.find((path) => OF_KERNEL.test(path));
  if (ofKernel !== undefined) {
    return failed('build-host', `${target.host} says that the process runs ${ofKernel}, which is the kernel’s`, null);
  }
  if (machines[0] !== machines[1]) {
    const found = `${builder.host} is ${machines[0] ?? 'unknown'}, and ${target.host} is ${machines[1] ?? 'unknown'}`;
    return failed('build-host', found, 'compile on a host of the same architecture');
  }
  if (needsSymbols) {
    const lack = (await checkSymbols(target, hasSudo)) ?? (await checkMounts(builder));
    if (lack !== null) return { build: null, checks: [lack] };
  }
  // Another machine's symbols would be those of its own kernel, whatever it says of it.
  const kernel = hashOf(target.host, release, version, machines[0] ?? '');
  const folder = `${cache}/flamebench/stap-${kernel}`;
  const { files, root } = await filesToCopy(builder, target, asked, folder);
  const what = files.length === 0 ? 'with its own binaries, which are the same' : 'with the target’s binaries';
  const check: Check = checkOf('build-host', 'ok', `compiles on ${builder.host}, ${what}`);
  return { build: { on, release, folder, symbols: needsSymbols, files, root }, checks: [check] };
}

const hashOf = (...texts: readonly string[]): string =>
  createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 16);

const REVEAL_SYMBOLS = 'run on the target: sudo sysctl kernel.kptr_restrict=0; or use --sudo; or record --stacks user';

/** Checks whether the addresses of the kernel's symbols can be read: the kernel hides them from most users. */
async function checkSymbols(target: Target, hasSudo: boolean): Promise<Check | null> {
  const [head] = await target.readRanges([{ path: '/proc/kallsyms', offset: 0, length: 4096 }]).catch(() => [null]);
  if (hasSudo || /^(?!0{8,16} )[0-9a-f]{8,16} /m.test(new TextDecoder().decode(head ?? undefined))) return null;
  return checkOf(
    'kernel-symbols',
    'failed',
    `the addresses of the kernel’s symbols on ${target.host} can’t be read`,
    REVEAL_SYMBOLS,
  );
}

const PRIVATE_MOUNTS =
  'if [ "$(id -u)" = 0 ]; then unshare --mount --propagation unchanged true; else unshare --user --map-root-user --mount true; fi';

/** Checks whether the build host can show stap another table of symbols. */
async function checkMounts(builder: Target): Promise<Check | null> {
  const tried = await runToEnd(builder, ['/bin/sh', '-c', PRIVATE_MOUNTS]).catch(() => null);
  if (tried?.exit.code === 0) return null;
  return checkOf(
    'build-host',
    'failed',
    `${builder.host} does not let stap have its own /proc/kallsyms (unshare failed), so it would name the kernel’s functions wrong`,
    'record --stacks user; or allow user namespaces there, or CAP_SYS_ADMIN in a container',
  );
}

/** Returns the files to copy: none if the build host has the same ones, by build ID. */
async function filesToCopy(
  builder: Target,
  target: Target,
  { binaries, binary, release }: ToBuild,
  folder: string,
): Promise<Pick<BuildElsewhere, 'files' | 'root'>> {
  const heads = binaries.map((path) => ({ path, offset: 0, length: HEAD_BYTES }));
  const [here, there] = await Promise.all([builder, target].map((one) => one.readRanges(heads)));
  const ids = heads.map((_head, index) => {
    const head = there?.[index] ?? null;
    const own = here?.[index] ?? null;
    const id = head === null ? null : readBuildId(head);
    return { id, isSame: id !== null && own !== null && readBuildId(own) === id };
  });
  if (ids.every(({ isSame }) => isSame)) return { files: [], root: null };
  const debugFile = binary === null ? null : ((await readElfFacts(target, binary))?.debugFile ?? null);
  const candidates = [...binaries, ...(debugFile === null ? [] : [debugFile])];
  const facts = await Promise.all(candidates.map((path) => target.stat(path).catch(() => null)));
  const files = candidates.filter((_path, index) => (facts[index]?.size ?? Infinity) <= MAX_FILE_BYTES);
  const key = hashOf(
    release,
    ...candidates.map((path, index) => `${path} ${facts[index]?.size} ${facts[index]?.modifiedAt}`),
  );
  return { files, root: `${folder}/root-${key}` };
}

/** Copies to the build host what it lacks. `reader` reads the table of the kernel's symbols. */
export async function provideBuild(
  builder: Target,
  target: Target,
  reader: Pick<Target, 'run'>,
  build: BuildElsewhere,
): Promise<void> {
  const { release, folder, symbols, files, root } = build;
  await makeFolders(builder, [`${folder}/boot`, cacheOf(build)]);
  if (symbols && (await builder.stat(`${folder}/kallsyms`)) === null) {
    const table = await runToEnd(reader, ['cat', '/proc/kallsyms'], { timeoutMs: 60_000, maxBytes: MAX_SYMBOLS_BYTES });
    if (table.exit.code !== 0)
      throw new BuildHostFailure(`the kernel’s symbols on ${target.host} could not be read to their end`, null);
    const copy = `${folder}/kallsyms-${randomUUID()}`;
    await builder.writeFile(copy, ownSymbols(table.stdout));
    await run(builder, ['cp', copy, `${folder}/boot/System.map-${release}`]);
    await run(builder, ['mv', copy, `${folder}/kallsyms`]);
  }
  if (root === null) return;
  const modules = `${root}/lib/modules/${release}`;
  await makeFolders(builder, [root, modules, `${root}/boot`]);
  // `source` has the headers of the tracepoints, where a distribution splits the headers in two.
  for (const tree of ['build', 'source']) {
    await run(builder, ['ln', '-sfn', `/lib/modules/${release}/${tree}`, `${modules}/${tree}`]);
  }
  if (symbols) await run(builder, ['cp', `${folder}/boot/System.map-${release}`, `${root}/boot/`]);
  for (const path of files) {
    if ((await builder.stat(root + path)) !== null) continue;
    const copy = `copy-${randomUUID()}`;
    await builder.writeFile(`${root}/${copy}`, await target.readFile(path, MAX_FILE_BYTES), 0o755);
    await run(builder, ['/bin/sh', '-c', PLACE_FILE, 'flamebench', root, path.slice(1), copy]);
  }
}

/** Returns the kernel's own symbols: modules are at other addresses after each boot. */
function ownSymbols(table: Uint8Array): Uint8Array {
  const lines = new TextDecoder().decode(table).split('\n');
  if (lines.every((line) => /^0*( |$)/.test(line))) {
    throw new BuildHostFailure('the addresses of the kernel’s symbols can’t be read', REVEAL_SYMBOLS);
  }
  return new TextEncoder().encode(`${lines.filter((line) => line !== '' && !line.includes('[')).join('\n')}\n`);
}

const makeFolders = (builder: Target, paths: readonly string[]): Promise<void> =>
  run(builder, ['/bin/sh', '-c', 'umask 077; exec mkdir -p -- "$@"', 'flamebench', ...paths]);

async function run(builder: Target, argv: readonly string[]): Promise<void> {
  const { exit, stderr } = await runToEnd(builder, argv);
  if (exit.code === 0) return;
  const said = cleanMessage(stderr.trim().split('\n').at(-1) ?? '').slice(0, 300);
  throw new BuildHostFailure(`${argv[0]} failed on ${builder.host}: ${said}`, null);
}

class BuildHostFailure extends Error {
  readonly code = 'build-host';
  readonly remedy: string | null;

  constructor(message: string, remedy: string | null) {
    super(message);
    this.remedy = remedy;
  }
}

interface ModuleCopy {
  /** Temporary. */
  readonly folder: string;
  readonly path: string;
}

/** Copies a compiled module to the machine that loads it, until `atEnd`. */
export async function copyModule(
  builder: Target,
  target: Target,
  path: TargetPath,
  atEnd: (action: () => Promise<void>) => void,
): Promise<ModuleCopy> {
  const module = await builder.readFile(path, MAX_FILE_BYTES);
  const folder = await target.makeTempDir();
  atEnd(() => target.removeTempDir(folder));
  const copy = `${folder}/${posix.basename(path)}`;
  await target.writeFile(copy, module, 0o600);
  return { folder, path: copy };
}

/** Returns what is shown before the command that compiles. */
export function describeBuild({ on, symbols, files }: Pick<BuildElsewhere, 'on' | 'symbols' | 'files'>): string {
  const copied = [
    ...(symbols ? ['the target’s /proc/kallsyms'] : []),
    ...(files.length === 0 ? [] : [`${files.length} of its binaries`]),
  ];
  const first = copied.length === 0 ? '' : `, with ${copied.join(' and ')}`;
  return `on ${on}${first}; the module is then copied to the target`;
}
