import { join, resolve } from 'node:path';
import { runToEnd } from '#collectors/target/run-to-end.ts';
import type { Target } from '#collectors/target/target.ts';
import { captureError, usageError } from '../errors.ts';

/** A commit that a side is built from. */
export interface Commit {
  readonly hash: string;
  /** `1a2b3c4d5e6f` */
  readonly short: string;
}

/** Lines that a change touches, as `git diff` shows them. */
export interface ChangedLines {
  readonly file: string;
  /** Line in the head, from 1. */
  readonly line: number;
  /** What the hunk is in, and its lines with their signs. */
  readonly text: string;
}

/** The user's repository; nothing in it is changed. */
export interface Repository {
  readonly root: string;
  /** Throws a usage error if it names no commit. */
  commit(ref: string): Promise<Commit>;
  /** The commit at which both histories part. */
  mergeBase(base: Commit, head: Commit): Promise<Commit>;
  /** The commits after `good` up to `bad` along first parents, the oldest first; null if `good` is no ancestor. */
  history(
    good: Commit,
    bad: Commit,
  ): Promise<(Commit & { readonly subject: string; readonly isMerge: boolean })[] | null>;
  /** Number of files that differ from HEAD; new ones count. */
  uncommitted(): Promise<number>;
  /** Null if the commit has no such file. */
  readFile(commit: Commit, path: string): Promise<string | null>;
  changedLines(base: Commit, head: Commit): Promise<ChangedLines[]>;
  /**
   * Checks a commit out below an empty folder; by default a temporary one that goes away with this process, however it
   * ends. It has a repository of its own, which borrows the objects of the user's: nothing is registered there, as a
   * worktree would be, and no hook runs.
   */
  checkOut(commit: Commit, folder?: string): Promise<string>;
}

/** Neither the user's hooks nor a monitor, which the repository may name, run. */
const HARDENED = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'];
/** Name of the checkout in its folder. */
export const CHECKOUT = 'checkout';
const CHECKOUT_MS = 600_000;
const MOST_DIFF_BYTES = 16 * 1024 * 1024;
const SHORT = 12;

type RunsHere = Pick<Target, 'run' | 'makeTempDir' | 'readFile' | 'writeFile' | 'stat'>;

