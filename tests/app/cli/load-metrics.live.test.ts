import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'load-metrics-'));
let server: Server;
let port: number;

/** Counts every answer, of which nine in ten are up to 0.1 s, and the others up to 0.5 s. */
beforeAll(async () => {
  let answers = 0;
  server = createServer(({ url }, answer) => {
    if (url !== '/metrics') answers += 1;
    const upTo = (bound: string, count: number): string => `app_request_seconds_bucket{le="${bound}"} ${count}\n`;
    answer.end(url === '/metrics' ? upTo('0.1', 0.9 * answers) + upTo('0.5', answers) + upTo('+Inf', answers) : 'ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...words: string[]) =>
  runCli([
    'load',
    'run',
    `http://127.0.0.1:${port}/`,
    ...words,
    '--concurrency=2',
    '--threads=1',
    '--repeat=1',
    '--warm-up=0',
    '--library',
    join(folder, 'library'),
  ]);

test('a component’s own histogram is its p90 and p99', async () => {
  const { code, stdout, stderr } = await run(
    '--component',
    `app=:${port},metrics=http://127.0.0.1:${port}/metrics`,
    '--seconds=4',
  );
  expect(code, stderr).toBe(0);
  // Rank 900 of 1,000 is the bound of 0.1 s; rank 990 lies nine tenths of the way to 0.5 s.
  const [, row] = /^ +Connections +Component +QPS +p90 +p99 .*\n +2 +app +(.*)$/m.exec(stdout) ?? [];
  expect(row ?? stdout).toMatch(/ 100 ms +460 ms /);
}, 180_000);

test('an address that is not one, and more sources than there is room for, are refused', async () => {
  const wrong = await run('--component', `app=:${port},metrics=nowhere`);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/not NAME=PID, NAME=:PORT or NAME=GROUP/)]);
  const metrics = ['a', 'b'].flatMap((name) => ['--component', `${name}=:${port},metrics=http://127.0.0.1:${port}/`]);
  const many = await run(...metrics, '--series', 'probe:1', '--series', 'statsd:8125');
  expect([many.code, many.stderr]).toEqual([2, expect.stringMatching(/2 times --series and 2 times metrics=/)]);
}, 180_000);
