import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const LAUNCHER = fileURLToPath(new URL('../../app/cli/flamebench.mjs', import.meta.url));

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliRunOptions {
  readonly stdin?: string | Uint8Array;
  /** Another Node executable to start it with, and its options. */
  readonly node?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the real command in a process of its own. */
export function runCli(args: readonly string[], options: CliRunOptions = {}): Promise<CliRun> {
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
    // A command that refuses its arguments ends without reading its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.stdin ?? '');
  });
}

/** Parses the captures that `record --json -- COMMAND` lists on stderr; stdout belongs to the program. */
export const recordedCaptures = ({ stderr }: Pick<CliRun, 'stderr'>): { id: string; samples: number }[] => {
  const json = stderr.slice(stderr.indexOf('{\n'), stderr.lastIndexOf('}') + 1);
  return (JSON.parse(json) as { captures: { id: string; samples: number }[] }).captures;
};