/** Opens the repository around a folder. Throws a usage error if there is none. */
export async function openRepository(target: RunsHere, folder: string): Promise<Repository> {
  const decoder = new TextDecoder();
  async function git(cwd: string, args: readonly string[], maxBytes = MOST_DIFF_BYTES): Promise<string | null> {
    const { stdout, stderr, exit } = await runToEnd(target, ['git', '-C', cwd, ...HARDENED, ...args], {
      timeoutMs: CHECKOUT_MS,
      maxBytes,
      env: { GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' },
    });
    lastError = stderr.trim().split('\n').at(-1) ?? '';
    return exit.code === 0 ? decoder.decode(stdout) : null;
  }
  let lastError = '';
  const found = await git(folder, ['rev-parse', '--show-toplevel']).catch(() => null);
  if (found === null) {
    const why = lastError === '' ? 'git is missing, or this is no repository' : lastError;
    throw usageError(`no repository at ${folder}: ${why}`, 'run it in a checkout, or give two programs');
  }
  const root = found.replace(/\n$/, '');
  const pathOf = async (name: string): Promise<string> =>
    resolve(root, ((await git(root, ['rev-parse', '--git-path', name])) ?? name).replace(/\n$/, ''));
  const asCommit = (hash: string): Commit => ({ hash, short: hash.slice(0, SHORT) });
  return {
    root,
    async commit(ref) {
      const hash = await git(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
      if (hash !== null) return asCommit(hash.trim());
      throw usageError(`${ref} is not a commit here`, 'check its name, and that the checkout has its history');
    },
    async mergeBase(base, head) {
      const hash = await git(root, ['merge-base', base.hash, head.hash]);
      if (hash !== null) return asCommit(hash.trim());
      throw usageError(`${base.short} and ${head.short} have no common commit here`, 'fetch the whole history');
    },
    async history(good, bad) {
      if ((await git(root, ['merge-base', '--is-ancestor', good.hash, bad.hash])) === null) return null;
      const format = ['log', '--reverse', '--first-parent', '-z', '--format=%H %P%n%s'];
      const log = (await git(root, [...format, `${good.hash}..${bad.hash}`])) ?? '';
      return log.split('\0').flatMap((entry) => {
        const [head = '', subject = ''] = entry.split('\n');
        const [hash = '', ...parents] = head.trim().split(' ');
        return hash === '' ? [] : [{ ...asCommit(hash), subject, isMerge: parents.length > 1 }];
      });
    },
    async uncommitted() {
      const status = (await git(root, ['status', '--porcelain', '-z', '--no-renames'])) ?? '';
      return status.split('\0').filter((entry) => entry !== '').length;
    },
    readFile: ({ hash }, path) => git(root, ['show', `${hash}:${path}`]),
    async changedLines(base, head) {
      const args = ['diff', '--no-ext-diff', '--no-textconv', '--no-color', '--no-prefix', '-U0', base.hash, head.hash];
      return hunksOf((await git(root, args)) ?? '');
    },
    async checkOut({ hash, short }, folder) {
      const place = join(folder ?? (await target.makeTempDir()), CHECKOUT);
      const format = ((await git(root, ['rev-parse', '--show-object-format'])) ?? 'sha1').trim();
      const own = join(place, '.git');
      const steps: readonly (() => Promise<unknown>)[] = [
        () => git(root, ['init', '-q', '--template=', `--object-format=${format}`, place]),
        async () => {
          await target.writeFile(join(own, 'objects/info/alternates'), bytes(`${await pathOf('objects')}\n`));
          const shallow = await pathOf('shallow');
          if ((await target.stat(shallow)) === null) return true;
          await target.writeFile(join(own, 'shallow'), await target.readFile(shallow));
          return true;
        },
        // For what the build runs.
        () => git(place, ['config', 'core.hooksPath', '/dev/null']),
        () => git(place, ['checkout', '-q', '--detach', hash]),
      ];
      for (const step of steps) {
        if ((await step()) === null) throw captureError(`can't check out ${short}: ${lastError}`);
      }
      return place;
    },
  };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Parses the output of `git diff -U0`; quoted names (with control characters) keep git's escapes. */
export function hunksOf(diff: string): ChangedLines[] {
  const hunks: ChangedLines[] = [];
  let file: string | null = null;
  let hunk: { line: number; lines: string[] } | null = null;
  const end = (): void => {
    if (hunk !== null && file !== null) hunks.push({ file, line: Math.max(1, hunk.line), text: hunk.lines.join('\n') });
    hunk = null;
  };
  for (const line of diff.split('\n')) {
    if (line.startsWith('diff --git ')) {
      end();
      file = null;
    } else if (hunk === null && line.startsWith('+++ ')) {
      file = line === '+++ /dev/null' ? null : line.slice(4).replace(/\t$/, '');
    } else if (line.startsWith('@@ ')) {
      end();
      const [, start, context = ''] = /^@@ -\S+ \+(\d+)(?:,\d+)? @@(.*)$/.exec(line) ?? [];
      hunk = { line: Number(start ?? 1), lines: [context] };
    } else if (hunk !== null && /^[-+]/.test(line)) hunk.lines.push(line);
  }
  end();
  return hunks;
}

/**
 * Returns the first change that names the function: in the line where git says that the hunk is, or in the hunk. A
 * qualified name counts by its last part.
 */
export function changeOf(name: string, changed: readonly ChangedLines[]): ChangedLines | null {
  const plain = /[\p{L}\p{N}_$]+(?=[^\p{L}\p{N}_$]*$)/u.exec(
    name.replace(/^<.*>::/s, '').replace(/[(<[].*$/s, ''),
  )?.[0];
  if (plain === undefined || plain.length < 2) return null;
  const word = new RegExp(
    String.raw`(?<![\p{L}\p{N}_$])${plain.replaceAll('$', String.raw`\$`)}(?![\p{L}\p{N}_$])`,
    'u',
  );
  return changed.find(({ text }) => word.test(text)) ?? null;
}
