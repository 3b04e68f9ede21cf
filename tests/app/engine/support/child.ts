import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Need } from '../../../support/needing.ts';

/** The command that runs another one in a PID namespace; both end with it. */
export const IN_PID_NAMESPACE = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'];

/** What {@link IN_PID_NAMESPACE} requires. */
export const pidNamespaces: Need = {
  name: 'the right to make PID namespaces (root has it)',
  present: () => spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0,
};

/** Runs a script of this folder in a process that does not outlive the test, through another command if given. */
export function startChild(
  script: string,
  args: readonly string[],
  { through = [], env = process.env }: { through?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
): ChildProcess {
  const [command = '', ...rest] = [...through, process.execPath, join(import.meta.dirname, script), ...args];
  const child = spawn(command, rest, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

export function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('exit', resolve);
  });
}

/** Resolves with the child's output when `enough` returns true. */
export function printed(child: ChildProcess, enough: (text: string) => boolean): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (enough(text)) resolve(text);
    });
  });
}
