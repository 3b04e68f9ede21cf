import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { encodeLine, REMOTE_SHELL, RUN_SCRIPT } from '#collectors/target/ssh/remote-script.ts';
import { needing, type Need } from '../../../support/needing.ts';

const BEAT_MS = 1000;
/** Time limit in ms for a host to be clean, generous for a busy machine. */
const CLEAN_MS = 40_000;
const started = new Set<ChildProcess>();

afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

interface Channel {
  readonly child: ChildProcess;
  /** Lines that the script reported, without the mark. */
  readonly reports: string[];
  /** Process group of the program. */
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
  readonly parent: number;
  readonly state: string;
  readonly args: string;
}

/** Reads /proc itself: on a busy machine, running `ps` each time would delay this process's heartbeats. */
function processesOf(...sessions: number[]): Row[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        const [state = '', parent, , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (!sessions.includes(Number(session)) || state === 'Z' || state === 'X') return [];
        const args = readFileSync(`/proc/${name}/cmdline`, 'latin1').split('\0').join(' ').trim();
        return [{ pid: Number(name), parent: Number(parent), state, args }];
      } catch {
        return [];
      }
    });
}

/** Returns a line for each process: PID, parent, state and the beginning of its command line. */
const treeText = (...sessions: number[]): string =>
  processesOf(...sessions)
    .map(({ pid, parent, state, args }) => `${pid} < ${parent} ${state} ${args.replaceAll(/\s+/g, ' ').slice(0, 60)}`)
    .join('\n');

/** Returns the target of a process's standard input; null if it has ended. */
function inputOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/fd/0`);
  } catch {
    return null;
  }
}

const ROLES = ['shell', 'plumbing', 'keeper', 'ticker', 'frames', 'relay', 'program', 'leader', 'child'] as const;

/** Resolves with the PID of each lasting process once all run; parents and inputs distinguish them. */
async function rolesOf({ child, group }: Channel): Promise<Record<(typeof ROLES)[number], number>> {
  const shell = child.pid!;
  const leader = await group;
  const find = (): Partial<Record<(typeof ROLES)[number], number>> => {
    const rows = processesOf(shell, leader);
    const childrenOf = (pid: number | undefined): Row[] => rows.filter(({ parent }) => parent === pid);
    const program = rows.find(({ pid }) => pid === leader)?.parent;
    const plumbing = rows.find(({ pid }) => pid === program)?.parent;
    const [keeper, ...more] = childrenOf(shell).filter(({ pid }) => pid !== plumbing);
    const helpers = childrenOf(plumbing).filter(({ pid }) => pid !== program);
    const ticker = helpers.find(({ pid }) => childrenOf(pid).some(({ args }) => args === 'sleep 1'));
    const others = helpers.filter((row) => row !== ticker);
    const frames = others.find(({ pid }) => inputOf(pid) === inputOf(shell));
    const relay = others.find((row) => row !== frames);
    const sleeper = childrenOf(leader).find(({ args }) => args === 'sleep 300');
    const pids = [shell, plumbing, more.length === 0 ? keeper?.pid : undefined, ticker?.pid, frames?.pid, relay?.pid];
    const all = [...pids, program, leader, sleeper?.pid];
    return Object.fromEntries(ROLES.map((role, at) => [role, all[at]]));
  };
  let found: ReturnType<typeof find> = {};
  await expect
    .poll(
      () => {
        found = find();
        return ROLES.filter((role) => found[role] === undefined);
      },
      { timeout: 30_000, interval: 200 },
    )
    .toEqual([]);
  return found as Record<(typeof ROLES)[number], number>;
}

const BUSY = 'sleep 300 & while :; do sleep 0.2; done';
/** Ends only when it is killed. */
const STUBBORN = `trap '' TERM; ${BUSY}`;

describe('the keeper', { timeout: 90_000 }, () => {
  test('ends what a program left running, also if its name has a line end', async () => {
    const named = String.raw`printf 'a) b\nc' >/proc/$$/comm`;
    const child = `sh -c "${named.replace('$$', String.raw`\$\$`)}; trap '' TERM HUP INT; while :; do sleep 0.2; done"`;
    const isNamed = '[ "$(head -c 1 /proc/$!/comm)" = a ]';
    const channel = openChannel(`${child} & until ${isNamed}; do sleep 0.1; done`);
    const leader = await channel.group;
    await expect.poll(() => channel.reports, { timeout: 30_000 }).toContain('exit 0');
    channel.child.stdin!.end();
    await expect.poll(() => treeText(channel.child.pid!, leader), { timeout: CLEAN_MS }).toBe('');
  });

  test.each([
    ['a program', BUSY, ROLES],
    // `frames` is left out: with it killed, the keeper waits 8 s for the silent client, whatever the program.
    ['one that ignores TERM', STUBBORN, ROLES.filter((role) => role !== 'frames')],
  ])('KILL of any one process leaves nothing of %s running once the client is gone', async (_, script, victims) => {
    const left = await Promise.all(
      victims.map(async (role) => {
        const channel = openChannel(script);
        const roles = await rolesOf(channel);
        const tree = (): string => treeText(channel.child.pid!, roles.leader);
        const before = tree();
        process.kill(roles[role], 'SIGKILL');
        channel.child.stdin!.write('s TERM\n');
        channel.child.stdin!.end();
        const deadline = performance.now() + CLEAN_MS;
        while (tree() !== '' && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 100));
        if (tree() === '') return [];
        const reported = channel.reports.join(', ');
        return [`${role} ${roles[role]} of\n${before}\nwas killed; left are\n${tree()}\nreported: ${reported}`];
      }),
    );
    expect(left.flat()).toEqual([]);
  });
});

/** PID 1 of a container, which reaps no children. */
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
  test('a zombie that nobody reaps counts as ended', { timeout: 60_000 }, async () => {
    // The child outlives the program, and its new parent does not reap it.
    const channel = openChannel('sleep 1 & exit 4', UNREAPING);
    await channel.group;
    await expect.poll(() => channel.reports, { timeout: 20_000 }).toContain('exit 4');
    const shells = (): string[] =>
      processesOf(channel.child.pid!)
        .map(({ args }) => args)
        .filter((args) => args.startsWith('/bin/sh -c IFS='));
    expect(shells()).not.toEqual([]);
    channel.child.stdin!.end();
    await expect.poll(shells, { timeout: 20_000 }).toEqual([]);
    channel.child.kill('SIGKILL');
  });
});
