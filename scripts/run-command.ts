import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout, without a slash at the end. */
export const root = path.resolve(fileURLToPath(new URL('..', import.meta.url)));

/** The environment of npm's scripts: the checkout's own tools and Node come first. */
export const toolEnvironment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: [path.join(root, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(path.delimiter),
});

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** After so many seconds the command and its children are ended, and it counts as failed. */
  readonly limitSeconds?: number;
}

/** Runs a command in the checkout, its output shown as it comes. Resolves to null, or in one line to how it failed; never rejects. */
export function runCommand(argv: readonly string[], options: RunOptions = {}): Promise<string | null> {
  const [command = '', ...args] = argv;
  const limitSeconds = options.limitSeconds ?? 2100;
  return new Promise((resolve) => {
    // A process group of its own: what the command leaves running ends with it.
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...toolEnvironment(), ...options.env },
      detached: true,
    });
    let late = false;
    const end = (): void => {
      endGroup(child.pid, 'SIGKILL');
    };
    const timer = setTimeout(() => {
      late = true;
      end();
    }, limitSeconds * 1000);
    const interrupted = (): void => {
      end();
      process.exit(130);
    };
    process.once('SIGINT', interrupted);
    process.once('SIGTERM', interrupted);
    const settle = (problem: string | null): void => {
      clearTimeout(timer);
      process.off('SIGINT', interrupted);
      process.off('SIGTERM', interrupted);
      endGroup(child.pid, 'SIGKILL');
      resolve(late ? `${command} did not end within ${limitSeconds} s` : problem);
    };
    child.once('error', (error) => {
      settle(`${command} did not start: ${error.message}`);
    });
    child.once('exit', (code, signal) => {
      settle(code === 0 ? null : `${command} ended with ${signal ?? `exit code ${String(code)}`}`);
    });
  });
}

function endGroup(leader: number | undefined, signal: 'SIGKILL'): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, signal);
  } catch {
    // nothing of the group is left
  }
}
