import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of the test that is running. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-test-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Mounts a small file system of its own for the test that is running; null where this user may not. */
export function mountTmpfs(sizeBytes: number): string | null {
  const folder = join(tempFolder(), 'mounted');
  mkdirSync(folder);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeBytes}`, 'tmpfs', folder]).status !== 0) return null;
  onTestFinished(() => {
    spawnSync('umount', [folder]);
  });
  return folder;
}

/** Makes a mounted file system refuse writes. */
export function remountReadOnly(folder: string): void {
  const { status, stderr } = spawnSync('mount', ['-o', 'remount,ro', folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}
