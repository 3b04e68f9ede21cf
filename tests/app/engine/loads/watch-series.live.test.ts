import { createSocket } from 'node:dgram';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { ProbedRequest } from '#app/engine/loads/probe-beside.ts';
import { watchSeries, type SeriesWatch } from '#app/engine/loads/watch-series.ts';
import type { LoadSeries } from '#core/contract/load/series.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { endNodePrograms, startNodeProgram } from '../../../support/node-program.ts';

endNodePrograms();

const folder = mkdtempSync(join(tmpdir(), 'watch-series-'));

async function watch(...sources: LoadSeries[]): Promise<SeriesWatch> {
  return watchRequest({ url: 'http://127.0.0.1:1/', headers: [] }, ...sources);
}

async function watchRequest(request: ProbedRequest, ...sources: LoadSeries[]): Promise<SeriesWatch> {
  const target = createLocalTarget();
  const series = await watchSeries(sources, { target, nodes: () => target, request }, 120);
  onTestFinished(async () => {
    series.end();
    await target.dispose();
    rmSync(folder, { recursive: true, force: true });
  });
  return series;
}

/** Names of the series that have a value. */
async function found(series: SeriesWatch, said: string[]): Promise<string[]> {
  const { vitals, notes } = await series.during(0, Date.now() + 1000);
  said.push(...notes);
  return vitals.flatMap((one) => one.series.map(({ id }) => `${one.name} ${id}`));
}

it('reads a Prometheus endpoint, StatsD lines and a table at the same time', async () => {
  let sent = 0;
  const server = createServer((_, response) => {
    sent += 5;
    response.end(`queue_depth 4\n# TYPE sent counter\nsent ${sent}\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
  const client = createSocket('udp4');
  const port = await freePort();
  const path = join(folder, 'lag.csv');
  writeFileSync(path, `time,lag\n${Date.now()},12\n`);
  onTestFinished(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  const series = await watch({ kind: 'prometheus', url }, { kind: 'statsd', port }, { kind: 'csv', path });
  await new Promise((resolve) => client.send('event_loop:3|ms\nnonsense', port, '127.0.0.1', resolve));
  const notes: string[] = [];
  await expect
    .poll(() => found(series, notes), { timeout: 30_000 })
    .toEqual([
      `${url} other:queue_depth`,
      `${url} other:sent per second`,
      `StatsD at port ${port} other:event_loop`,
      'lag.csv other:lag',
    ]);
  expect(notes).toContain(`StatsD at port ${port}: not StatsD, and skipped: 1 line.`);
});

it('says why a source has no values, and refuses a port that is in use', async () => {
  const taken = createSocket('udp4');
  await new Promise<void>((resolve) => taken.bind(0, '127.0.0.1', resolve));
  onTestFinished(() => void taken.close());
  await expect(watch({ kind: 'statsd', port: taken.address().port })).rejects.toMatchObject({ code: 'port-in-use' });
  const series = await watch(
    { kind: 'csv', path: '/nowhere/lag.csv' },
    { kind: 'prometheus', url: 'http://127.0.0.1:1/' },
  );
  await expect
    .poll(async () => (await series.during(0, Date.now())).notes)
    .toEqual([
      'lag.csv: the file can’t be read.',
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:1\/: \d+ polls? without a usable answer \(/),
    ]);
});

async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}

it('reads the event loop of a Node process, and names what grows in it', async () => {
  const program = await startNodeProgram(
    process.execPath,
    'setInterval(() => { for (let i = 0; i < 10; i++) setTimeout(() => {}, 1e6); }, 20);',
  );
  const series = await watch({ kind: 'node', pid: program.pid });
  const title = `Node ${program.pid}`;
  const notes: string[] = [];
  await expect
    .poll(() => found(series, notes), { timeout: 30_000, interval: 2000 })
    .toEqual([
      `${title} other:event loop: utilisation`,
      ...['p50', 'p99', 'max'].map((name) => `${title} other:event loop: delay ${name} (ms)`),
      `${title} other:PipeWrap`,
      `${title} other:Timeout`,
    ]);
  await expect
    .poll(() => found(series, notes).then(() => notes.join('\n')), { timeout: 30_000, interval: 2000 })
    .toMatch(/Timeout grew from [\d,]+ to [\d,]+ in \d+ s \(\d+ per second\) and did not fall/);
  await expect(watch({ kind: 'node', pid: 4_194_000 })).rejects.toMatchObject({ code: 'no-series' });
});

it('sends probes at a steady rate, and counts the first answer of each instance', async () => {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    // Every fifth request reaches a new instance.
    response.setHeader('X-Served-By', requests % 5 === 0 ? `new-${requests}` : 'old');
    response.statusCode = request.url === '/a[1]?b' && request.headers['x-token'] === 'x' ? 200 : 500;
    setTimeout(() => response.end('ok'), requests % 5 === 0 ? 150 : 1);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const request = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a[1]?b#c`,
    headers: ['X-Token: x'],
  };
  const series = await watchRequest(request, { kind: 'probe', perSecond: 20, instance: 'x-served-by' });
  const from = Date.now();
  await expect.poll(() => requests, { timeout: 20_000 }).toBeGreaterThanOrEqual(31);
  const { vitals, notes } = await series.during(from, Date.now());
  expect(notes).toEqual([]);
  const [probes] = vitals;
  expect(probes!.name).toBe('probes, 20 per second');
  expect(probes!.series.map(({ id }) => id)).toEqual(['answers', 'p50', 'p99', 'cold']);
  const { count, lost, failed, cold } = probes!.answers!;
  expect({ lost, failed }).toEqual({ lost: 0, failed: 0 });
  // The first of the old instance, and those of every fifth.
  expect(cold).toMatchObject({ instance: 'x-served-by', count: 1 + Math.floor(count / 5) });
  expect(cold!.median).toBeGreaterThanOrEqual(0.15);
  expect(cold!.warmMedian).toBeLessThan(0.15);
});
