import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readScript } from '#collectors/read-script.ts';

const SCRIPT = readScript(new URL('../../../collectors/stap/run-module.sh', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-module-'));
  mkdirSync(join(folder, 'copy'));
  writeFileSync(join(folder, 'copy', 'stap_1.ko'), '');
  writeFileSync(join(folder, 'staprun'), '#!/bin/sh\nread -r line\n', { mode: 0o755 });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a staprun that ends after `change`; resolves when the module's copy is gone. */
async function run(change: () => void, copy: string): Promise<void> {
  const argv = [join(folder, 'staprun'), '-R', '-x', '1', join(folder, 'copy', 'stap_1.ko')];
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'flamebench', join(folder, 'copy'), ...argv]);
  // The shell that waits holds the folder by then.
  await new Promise((resolve) => setTimeout(resolve, 500));
  change();
  child.stdin.end('\n');
  await expect.poll(() => existsSync(join(folder, copy, 'stap_1.ko'))).toBe(false);
}

test('the copy of a module is deleted with its folder once staprun has ended', async () => {
  await run(() => {}, 'copy');
  await expect.poll(() => existsSync(join(folder, 'copy'))).toBe(false);
});

test('what others put at the path of the folder stays', async () => {
  const swap = (): void => {
    renameSync(join(folder, 'copy'), join(folder, 'moved'));
    mkdirSync(join(folder, 'copy'));
    writeFileSync(join(folder, 'copy', 'stap_1.ko'), '');
    writeFileSync(join(folder, 'copy', 'kept'), '');
  };
  await run(swap, 'moved');
  expect(readdirSync(join(folder, 'copy'))).toEqual(['kept', 'stap_1.ko']);
});
