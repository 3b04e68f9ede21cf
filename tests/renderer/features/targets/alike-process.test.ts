import { expect, it } from 'vitest';
import type { ProcessRow } from '#core/contract/schemas.ts';
import { alikeProcess } from '../../../../renderer/features/targets/alike-process.ts';

const row = (pid: number, name: string, command: string): ProcessRow => ({
  pid,
  startTicks: '1',
  user: 'www',
  cpuPercent: 1,
  rssBytes: 1,
  threads: 1,
  startedAt: 0,
  name,
  command,
  container: null,
  containerName: null,
  image: null,
  pod: null,
  unit: null,
  cgroup: null,
  innerPid: null,
  executable: null,
  buildId: null,
  runtime: null,
});

it('the similar process has the same command line, else the same name, and is the busiest of several', () => {
  const wanted = row(1, 'nginx', 'nginx: worker process');
  const rows = [row(7, 'nginx', 'nginx: master'), row(8, 'nginx', 'nginx: worker process'), row(9, 'sh', 'sh')];
  expect(alikeProcess(rows, wanted)?.pid).toBe(8);
  expect(alikeProcess(rows.slice(0, 1), wanted)?.pid).toBe(7);
  expect(alikeProcess(rows.slice(2), wanted)).toBeNull();
});
