import { afterAll, expect, test } from 'vitest';
import {
  idleNotes,
  otherCores,
  readMoment,
  withWorkers,
  type MachineMoment,
} from '#app/engine/loads/other-programs.ts';
import { profiledPlaces } from '#app/engine/loads/plan-server.ts';
import { partOfComponent } from '#app/engine/loads/watch-server.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { readProcStat, readTicksPerSecond } from '#collectors/target/processes.ts';
import { endStartedProcesses, startBusy } from '../../../support/busy-process.ts';

endStartedProcesses();
const target = createLocalTarget();
afterAll(() => target.dispose());

const moment = (at: number, ...rows: readonly (readonly [number, number, string, number])[]): MachineMoment => ({
  at,
  waited: new Map(),
  processes: rows.map(([pid, parent, startTicks, cpuTicks]) => ({
    pid,
    parent,
    name: `p${pid}`,
    startTicks,
    cpuTicks,
    childTicks: 0,
  })),
});

test('sums processes of both moments, without the server, its children and what took over a PID', () => {
  const start = moment(1000, [1, 0, '1', 10], [5, 1, '5', 50], [6, 5, '6', 60], [7, 1, '7', 70], [8, 1, '8', 80]);
  const end = moment(
    3000,
    [1, 0, '1', 30],
    [5, 1, '5', 150],
    [6, 5, '6', 160],
    [7, 1, '70', 170],
    [8, 1, '8', 160],
    [9, 1, '9', 90],
  );
  // 20 and 80 ticks of 10 ms in 2 s.
  expect(otherCores(start, end, [5], 100)).toBe(0.5);
  expect(otherCores(start, null, [5], 100)).toBeNull();
  expect(otherCores(start, start, [5], 100)).toBeNull();
});

test('a component that used no CPU time is named, with what it started and which did', () => {
  const start = moment(1000, [5, 1, '5', 50], [6, 5, '6', 60], [7, 6, '7', 0], [8, 5, '8', 0], [9, 1, '9', 0]);
  const end = moment(3000, [5, 1, '5', 50], [6, 5, '6', 61], [7, 6, '7', 90], [8, 5, '8', 9], [9, 1, '9', 90]);
  const use = (name: string, pid: number, cores: number | null) => ({ name, pid, cores });
  expect(idleNotes([use('wrapper', 5, 0), use('app', 8, 0.05)], start, end)).toEqual([
    'wrapper used no CPU time during the run, but p7 and p6, which it started, did: name them as components.',
  ]);
  // A master without work has workers.
  expect(idleNotes([use('nginx', 5, 0), use('nginx', 8, 0.05)], start, end)).toEqual([]);
  expect(idleNotes([use('app', 9, 0)], null, null)).toEqual(['app used no CPU time during the run.']);
  expect(idleNotes([use('app', 9, null)], start, end)).toEqual([]);
});

test('the capture of a worker counts its part of the requests', () => {
  const uses = [
    { name: 'nginx', pid: 1, cores: 0.3 },
    { name: 'nginx', pid: 2, cores: 0.1 },
    { name: 'app', pid: 3, cores: 0.5 },
    { name: 'db', pid: 4, cores: null },
  ];
  expect([1, 2, 3, 4].map((pid) => partOfComponent(uses, pid))).toEqual([
    expect.closeTo(0.75),
    expect.closeTo(0.25),
    1,
    1,
  ]);
});

