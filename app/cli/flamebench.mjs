#!/usr/bin/env node
// Plain JavaScript for Node 16 and later. A package has the bundle alone, which Node 20 runs. A checkout also has the
// sources, which are newer if it is not fresh: Node before 22.18 cannot strip their types, so another Node is started.
import { spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import * as module from 'node:module';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const lost = lostArgument();
if (lost !== undefined) {
  process.stderr.write(
    `flamebench: the argument ${JSON.stringify(lost)} is not valid UTF-8; rename the file, or pipe it in: - < FILE\n`,
  );
  process.exit(2);
}
const argv = process.argv.slice(2);
// The command that should start at once has a bundle of its own, which loads in two thirds of the time.
const bundle = argv[0] === 'record' ? 'record' : 'main';
const isPackage = !existsSync(new URL('main.ts', import.meta.url));
if (isAtLeast(20, 19) && (isPackage || isBundleFresh(bundle))) await run(() => importBundle(bundle));
else if (isPackage) refuse('Flamebench needs Node 20.19 or later');
else if (isAtLeast(22, 18)) await run(() => import('./main.ts'));
else runWithPackagedNode();

function isAtLeast(major, minor) {
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

function refuse(remedy) {
  process.stderr.write(`flamebench: Node ${process.versions.node} is too old; ${remedy}\n`);
  process.exit(2);
}

async function run(load) {
  const cache = process.env.NODE_COMPILE_CACHE || ownCacheFolder();
  // Node 20 has no compile cache.
  if (cache !== null) module.enableCompileCache?.(cache);
  const { main } = await load();
  process.exitCode = await main(argv);
}

/** Returns a folder in the user's cache, because Node's default is in the world-writable temp folder. Null: there is none. */
function ownCacheFolder() {
  try {
    const home = homedir();
    // Root could make the home folder of a user who has none.
    if (!process.env.XDG_CACHE_HOME && !existsSync(home)) return null;
    return privateFolder(resolve(process.env.XDG_CACHE_HOME || join(home, '.cache'), 'flamebench', 'compile-cache'));
  } catch {
    // a user without a home folder
    return null;
  }
}

/** Node decodes arguments as UTF-8 and loses other bytes, which the kernel still has. Returns the first such argument. */
function lostArgument() {
  const word = process.argv.slice(2).find((one) => one.includes('\ufffd'));
  try {
    return word === undefined || readFileSync('/proc/self/cmdline').includes('\ufffd') ? undefined : word;
  } catch {
    return undefined;
  }
}

/** The names are literal, so that the check of imports can read them. */
function importBundle(bundle) {
  if (isPackage)
    return bundle === 'record' ? import('../../dist/package/record.mjs') : import('../../dist/package/main.mjs');
  return bundle === 'record' ? import('../../dist/cli/record.mjs') : import('../../dist/cli/main.mjs');
}

/**
 * Whether scripts/build.ts made a bundle of the command line from the files that are here; it starts in half the time
 * of the sources.
 */
function isBundleFresh(bundle) {
  try {
    const root = fileURLToPath(new URL('../../', import.meta.url));
    const inputs = JSON.parse(readFileSync(`${root}dist/cli/${bundle}.inputs.json`, 'utf8'));
    return inputs.every(([file, size, modified]) => {
      const stat = statSync(root + file);
      return stat.size === size && stat.mtimeMs === modified;
    });
  } catch {
    return false;
  }
}

/**
 * Creates a folder for code that will be executed. Returns null, and Node works without it, unless it is private, no
 * link, and only this user and root can replace a folder or link on the way to it: root may have the home of another
 * user (`sudo -E`).
 */
function privateFolder(path) {
  try {
    let existing = path;
    while (lstatSync(existing, { throwIfNoEntry: false }) === undefined) existing = dirname(existing);
    if (!isReachedSafely(existing)) return null;
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const isReal = [path, dirname(path)].every((folder) => lstatSync(folder).isDirectory() && isOwn(folder));
    return isReal && isReachedSafely(path) && (lstatSync(path).mode & 0o077) === 0 ? path : null;
  } catch {
    // a read-only home folder
    return null;
  }
}

function isOwn(path) {
  return process.getuid === undefined || lstatSync(path).uid === process.getuid();
}

function isReachedSafely(folder) {
  for (let path of [folder, realpathSync(folder)]) {
    for (; ; path = dirname(path)) {
      if (!isOwn(path) && lstatSync(path).uid !== 0) return false;
      if (path === dirname(path)) break;
    }
  }
  return true;
}

function runWithPackagedNode() {
  const node = fileURLToPath(new URL('../../node_modules/node/bin/node', import.meta.url));
  if (!existsSync(node)) refuse('the packaged Node is missing; run npm ci in the checkout');
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  // The terminal sends Ctrl-C to both processes, kill(1) only to this one; the child treats two signals at once as one.
  // The child also ends when this process does.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
