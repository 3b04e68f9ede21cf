import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { createLocalTarget } from '#collectors/target/local.ts';
import { runToEnd } from '#collectors/target/run-to-end.ts';
import { isRunning } from '../../support/process-state.ts';
import { describeTarget } from '../target-suite.ts';

describeTarget('local', createLocalTarget);

test('ends everything when Flamebench is killed with -9, including children and temporary directories', async () => {
  const program = `
    const { createLocalTarget } = await import('./collectors/target/local.ts');
    const target = createLocalTarget();
    const directory = await target.makeTempDir();
    const first = await target.run(['sh', '-c', 'sleep 60 & echo $!; wait']);
    const done = await target.run(['true']);
    await done.exit;
    for await (const chunk of first.stdout) console.log(first.pid, new TextDecoder().decode(chunk).trim(), directory);
  `;
  const own = spawn('node_modules/.bin/node', ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve) => createInterface(own.stdout).once('line', resolve));
  const [leader = 0, child = 0] = line.split(' ').map(Number);
  const directory = line.split(' ')[2] ?? '';
  expect([isRunning(leader), isRunning(child), existsSync(directory)]).toEqual([true, true, true]);
  own.kill('SIGKILL');
  await expect
    .poll(() => [isRunning(leader), isRunning(child), existsSync(directory)], { timeout: 6000 })
    .toEqual([false, false, false]);
});

test('a command is not waited for beyond its limit, even if what it left running holds its outputs', async () => {
  const target = createLocalTarget();
  const command = ['sh', '-c', 'setsid sleep 60 & echo said; echo told >&2; exit 3'];
  const { stdout, stderr, exit } = await runToEnd(target, command, { timeoutMs: 1000 });
  expect([new TextDecoder().decode(stdout), stderr, exit]).toEqual(['said\n', 'told\n', { code: 3, signal: null }]);
  await target.dispose();
}, 30_000);

test('a killed Flamebench leaves neither its folders nor, in place of them, other people’s', async () => {
  const temp = join(mkdtempSync(join(tmpdir(), 'watchdog-')), ' * [a-z]');
  mkdirSync(temp, { recursive: true });
  const program = `
    const { createLocalTarget } = await import('./collectors/target/local.ts');
    const target = createLocalTarget();
    console.log(JSON.stringify([await target.makeTempDir(), await target.makeTempDir()]));
    setTimeout(() => {}, 60_000);
  `;
  const own = spawn('node_modules/.bin/node', ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: temp },
  });
  const line = await new Promise<string>((resolve) => createInterface(own.stdout).once('line', resolve));
  const [first, second] = JSON.parse(line) as [string, string];
  writeFileSync(join(first, '-rf'), '');
  writeFileSync(join(first, '.hidden'), '');
  mkdirSync(join(dirname(temp), 'a'));
  renameSync(second, join(temp, 'moved'));
  mkdirSync(second);
  writeFileSync(join(second, 'kept'), '');
  own.kill('SIGKILL');
  await expect.poll(() => existsSync(first), { timeout: 6000 }).toBe(false);
  await expect.poll(() => [...readdirSync(second), ...readdirSync(dirname(temp))]).toEqual(['kept', ' * [a-z]', 'a']);
  rmSync(dirname(temp), { recursive: true });
});
