import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const LAUNCHER = fileURLToPath(new URL('../../app/cli/flamebench.mjs', import.meta.url));

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the real command. `node`: another Node to start it with, and its options. */
export function runCli(
  args: readonly string[],
  options: {
    stdin?: string | Uint8Array;
    node?: readonly string[];
    cwd?: string;
    env?: Readonly<Record<string, string>>;
  } = {},
): Promise<CliRun> {
  return new Promise((resolve, reject) => {
    const [node = process.execPath, ...nodeOptions] = options.node ?? [];
    const child = spawn(node, [...nodeOptions, LAUNCHER, ...args], {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() });
    });
    // A command that refuses its arguments ends before it reads.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.stdin ?? '');
  });
}
