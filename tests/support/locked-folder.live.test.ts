import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeLockedFolder } from './locked-folder.ts';
import { needing } from './needing.ts';
import { sshHosts } from './sshd.ts';

let temp: string;
beforeEach(() => {
  temp = mkdtempSync(join(tmpdir(), 'flamebench-locked-'));
  vi.stubEnv('TMPDIR', temp);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(temp, { recursive: true, force: true });
});

/** Starts another run in a PID namespace of its own, where its PID is 1, and returns the folder that it has made. */
async function otherRun(): Promise<{ child: ChildProcess; folder: string }> {
  const module = JSON.stringify(join(import.meta.dirname, 'locked-folder.ts'));
  const source = `import(${module}).then(({ makeLockedFolder }) => {
    console.log(makeLockedFolder('fb-trial-').path); setInterval(() => {}, 1e6); });`;
  const argv = ['--pid', '--fork', '--kill-child', process.execPath, '-e', source];
  const child = spawn('unshare', argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, folder: line.toString().trim() };
}

needing(sshHosts, () => {
  test('removes the folder of a killed run, not that of one which runs in another PID namespace', async () => {
    const { child, folder } = await otherRun();
    makeLockedFolder('fb-trial-').remove();
    expect(existsSync(folder)).toBe(true);

    child.kill('SIGKILL');
    await once(child, 'close');
    makeLockedFolder('fb-trial-').remove();
    expect(readdirSync(temp)).toEqual([]);
  });
});

test('removes no folder of this process, of another name, without a lock, or behind a link', () => {
  const own = makeLockedFolder('fb-trial-');
  // What the names say decides nothing: the first is what a run without a PID of ours was removed by.
  for (const name of ['fb-trial-4194999-live', 'fb-trial-nolock', 'other-abcdef', 'kept']) {
    mkdirSync(join(temp, name));
    writeFileSync(join(temp, name, name === 'fb-trial-nolock' ? 'data' : 'flamebench-test-lock'), '');
  }
  symlinkSync(join(temp, 'kept'), join(temp, 'fb-trial-linked'));
  mkdirSync(join(temp, 'fb-trial-locked'));
  symlinkSync(join(temp, 'kept/flamebench-test-lock'), join(temp, 'fb-trial-locked/flamebench-test-lock'));
  const before = readdirSync(temp, { recursive: true, encoding: 'utf8' }).toSorted();

  makeLockedFolder('fb-trial-').remove();
  expect(readdirSync(temp, { recursive: true, encoding: 'utf8' }).toSorted()).toEqual(before);
  own.remove();
  own.remove();
  expect(lstatSync(own.path, { throwIfNoEntry: false })).toBeUndefined();
});
