import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach } from 'vitest';

/** A Node program that runs until the test ends. */
export interface NodeProgram {
  readonly pid: number;
  /** What it has printed so far. */
  text(): string;
  said(pattern: RegExp): Promise<void>;
  readonly child: ChildProcess;
}

const started = new Set<ChildProcess>();

/** Kills the started programs after each test. A test file that starts some calls it once. */
export const endNodePrograms = (): void => {
  afterEach(() => {
    for (const child of started) child.kill('SIGKILL');
    started.clear();
  });
};

/** Runs `source` as a module. Resolves once it has printed `ready`, and is old enough to be signalled. */
export async function startNodeProgram(
  node: string,
  source: string,
  options: {
    readonly argv?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly young?: true;
  } = {},
): Promise<NodeProgram> {
  // Any free port, so that programs of other tests may open their inspectors at the same time.
  const env = { ...process.env, NODE_OPTIONS: '--inspect-port=0', ...options.env };
  const child = spawn(
    node,
    [...(options.argv ?? []), '--input-type=module', '-e', `${source}\nconsole.log('ready');`],
    {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  started.add(child);
  let text = '';
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      for (const look of waiting) look();
    });
  }
  const said = (pattern: RegExp): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!pattern.test(text)) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  await said(/ready/);
  const program = { pid: child.pid!, child, text: () => text, said };
  if (options.young !== true) await untilGrown(program.pid);
  return program;
}

/** Waits until a Node process is old enough to be signalled. */
export async function untilGrown(pid: number): Promise<void> {
  while (ageOf(pid) < 1.1) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Returns seconds since the start of a process. */
export function ageOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  return Number.parseFloat(readFileSync('/proc/uptime', 'latin1')) - ticks / 100;
}
