import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Need } from '../../../support/needing.ts';

/** Creates a folder that is removed after the current test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-test-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** What {@link mountTmpfs} requires. */
export const mounting: Need = {
  name: 'the right to mount (root has it)',
  present: () => spawnSync('unshare', ['--mount', 'true']).status === 0,
};

/** Mounts a small file system for the current test. */
export function mountTmpfs(sizeBytes: number): string {
  const folder = join(tempFolder(), 'mounted');
  mkdirSync(folder);
  run('mount', '-t', 'tmpfs', '-o', `size=${sizeBytes}`, 'tmpfs', folder);
  onTestFinished(() => {
    // Lazily, since a recording that did not end keeps its lock open.
    spawnSync('umount', ['--lazy', folder]);
  });
  return folder;
}

/** Makes a mounted file system refuse writes. */
export function remountReadOnly(folder: string): void {
  run('mount', '-o', 'remount,ro', folder);
}

function run(command: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}
