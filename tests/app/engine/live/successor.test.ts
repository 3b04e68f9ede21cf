import { expect, test } from 'vitest';
import { chooseSuccessor } from '#app/engine/live/successor.ts';
import { processSchema, type ProcessRow } from '#core/contract/schemas.ts';

const row = (change: Partial<ProcessRow>): ProcessRow =>
  processSchema.parse({
    pid: 7,
    startTicks: '1',
    user: 'www',
    cpuPercent: null,
    rssBytes: 0,
    threads: 1,
    startedAt: 100,
    name: 'app',
    command: 'app --port 80',
    container: null,
    executable: '/srv/1/app',
    runtime: null,
    cgroup: '/system.slice/app.service',
    unit: 'app.service',
    ...change,
  });

test('a successor has the same executable and command, or belongs to the same service', () => {
  const ended = row({});
  const old = row({ pid: 3, startedAt: 50 });
  const deployed = row({ pid: 8, startedAt: 200, executable: '/srv/2/app' });
  const worker = row({ pid: 9, startedAt: 201, executable: '/srv/2/app' });
  const same = row({ pid: 10, startedAt: 300, command: 'app --port 81' });
  const exact = row({ pid: 11, startedAt: 301 });
  expect(chooseSuccessor([old, worker, deployed, same, exact], ended)?.pid).toBe(11);
  expect(chooseSuccessor([old, worker, deployed, same], ended)?.pid).toBe(10);
  expect(chooseSuccessor([old, worker, deployed], ended)?.pid).toBe(8);
  expect(chooseSuccessor([old], ended)).toBeNull();
  const session = { cgroup: '/user.slice/session-1.scope', unit: 'session-1.scope' };
  expect(chooseSuccessor([{ ...deployed, ...session }], { ...ended, ...session })).toBeNull();
});
