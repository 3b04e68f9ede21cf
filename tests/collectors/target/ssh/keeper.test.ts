import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { afterAll, describe, expect, test } from 'vitest';
import { encodeLine, REMOTE_SHELL, RUN_SCRIPT } from '#collectors/target/ssh/remote-script.ts';
import { needing, type Need } from '../../../support/needing.ts';

const BEAT_MS = 1000;
/** What a host takes to be clean; longer on a busy machine. */
const CLEAN_MS = 20_000;
const started = new Set<ChildProcess>();

afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

interface Channel {
  readonly child: ChildProcess;
  /** What the script reported, without its mark. */
  readonly reports: string[];
  /** Group of the program. */
  readonly group: Promise<number>;
  readonly closed: Promise<void>;
}

/** Runs a shell program under the keeper, as a channel of ssh does; `around`: argv that runs the shell. */
function openChannel(program: string, around: readonly string[] = []): Channel {
  const [command, ...args] = [...around, '/bin/sh', '-c', REMOTE_SHELL];
  const child = spawn(command, args, { detached: true, stdio: 'pipe' });
  started.add(child);
  child.stdin.on('error', () => undefined);
  child.stdout.resume();
  const words = ['--', 'sh', '-c', program].map((word) => `+${word}`);
  const request = [RUN_SCRIPT, 'ab', 'cd', '', '', '1', ...words, '.'];
  child.stdin.write(request.map(encodeLine).join(''));
  const beat = setInterval(() => child.stdin.write('.\n'), BEAT_MS);
  const reports: string[] = [];
  const { promise: group, resolve } = Promise.withResolvers<number>();
  let rest = '';
  child.stderr.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('abcd ')) continue;
      reports.push(line.slice(5));
      if (line.startsWith('abcd pid ')) resolve(Number(line.slice(9)));
    }
  });
  const closed = new Promise<void>((done) => child.once('close', done));
  void closed.then(() => clearInterval(beat));
  return { child, reports, group, closed };
}

interface Row {
  readonly pid: number;
  readonly session: number;
  readonly state: string;
  readonly args: string;
}

function processesOf(...sessions: number[]): Row[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,sid=,stat=,args='])
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([pid, parent, session, state = '', ...args]) => ({
      pid: Number(pid),
      session: Number(session),
      state,
      args: `${pid}<${parent} ${args.join(' ')}`,
    }));
  return rows.filter(({ session, state }) => sessions.includes(session) && !state.startsWith('Z'));
}

/** Shells that are there for as long as the program is: not the `sleep` of the ticker. */
async function treeOf({ child, group }: Channel): Promise<number[]> {
  const own = await group;
  const all = processesOf(child.pid!, own);
  await new Promise((resolve) => setTimeout(resolve, 1200));
  const still = new Set(processesOf(child.pid!, own).map(({ pid }) => pid));
  return all.map(({ pid }) => pid).filter((pid) => still.has(pid));
}

const BUSY = 'sleep 300 & while :; do sleep 0.2; done';

describe('the keeper', { timeout: 60_000 }, () => {
  test('KILL of any one process leaves nothing running once the client has gone', async () => {
    const count = (await treeOf(openChannel(BUSY))).length;
    expect(count).toBeGreaterThan(6);
    const left = await Promise.all(
      Array.from({ length: count }, async (_, place) => {
        const channel = openChannel(BUSY);
        const tree = await treeOf(channel);
        const group = await channel.group;
        const pid = tree[Math.min(place, tree.length - 1)]!;
        const victim = {
          role: `${place} ${execFileSync('ps', ['-o', 'ppid=,pid=,args=', '-p', String(pid)])
            .toString()
            .slice(0, 60)}`,
        };
        process.kill(pid, 'SIGKILL');
        channel.child.stdin!.write('s TERM\n');
        channel.child.stdin!.end();
        const isClean = (): boolean => processesOf(channel.child.pid!, group).length === 0;
        const deadline = performance.now() + CLEAN_MS;
        while (!isClean() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 100));
        return isClean()
          ? []
          : [
              `${victim.role}: left ${processesOf(channel.child.pid!, group)
                .map(({ args }) => args.slice(0, 60))
                .join(' | ')}`,
            ];
      }),
    );
    expect(left.flat()).toEqual([]);
  });
});

/** PID 1 of a container that reaps nobody. */
const UNREAPING = [
  'unshare',
  '--pid',
  '--fork',
  '--mount-proc',
  'sh',
  '-c',
  'exec 3<&0; "$@" <&3 3<&- & exec sleep 60',
  'sh',
];
const containers: Need = {
  name: 'the right to make a container (root has it)',
  present: () => spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0,
};

needing(containers, () => {
  test('a zombie that nobody reaps is a process that has ended', { timeout: 60_000 }, async () => {
    // The child outlives the program, and its new parent waits for nobody.
    const channel = openChannel('sleep 1 & exit 4', UNREAPING);
    await channel.group;
    await expect.poll(() => channel.reports, { timeout: 20_000 }).toContain('exit 4');
    const shells = (): string[] =>
      processesOf(channel.child.pid!)
        .map(({ args }) => args)
        .filter((args) => /^\S+ \/bin\/sh -c IFS=/.test(args));
    expect(shells()).not.toEqual([]);
    channel.child.stdin!.end();
    await expect.poll(shells, { timeout: 20_000 }).toEqual([]);
    channel.child.kill('SIGKILL');
  });
});
