import type { RecipeBinary } from '#core/contract/recipes.ts';
import type { Check, ProcessRow } from '#core/contract/schemas.ts';
import { checkOf } from './check.ts';
import { runToEnd } from './target/run-to-end.ts';
import type { Target } from './target/target.ts';
import { parseTargetPath, type TargetPath } from './target/target-words.ts';

const MAX_BINARIES = 100;
const MAX_MAPS_BYTES = 4 * 2 ** 20;

/** The files whose code a process has mapped. */
export interface MappedBinaries {
  /** In the order of the process's memory. */
  readonly paths: readonly TargetPath[];
  /** Whether the process has code without a file, as a JIT compiler makes; null if its memory map can't be read. */
  readonly hasMadeCode: boolean | null;
  readonly check: Check | null;
}

/**
 * Returns the files whose code the process has mapped; only the executable if its memory map can't be read. `asRoot`:
 * sudo reads what the user may not, unless it needs a password.
 */
export async function findBinaries(
  target: Target,
  { pid, executable }: ProcessRow,
  asRoot = false,
): Promise<MappedBinaries> {
  const path = `/proc/${pid}/maps`;
  const [bytes = null] = await target.readRanges([{ path, offset: 0, length: MAX_MAPS_BYTES }]);
  const maps = new TextDecoder().decode(bytes ?? (asRoot ? await readAsRoot(target, path) : undefined));
  const mapped = [...maps.matchAll(/^\S+ ..x. \S+ \S+ \d+ +(\/.*)$/gm)];
  const paths = [...new Set(mapped.map(([, path = '']) => path))];
  if (paths.length === 0) {
    const whose = executable === null ? 'its functions' : 'functions of its libraries';
    const found = `the process’s memory map can’t be read: ${whose} have no names`;
    const check = checkOf(
      'binaries',
      'unknown',
      found,
      'connect as root, or let sudo (--sudo) work without a password',
    );
    return { paths: [parseTargetPath(executable) ?? []].flat(), hasMadeCode: null, check };
  }
  const hasMadeCode = /^\S+ ..x. \S+ \S+ 0 *$/m.test(maps);
  const deleted = paths.filter((path) => path.endsWith(' (deleted)'));
  const existing = paths.filter((path) => !deleted.includes(path));
  const present = existing.flatMap((path) => parseTargetPath(path) ?? []);
  const odd = existing.find((path) => parseTargetPath(path) === null);
  if (odd !== undefined) {
    const shown = JSON.stringify(odd.slice(0, 100));
    const found = `${shown} is mapped, which is not a path in normal form: left out, so it has no names`;
    return {
      paths: present.slice(0, MAX_BINARIES),
      hasMadeCode,
      check: checkOf('binaries', 'warning', found, 'check the target'),
    };
  }
  if (deleted.length > 0) {
    const names = deleted.map((path) => path.slice(0, -10)).join(', ');
    const check = checkOf(
      'binaries',
      'warning',
      `${names}: replaced since the process started, so it has no names`,
      'restart the process',
    );
    return { paths: present.slice(0, MAX_BINARIES), hasMadeCode, check };
  }
  const found = `${present.length} binaries are mapped; functions of the first ${MAX_BINARIES} have names`;
  const check = present.length > MAX_BINARIES ? checkOf('binaries', 'warning', found) : null;
  return { paths: present.slice(0, MAX_BINARIES), hasMadeCode, check };
}

/** Returns a file as root reads it; undefined if sudo needs a password. */
async function readAsRoot(target: Target, path: string): Promise<Uint8Array | undefined> {
  const sudo = (await target.root?.sudoArgv())?.[0];
  if (sudo === undefined) return undefined;
  const argv = [sudo, '-n', '--', 'cat', path];
  const said = await runToEnd(target, argv).catch(() => null);
  return said?.exit.code === 0 ? said.stdout : undefined;
}

/** File names of libraries, the likeliest first: an allocator that replaces libc's comes before it. */
const LIBRARIES: Readonly<Record<Exclude<RecipeBinary, 'executable'>, readonly RegExp[]>> = {
  allocator: [/^lib(?:jemalloc|tcmalloc\w*|mimalloc)\b.*\.so/, /^(?:libc[.-]|ld-musl-).*\.so|^libc\.so/],
  luajit: [/^libluajit\b.*\.so/],
};

/** Returns the file that a recipe names; the executable if no library of that kind is mapped. */
export function binaryOf(
  kind: RecipeBinary,
  { executable }: ProcessRow,
  { paths }: Pick<MappedBinaries, 'paths'>,
): TargetPath | null {
  const own = parseTargetPath(executable);
  if (kind === 'executable') return own;
  for (const pattern of LIBRARIES[kind]) {
    const found = paths.find((path) => pattern.test(path.slice(path.lastIndexOf('/') + 1)));
    if (found !== undefined) return found;
  }
  return own;
}
