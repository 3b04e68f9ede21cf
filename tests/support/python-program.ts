import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach } from 'vitest';
import { PYTHON } from './py-spy.ts';

const started = new Set<ChildProcess>();

/** Kills the started programs after each test. A test file that starts some calls it once. */
export const endPythonPrograms = (): void => {
  const end = (): void => {
    for (const child of started) child.kill('SIGKILL');
    started.clear();
  };
  afterEach(end);
  afterAll(end);
};

/** Runs `source`, which prints a line once it is ready. */
export async function startPythonProgram(
  source: string,
  ...args: string[]
): Promise<ChildProcess & { readonly pid: number }> {
  const child = spawn(PYTHON, ['-c', source, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  started.add(child);
  await once(child.stdout, 'data');
  return child as unknown as ChildProcess & { readonly pid: number };
}

/** Returns the states of a process's threads: `SSR`. A stopped one is `T`, a traced one `t`. */
export function threadStates(pid: number): string {
  const listed = spawnSync('sh', ['-c', `cat /proc/${pid}/task/*/stat`]).stdout.toString();
  return [...listed.matchAll(/^\d+ \(.*\) (\w)/gm)].map(([, state]) => state).join('');
}
