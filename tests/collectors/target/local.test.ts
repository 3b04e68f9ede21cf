import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { createLocalTarget } from '#collectors/target/local.ts';
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
