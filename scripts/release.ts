import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { VERSION } from '#app/version.ts';
import { OUTPUT, SUMS_FILE } from './package.ts';
import { root, runCommand } from './run-command.ts';

/** The whole test run: `CI_FULL=1` takes up to three hours on two cores. */
const FULL_RUN_SECONDS = 4 * 3600;

/** Returns why a release can't be made from this checkout; null if it can. */
export function notReleasable(checkout: string): string | null {
  const changed = git(checkout, 'status', '--porcelain', '--untracked-files=all').split('\n').filter(Boolean);
  if (changed.length === 0) return null;
  return `the checkout has ${changed.length} uncommitted files, the first is ${changed[0]!.slice(3)}; commit or stash them`;
}

/** Returns why the key is not used; null if it can be. `key` is minisign's secret key, with its public one beside it. */
export function unusableKey(checkout: string, key: string): string | null {
  if (!existsSync(key)) return `${key} does not exist; make one with: minisign -G -s ${key} -p ${publicKey(key)}`;
  const inside = path.relative(realpathSync(checkout), realpathSync(key));
  if (!inside.startsWith('..') && !path.isAbsolute(inside))
    return `${key} is inside the checkout; keep the key outside of it`;
  return existsSync(publicKey(key)) ? null : `${publicKey(key)} does not exist; minisign -R writes it from ${key}`;
}

const publicKey = (key: string): string => `${key.replace(/\.key$/, '')}.pub`;

/** Returns the names of the files that are in one of two folders only, or differ in a byte. */
export function differingFiles(one: string, other: string): string[] {
  const [inOne, inOther] = [new Set(readdirSync(one)), new Set(readdirSync(other))];
  return [...new Set([...inOne, ...inOther])].sort().filter((name) => {
    if (!inOne.has(name) || !inOther.has(name)) return true;
    return !readFileSync(path.join(one, name)).equals(readFileSync(path.join(other, name)));
  });
}

/** Signs the checksums of a folder with minisign, which asks for the key's password, and checks the signature. */
export function sign(folder: string, key: string, comment: string): void {
  const sums = path.join(folder, SUMS_FILE);
  minisign('-S', '-s', key, '-m', sums, '-t', comment);
  copyFileSync(publicKey(key), path.join(folder, 'minisign.pub'));
  minisign('-V', '-q', '-p', publicKey(key), '-m', sums);
}

function minisign(...words: string[]): void {
  const { status, error } = spawnSync('minisign', words, { stdio: 'inherit' });
  if (error !== undefined)
    throw new Error(`minisign does not start (${error.message}); install it: apt install minisign`);
  if (status !== 0) throw new Error(`minisign ${words[0]} ended with exit code ${status}`);
}

const git = (folder: string, ...words: string[]): string =>
  execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8' });

/**
 * Builds the packages again, in a clone of the commit with packages of its own. Returns the folder with them, and how to
 * remove the clone.
 */
async function buildAgain(): Promise<{ readonly output: string; readonly remove: () => void }> {
  const clone = mkdtempSync(path.join(tmpdir(), 'flamebench-release-'));
  const remove = (): void => rmSync(clone, { recursive: true });
  try {
    git(root, 'clone', '--quiet', root, clone);
    for (const argv of [
      ['npm', '--prefix', clone, 'ci'],
      ['npm', '--prefix', clone, 'run', 'package'],
    ]) {
      const problem = await runCommand(argv);
      if (problem !== null) throw new Error(problem);
    }
    return { output: path.join(clone, path.relative(root, OUTPUT)), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Makes a signed release of the commit that is checked out, and throws one line if something keeps it from that. */
async function release(key: string): Promise<void> {
  const refused = notReleasable(root) ?? unusableKey(root, key);
  if (refused !== null) throw new Error(refused);
  const tested = await runCommand(['npm', 'test'], {
    env: { CI: 'true', CI_FULL: '1' },
    limitSeconds: FULL_RUN_SECONDS,
  });
  if (tested !== null) throw new Error(`the tests failed: ${tested}`);
  if (existsSync(OUTPUT)) throw new Error(`${OUTPUT} exists; move it away`);
  const built = await runCommand(['npm', 'run', 'package']);
  if (built !== null) throw new Error(built);
  const again = await buildAgain();
  try {
    const different = differingFiles(OUTPUT, again.output);
    if (different.length > 0) throw new Error(`two builds differ in ${different.join(', ')}`);
  } finally {
    again.remove();
  }
  const commit = git(root, 'rev-parse', 'HEAD').trim();
  sign(OUTPUT, key, `flamebench ${VERSION} ${commit}`);
  process.stdout.write(`npm run release: ${path.relative(root, OUTPUT)}, built twice with the same bytes, is signed\n`);
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { key: { type: 'string' } } });
  try {
    if (values.key === undefined) throw new Error('usage: npm run release -- --key FOLDER/minisign.key');
    await release(path.resolve(values.key));
  } catch (error) {
    process.stderr.write(`npm run release: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
