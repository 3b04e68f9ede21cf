import { once } from 'node:events';
import { spawn, type ChildProcess } from 'node:child_process';
import { afterAll, afterEach } from 'vitest';
import { BUSY_LOOP } from './busy-loop.ts';

/** A process that keeps one CPU busy until the test ends. */
export function startBusy(): ChildProcess & { readonly pid: number } {
  const [program, ...args] = BUSY_LOOP;
  return startForTest(program, args);
}

/** A process that does nothing until the test ends. */
export function startIdle(): ChildProcess & { readonly pid: number } {
  return startForTest('sleep', ['600']);
}

const started = new Set<ChildProcess>();
let areEnded = false;

export function startForTest(
  program: string,
  args: readonly string[],
  stdout: 'ignore' | 'pipe' = 'ignore',
): ChildProcess & { readonly pid: number } {
  if (!areEnded) throw new Error('the test file does not call endStartedProcesses()');
  const child = spawn(program, args, { stdio: ['ignore', stdout, 'ignore'] });
  started.add(child);
  if (child.pid === undefined) throw new Error(`can't start ${program}`);
  return child as ChildProcess & { readonly pid: number };
}

/** Starts a program and resolves once it has printed a line. */
export async function startReady(
  program: string,
  args: readonly string[],
): Promise<ChildProcess & { readonly pid: number }> {
  const child = startForTest(program, args, 'pipe');
  await once(child.stdout!, 'data');
  return child;
}

/** Kills the started processes after each test. A test file that starts processes calls it once. */
export function endStartedProcesses(): void {
  areEnded = true;
  const end = (): void => {
    for (const child of started) child.kill('SIGKILL');
    started.clear();
  };
  afterEach(end);
  // A failing check in another hook prevents the former.
  afterAll(end);
}
