import { expect, test } from 'vitest';
import type { LoadPlan } from '#core/contract/load/load-test.ts';
import {
  capSteps,
  loadArgv,
  planProblem,
  totalLoadText,
  unreadLoopNotes,
  warmUpsOf,
  withEventLoops,
} from '#core/load/plan-load.ts';

const plan = (changes: Partial<LoadPlan> = {}): LoadPlan => ({
  tool: 'wrk',
  url: 'http://a/',
  headers: [],
  script: null,
  concurrencies: [10, 20, 50],
  seconds: 30,
  repeats: 1,
  warmUp: 10,
  coolDown: 0,
  threads: 2,
  ...changes,
});

test('a staircase rises from step to step in five levels', () => {
  const rise = (concurrency: number, changes: Partial<LoadPlan> = {}) =>
    warmUpsOf(plan({ staircase: true, ...changes }), { concurrency }).map((one) => [one.concurrency, one.seconds]);
  expect(rise(10)).toEqual([
    [2, 2],
    [4, 2],
    [6, 2],
    [8, 2],
    [10, 2],
  ]);
  expect(rise(50).map(([level]) => level)).toEqual([26, 32, 38, 44, 50]);
  // Not more levels than seconds or connections; no seconds are lost.
  expect(rise(20, { warmUp: 3 })).toEqual([
    [13, 1],
    [17, 1],
    [20, 1],
  ]);
  expect(rise(2, { concurrencies: [2], warmUp: 7 })).toEqual([
    [1, 3],
    [2, 4],
  ]);
  expect(rise(10, { warmUp: 0 })).toEqual([]);
  expect(warmUpsOf(plan(), { concurrency: 20 })).toEqual([{ concurrency: 20, seconds: 10 }]);
});

test('wrk opens every connection of a step: its threads divide them', () => {
  const threadsOf = (concurrency: number, cpus: number, threads: number | null = null) =>
    Number(loadArgv(plan({ threads }), 'wrk', concurrency, 5, cpus)[2]);
  // wrk -t 6 -c 10 opens 6 connections, one in each thread.
  expect([4, 7, 8, 10, 20, 50, 100, 200].map((concurrency) => threadsOf(concurrency, 2))).toEqual([
    4, 1, 4, 5, 5, 5, 5, 5,
  ]);
  expect(threadsOf(100, 16)).toBe(25);
  expect(threadsOf(9, 16, 2)).toBe(1);
});

test('short connections are an option of each tool, and named', () => {
  const short = plan({ shortConnections: true });
  expect(loadArgv(short, 'wrk', 10, 5, 4).slice(-3)).toEqual(['-H', 'Connection: close', 'http://a/']);
  expect(loadArgv({ ...short, tool: 'hey' }, 'hey', 10, 5, 4)).toContain('-disable-keepalive');
  expect(totalLoadText({ ...short, staircase: true }, 'box', [])).toBe(
    'wrk on box sends as many requests to http://a/ as it answers, over up to 50 connections at a time, a new one for each request: 3 steps (10, 20 and 50 connections), 3 runs of 30 s, with 10 s before each to rise to it; 120 s in all.',
  );
});

test('a profile of Node reads the event loops, too, as far as there is room, and names the others', () => {
  const probe = { kind: 'probe', perSecond: 10, instance: null } as const;
  const node = (pid: number) => ({ kind: 'node' as const, pid });
  const server = (pids: number[], collector: 'node' | 'java' = 'node') => ({
    target: 'local',
    pids,
    profile: { collector, at: 'each' as const },
  });
  const few = withEventLoops(plan({ server: server([1, 2]), series: [probe, node(1)] }));
  expect(few.series).toEqual([probe, node(1), node(2)]);
  expect(unreadLoopNotes(few)).toEqual([]);
  const many = withEventLoops(plan({ server: server([1, 2, 3, 4]), series: [probe] }));
  expect(many.series).toEqual([probe, node(1), node(2)]);
  expect(totalLoadText(many, 'box', ['box'])).toContain(
    'Node 2. The event loops of processes 3 and 4 are not read: a load test has at most 3 other series. ',
  );
  for (const changes of [{}, { server: server([1], 'java') }])
    expect(withEventLoops(plan(changes))).toEqual(plan(changes));
});

test('several machines send with wrk only, whose histograms can be merged', () => {
  const senders = ['ssh:b', 'ssh:c'];
  expect(planProblem(plan({ senders }))).toBeNull();
  expect(loadArgv(plan({ senders }), 'wrk', 10, 5, 4).join(' ')).toContain(' -s latencies.lua http://a/');
  expect(totalLoadText(plan({ senders }), 'a', [], ['b', 'c'])).toMatch(/^wrk on a, b and c together sends /);
  expect(planProblem(plan({ senders, tool: 'hey' }))?.[0]).toMatch(/hey|CSV lacks failed requests/);
  expect(planProblem(plan({ senders, tool: 'locust' }))?.[0]).toMatch(/Locust distributes itself/);
  expect(planProblem(plan({ senders, script: 'a.lua' }))?.[1]).toBe('leave the script out');
  const limits = { cpus: 2, openFiles: 1124, ports: null };
  expect(capSteps([1024, 2048, 3000], limits).concurrencies).toEqual([1024]);
  expect(capSteps([1024, 2048, 3072, 3073], limits, 3).leftOut).toEqual([3073]);
});

test('Locust has a file, which decides about headers, connections and load shapes', () => {
  const locust = plan({ tool: 'locust', script: '/home/me/users.py' });
  expect(planProblem(locust)).toBeNull();
  expect(loadArgv(locust, 'locust', 10, 5, 4).join(' ')).toBe(
    'locust --headless --json --csv load --csv-full-history -f /home/me/users.py -H http://a/ -u 10 -r 10 -t 5s',
  );
  expect(totalLoadText(locust, 'box', [])).toContain('as its file says, over up to 50 users at a time: 3 steps');
  for (const changes of [
    { script: null },
    { script: 'users.py' },
    { headers: ['A: b'] },
    { shortConnections: true },
    { staircase: true },
  ] as const)
    expect(planProblem({ ...locust, ...changes, headers: 'headers' in changes ? ['A: b'] : [] })).not.toBeNull();
  expect(planProblem(plan({ tool: 'hey', script: 'a.lua' }))?.[0]).toBe('hey takes no script');
});
