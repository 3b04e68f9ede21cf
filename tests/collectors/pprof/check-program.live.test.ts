import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PprofOptions } from '#core/contract/pprof.ts';
import { judgeProgram } from '#collectors/pprof/check-program.ts';
import { pprofCollector } from '#collectors/pprof/collector.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { clock } from '../../support/perf-recording.ts';
import { MemorySink } from '../../support/memory-sink.ts';

const nginx = { pid: 812, name: 'nginx', executable: '/usr/sbin/nginx', buildId: 'aabbccdd00112233' };
const other = { code: 'other-program' };

test.each([
  ['the build id decides', nginx, { executable: '/app/other', executableBuildId: 'AABBCCDD00112233' }, 'same'],
  ['two builds of one name differ', nginx, { executable: '/x/nginx', executableBuildId: 'ffffffffffffffff' }, other],
  ['else the name of the file does', nginx, { executable: '/in/container/nginx' }, 'same'],
  ['another name is another program', nginx, { executable: '/app/backend' }, other],
  ['a replaced file keeps its name', { ...nginx, executable: '/b/app (deleted)' }, { executable: '/app' }, 'same'],
  [
    'a build id that is not hexadecimal says nothing',
    nginx,
    { executable: '/b/nginx', executableBuildId: 'go/1/x' },
    'same',
  ],
  ['without a mapping it is unknown', nginx, {}, 'unknown'],
  [
    'of a process that can’t be read it is unknown',
    { ...nginx, executable: null, buildId: null },
    { executable: '/a' },
    'unknown',
  ],
  ['without a process it is unknown', null, { executable: '/a' }, 'unknown'],
] as const)('%s', (_, asked, program, expected) => {
  const judged = judgeProgram(asked, program);
  if (typeof expected === 'string') expect(judged).toBe(expected);
  else expect(judged).toMatchObject(expected);
});

test('names both programs, and the container’s behind docker-proxy', () => {
  expect(judgeProgram(nginx, { executable: '/app/backend' })).toMatchObject({
    message: 'process 812 is nginx, but the profile that its port sent is of backend',
    remedy: 'nginx forwards /debug/pprof/: give the process that is behind it, or record this one with perf',
  });
  const proxy = { ...nginx, name: 'docker-proxy', executable: '/usr/bin/docker-proxy', buildId: null };
  expect(judgeProgram(proxy, { executable: '/app/backend' })).toMatchObject({
    remedy: 'docker-proxy only forwards a published port: give the process in the container',
  });
});

test('a port that sends what another program serves is refused before anything is recorded', async () => {
  let program = '/opt/backend';
  const server = createServer(({ url }, answer) => {
    if (url === '/debug/pprof/') answer.end('<a href="/debug/pprof/goroutine">goroutine</a>');
    else answer.end(`${program}\0--verbose`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const target = createLocalTarget();
  try {
    const scope = { kind: 'pid', pid: process.pid, startTicks: null } as const;
    const options: PprofOptions = { collector: 'pprof', scope, kinds: ['cpu'], seconds: 1 };
    expect(await pprofCollector.preflight(target, options)).toMatchObject({
      plan: null,
      checks: [
        {
          status: 'failed',
          found: `process ${process.pid} is node, but the profile that its port sent is of backend`,
          remedy: 'node forwards /debug/pprof/: give the process that is behind it, or record this one with perf',
        },
      ],
    });
    program = process.execPath;
    expect((await pprofCollector.preflight(target, options)).plan).not.toBeNull();
  } finally {
    server.close();
    await target.dispose();
  }
});

test('a profile of the service behind the asked process is refused', async () => {
  const profile = readFileSync(
    join(import.meta.dirname, '../../../samples/profiles/pprof/apiserver-after-1/raw.pprof'),
  );
  const server = createServer((request, answer) => {
    if (request.url === '/debug/pprof/') answer.end('<a href="/debug/pprof/goroutine">goroutine</a>');
    else answer.end(profile);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const target = createLocalTarget();
  try {
    const scope = { kind: 'pid', pid: process.pid, startTicks: null } as const;
    const options: PprofOptions = { collector: 'pprof', scope, kinds: ['heap'], seconds: 1 };
    const { plan, checks } = await pprofCollector.preflight(target, options);
    expect(plan, JSON.stringify(checks)).not.toBeNull();
    const outcome = await pprofCollector.start(target, plan!, new MemorySink(), clock).outcome;
    expect(outcome).toMatchObject({ state: 'failed', error: { code: 'other-program' } });
    expect(outcome.error!.message).toMatch(/^process \d+ is node, but the profile that its port sent is of /);
  } finally {
    server.close();
    await target.dispose();
  }
});
