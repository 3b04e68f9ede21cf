import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processSchema, type ProcessRow } from '#core/contract/schemas.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import type { ProcStat } from '#collectors/target/proc-files.ts';
import { createDetailsReader } from '#collectors/target/process-details.ts';
import type { Target } from '#collectors/target/target.ts';
import { createProcessLister, findProcess, listProcesses, readProcStat } from '#collectors/target/processes.ts';

const target = createLocalTarget();
const folder = mkdtempSync(join(tmpdir(), 'processes-'));
const children: ChildProcess[] = [];
let rows: ProcessRow[];

function start(command: string, args: readonly string[]): ChildProcess {
  const child = spawn(command, args, { stdio: 'ignore' });
  children.push(child);
  return child;
}
const rowOf = (child: ChildProcess): ProcessRow | undefined => rows.find(({ pid }) => pid === child.pid);

/** Returns the path of the C library of this process. */
function mappedLibrary(): string {
  const [path] = /\/\S*\/libc[.-]\S+/.exec(readFileSync('/proc/self/maps', 'utf8')) ?? [];
  if (path === undefined) throw new Error('no C library is mapped');
  return path;
}

let busy: ChildProcess;
let idle: ChildProcess;
let node: ChildProcess;
let go: ChildProcess;

beforeAll(async () => {
  copyFileSync('/usr/bin/sleep', join(folder, 'odd (name) x'));
  busy = start('sh', ['-c', 'while :; do :; done']);
  idle = start(join(folder, 'odd (name) x'), ['60']);
  node = start('node', ['-e', 'setTimeout(() => {}, 60000)', '--', '--password=hunter2', 'http://me:pw@db/x']);
  go = start('sleep', ['60']);
  rows = await listProcesses(target);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await target.dispose();
  rmSync(folder, { recursive: true });
});

test('asks the name service for 100 users at a time, and for the others in the next list', async () => {
  const asked: (readonly string[])[] = [];
  const crowd: Target = {
    ...target,
    readFile: () => Promise.reject(new Error('no /etc/passwd')),
    readRanges: (ranges) =>
      Promise.resolve(
        ranges.map(({ path }) => new TextEncoder().encode(`Uid:\t0\t${/\d+/.exec(path)?.[0] ?? ''}\t0\t0\n`)),
      ),
    run: (argv, options) => {
      asked.push(argv);
      return target.run(['true'], options);
    },
  };
  const details = createDetailsReader(crowd);
  for (const cpuTicks of [0, 1]) {
    await details.read(
      Array.from({ length: 150 }, (_, row) => ({ pid: row + 1, startTicks: '1', cpuTicks }) as ProcStat),
    );
  }
  expect(asked.map(([, , ...uids]) => uids.length)).toEqual([100, 50]);
});

test('lists rows that match the contract, busiest first, without kernel threads', () => {
  for (const row of rows) processSchema.parse(row);
  const shares = rows.map(({ cpuPercent }) => cpuPercent ?? 0);
  expect(shares).toEqual([...shares].sort((a, b) => b - a));
  expect(rows.some(({ name }) => name === 'kthreadd' || name.startsWith('ksoftirqd'))).toBe(false);
});

test('shows the CPU use of busy and idle processes', () => {
  expect(rowOf(busy)?.cpuPercent).toBeGreaterThan(5);
  expect(rowOf(idle)?.cpuPercent).toBe(0);
});

test('shows user, start and size', () => {
  const row = rowOf(node);
  expect(row).toMatchObject({ user: userInfo().username, runtime: 'node', container: null });
  expect(row?.threads).toBeGreaterThan(1);
  expect(row?.rssBytes).toBeGreaterThan(10_000_000);
  expect(Math.abs((row?.startedAt ?? 0) - Date.now())).toBeLessThan(20_000);
  expect(row?.executable).toMatch(/node$/);
});

test('shows the same build id as readelf', () => {
  const { executable, buildId } = rowOf(idle)!;
  const notes = execFileSync('readelf', ['-n', executable!]).toString();
  expect(buildId).toBe(/Build ID: ([0-9a-f]+)/.exec(notes)?.[1]);
});

test('recognises Lua in an nginx that maps LuaJIT', async () => {
  const nginx = join(folder, 'nginx');
  const library = join(folder, 'libluajit-5.1.so.2');
  copyFileSync('/usr/bin/sleep', nginx);
  copyFileSync(mappedLibrary(), library);
  const plain = start(nginx, ['62']);
  const lua = spawn(nginx, ['63'], { stdio: 'ignore', env: { ...process.env, LD_PRELOAD: library } });
  children.push(lua);
  const runtimeOf = async (child: ChildProcess): Promise<string | null | undefined> => {
    rows = await listProcesses(target);
    return rowOf(child)?.runtime;
  };
  await expect.poll(() => runtimeOf(lua), { timeout: 20_000 }).toBe('luajit');
  expect(rowOf(plain)?.runtime).toBe('nginx');
});

test('later lists add started processes, drop ended ones, and keep what is known of the others', async () => {
  const lister = createProcessLister(target);
  await lister.list();
  const later = start('sleep', ['61']);
  rows = await lister.list();
  expect(rowOf(later)).toMatchObject({ command: 'sleep 61' });
  expect(rowOf(node)).toMatchObject({ runtime: 'node' });
  expect(rowOf(busy)?.cpuPercent).toBeGreaterThan(0);
  later.kill('SIGKILL');
  await new Promise((resolve) => later.once('exit', resolve));
  rows = await lister.list();
  expect(rowOf(later)).toBeUndefined();
});

test('rereads the details only of processes that are new or have used CPU since', async () => {
  const read: string[] = [];
  const counting: Target = {
    ...target,
    readLinks: (paths) => {
      read.push(...paths);
      return target.readLinks(paths);
    },
  };
  const lister = createProcessLister(counting);
  const isRead = (child: ChildProcess): boolean => read.includes(`/proc/${child.pid}/exe`);
  await lister.list();
  expect([isRead(idle), isRead(busy)]).toEqual([true, true]);
  read.length = 0;
  const later = start('sleep', ['64']);
  rows = await lister.list();
  expect([isRead(idle), isRead(busy), isRead(later)]).toEqual([false, true, true]);
  expect(rowOf(idle)).toMatchObject({ name: 'odd (name) x', user: userInfo().username });
});

test('keeps names with spaces and parentheses, and redacts secrets', () => {
  expect(rowOf(idle)).toMatchObject({ name: 'odd (name) x', command: `'${join(folder, 'odd (name) x')}' 60` });
  expect(rowOf(node)?.command).toContain(`'--password=‹redacted›' 'http://‹redacted›@db/x'`);
});

test('finds one process; null if there is none', async () => {
  const pid = go.pid ?? 0;
  const row = await findProcess(target, pid);
  expect(row).toMatchObject({ pid, name: 'sleep', cpuPercent: null, startTicks: rowOf(go)?.startTicks });
  expect(await findProcess(target, 4_194_304)).toBeNull();
  expect((await readProcStat(target, pid))?.startTicks).toBe(row?.startTicks);
});
