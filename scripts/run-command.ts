import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's path, without a trailing slash. */
export const root = path.resolve(fileURLToPath(new URL('..', import.meta.url)));

const LAUNCHER = path.join(root, 'app/cli/flamebench.mjs');

/** Returns the argv of the checkout's own command. */
export const flamebench = (...args: readonly string[]): string[] => [process.execPath, LAUNCHER, ...args];

/** Returns the environment of npm scripts, in which the checkout's own tools and Node come first. */
export const toolEnvironment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: [path.join(root, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(path.delimiter),
});

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Time limit in seconds, after which the command and its children are killed and it counts as failed. */
  readonly limitSeconds?: number;
  /** The nice value of the command and its children; 0 unless set. */
  readonly nice?: number;
}

/**
 * Runs a command in the checkout and shows its output as it arrives. Resolves with null, or with one line if it failed;
 * never rejects.
 */
export function runCommand(argv: readonly string[], options: CommandOptions = {}): Promise<string | null> {
  const [command = '', ...args] = argv;
  const limitSeconds = options.limitSeconds ?? 2700;
  return new Promise((resolve) => {
    // A separate process group, so that what the command leaves running is killed with it.
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...toolEnvironment(), ...options.env },
      detached: true,
    });
    if (child.pid !== undefined && options.nice !== undefined) setPriority(child.pid, options.nice);
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
    // no process of the group is left
  }
}