test('CPU time of workers that start and end under load counts once, for the first of them', () => {
  const row = (pid: number, name: string, cpuTicks: number, childTicks = 0, parent = 5) => ({
    pid,
    parent,
    name,
    startTicks: String(pid),
    cpuTicks,
    childTicks,
  });
  const at = (ms: number, childTicks: number, ...processes: MachineMoment['processes']): MachineMoment => ({
    at: ms,
    waited: new Map(),
    processes: [row(5, 'nginx', 10, childTicks, 1), ...processes],
  });
  const kept = [row(7, 'nginx', 100), row(9, 'nginx', 50)];
  const start = at(0, 40, ...kept, row(6, 'nginx', 300), row(11, 'sh', 5));
  // 9 was not watched, 10 is new, and 12 is no worker.
  const running = [row(7, 'nginx', 200), row(9, 'nginx', 80), row(10, 'nginx', 70, 10), row(12, 'sh', 999)];
  const uses = [
    { name: 'nginx', pid: 5, cores: 0.01 },
    { name: 'nginx', pid: 6, cores: 0.9 },
    { name: 'nginx', pid: 7, cores: 0.1 },
  ];
  // 6 ended at 500 ticks, another one that began meanwhile at 120, and 11 at 25.
  const masters = new Map([6, 7].map((pid) => [pid, 5]));
  const whole = withWorkers(uses, masters, start, at(10_000, 40 + 500 + 120 + 25, ...running), 1000);
  // 200 + 120 + 20 of those that ended, 30 of 9 and 80 of 10, in 10 s of 100 ticks.
  expect(whole.uses.map(({ cores }) => cores)).toEqual([0.01, 0.45, 0.1]);
  expect(whole.notes).toEqual([expect.stringMatching(/^The CPU time of nginx includes workers that started or ended/)]);
  expect(partOfComponent(whole.uses, 7, uses)).toBeCloseTo(0.1 / 0.56);
  // A server that ignores its children's end has no time of them.
  const part = withWorkers(uses, masters, start, at(10_000, 40, ...running), 1000);
  expect(part.uses.map(({ cores }) => cores)).toEqual([0.01, 1.01, 0.1]);
  expect(part.notes[0]).toBe('Workers of nginx ended whose CPU time is unknown: its CPU is a lower bound.');
  // One that ended before the run has used nothing.
  const early = uses.map((use) => (use.pid === 6 ? { ...use, cores: null } : use));
  const later = withWorkers(early, masters, at(0, 340, ...kept), at(10_000, 340, ...running), 1000);
  expect(later.uses.map(({ cores }) => cores)).toEqual([0.01, 0.11, 0.1]);
  expect(withWorkers(uses, masters, start, null, 1000)).toEqual({ uses, notes: [] });
});

test('a profile records some processes of each component', () => {
  const workers = Array.from({ length: 16 }, () => 'nginx');
  expect([...profiledPlaces([...workers, 'app', 'app'])].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 16, 17]);
  expect(profiledPlaces(['gateway', 'app']).size).toBe(2);
});

test('a program that waits for a CPU counts like one that has it', () => {
  const start = {
    ...moment(1000, [5, 1, '5', 0], [6, 1, '6', 0]),
    waited: new Map([
      [5, 1e9],
      [6, 2e9],
    ]),
  };
  const end = {
    ...moment(3000, [5, 1, '5', 50], [6, 1, '6', 0]),
    waited: new Map([
      [5, 2.5e9],
      [6, 1.5e9],
    ]),
  };
  // 0.5 s on a CPU and 1.5 s waiting for one, in 2 s; a counter that fell counts as 0.
  expect(otherCores(start, end, [], 100)).toBe(1);
  expect(otherCores(start, end, [5], 100)).toBe(0);
});

test('counts a busy program of this machine unless it is the server', async () => {
  const ticksPerSecond = await readTicksPerSecond(target);
  const { pid } = startBusy();
  const ticksOf = async (): Promise<number> => (await readProcStat(target, pid))!.cpuTicks;
  const start = await readMoment(target);
  const first = await ticksOf();
  let last = first;
  while (last < first + 20) last = await ticksOf();
  const end = await readMoment(target);
  const seconds = (end!.at - start!.at) / 1000;
  // The loop is ready all the time.
  const waited = (end!.waited.get(pid)! - start!.waited.get(pid)!) / 1e9;
  const [all, others] = [[], [pid]].map((own) => otherCores(start, end, own, ticksPerSecond)!) as [number, number];
  const counted = (all - others) * seconds * ticksPerSecond;
  expect(counted).toBeGreaterThanOrEqual(last - first + waited * ticksPerSecond - 0.1);
});
