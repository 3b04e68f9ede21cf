import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Need } from './needing.ts';

/** Versions of Node that tests attach to, from npm's packages; outside the checkout, so that a new clone finds them. */
const VERSIONS = { 20: '20.20.2', 22: '22.23.5', 26: '26.12.1' } as const;
type Major = keyof typeof VERSIONS | 24;

export const NODE_MAJORS = [20, 22, 24] as const satisfies readonly Major[];

const cache = path.join(
  process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
  'flamebench',
  'node-for-tests',
);

const fileOf = (major: Major): string =>
  major === 24 ? process.execPath : path.join(cache, VERSIONS[major], 'bin', 'node');

/** Returns the executable, which {@link nodeVersions} has fetched. */
export const nodeOf = (major: Major): string => fileOf(major);

/** Node 20, 22, 24 and 26: the tests run with 24. */
export const nodeVersions: Need = {
  name: 'Node 20, 22, 24 and 26 for Linux',
  present: () =>
    process.platform === 'linux' &&
    process.versions.node.startsWith('24.') &&
    Object.values(VERSIONS).every(
      (version) => existsSync(path.join(cache, version, 'bin', 'node')) || fetched(version),
    ),
};

function fetched(version: string): boolean {
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(path.join(cache, 'fetching-'));
  try {
    const run = (program: string, ...args: string[]): boolean =>
      spawnSync(program, args, { cwd: work, stdio: 'ignore' }).status === 0;
    const name = `node-linux-${process.arch}`;
    const isThere =
      run('npm', 'pack', '--silent', `${name}@${version}`) &&
      run('tar', 'xzf', `${name}-${version}.tgz`, 'package/bin/node');
    if (isThere) renameSync(path.join(work, 'package'), path.join(cache, version));
    return isThere;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
