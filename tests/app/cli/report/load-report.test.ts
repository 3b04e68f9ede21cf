import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { callCli } from '../../../support/call-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'load-report-'));
const library = join(folder, 'library');
const env = { FLAMEBENCH_LIBRARY: library, FLAMEBENCH_CONFIG: join(folder, 'config') };
const SAMPLES = join(import.meta.dirname, '../../../../samples/profiles/perf-script');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Puts a load test of three runs and one capture of it into the library; returns the capture's ID. */
function keep(side: 'before' | 'after', qps: number): string {
  const id = `20261101-10000${qps % 10}-0000000a`;
  const test = `load-20261101-100000-0000000${qps % 10}`;
  const sample = join(SAMPLES, `page-server-${side}-1`);
  const document = JSON.parse(readFileSync(join(sample, 'capture.json'), 'utf8')) as object;
  cpSync(sample, join(library, id), { recursive: true });
  const load = { test, name: side, concurrency: 10, run: 1, qps, requests: qps * 10 };
  writeFileSync(
    join(library, id, 'capture.json'),
    JSON.stringify({ ...document, id, name: side, origin: 'recorded', load }),
  );
  const runs = [0.99, 1, 1.01].map((drift, place) => ({
    file: null,
    startedAt: 1_793_527_200_000 + place * 10_000,
    result: {
      tool: 'wrk',
      target: 'http://a/',
      concurrency: 10,
      seconds: 10,
      requests: qps * 10,
      qps: qps * drift,
      success: 1,
      errors: [],
      bytes: null,
      latency: { mean: 10 / qps, deviation: null, min: null, max: null, percentiles: [], buckets: [] },
      server: [{ name: '<i>server', pid: 7, cores: 0.5 }],
      notes: [],
    },
    vitals: [{ name: '<i>server', pid: 7, at: [1, 2, 3], series: [{ id: 'cpu', values: [null, 0.4, 0.6] }] }],
  }));
  const stored = { schemaVersion: 1, id: test, name: side, createdAt: 1, changedAt: 1, state: 'finished' };
  mkdirSync(join(library, '.loads', test), { recursive: true });
  writeFileSync(
    join(library, '.loads', test, 'load.json'),
    JSON.stringify({
      ...stored,
      message: null,
      host: null,
      plan: null,
      commands: [['wrk', '-c', '10', 'http://a/']],
      runs,
    }),
  );
  return id;
}

it('shows the load tests of its captures as charts, with their data as tables', async () => {
  const [before, after] = [keep('before', 1001), keep('after', 1502)];
  const file = join(folder, 'both.html');
  expect(await callCli(['report', '--compare', before, after, '-o', file], { env })).toMatchObject({ code: 0 });
  const page = readFileSync(file, 'utf8');
  expect(page).toMatch(/<section id="section-\d+" data-kind="load"><h2>Load test<\/h2>/);
  expect(page).toMatch(/<svg[^>]* aria-label="QPS against concurrency: before QPS 1,001 at 10 connections; after/);
  expect(page).toContain('aria-label="CPU over time: before &lt;i&gt;server (7) 0.4 CPUs to 0.6 CPUs; after');
  expect(page).toMatch(/10 connections<\/th><td[^>]*>QPS<\/td>.*?<td[^>]*>1,001<\/td>.*?1,502.*?▲ grew/s);
  expect(page).toContain('0.5 CPUs; 0.6 CPUs');
  expect(page).not.toContain('<i>server');
  // A report made from the saved report keeps its load test.
  const again = join(folder, 'again.html');
  expect(await callCli(['report', file, '-o', again], { env })).toMatchObject({ code: 0 });
  expect(readFileSync(again, 'utf8')).toContain('QPS against concurrency: before QPS 1,001');
}, 120_000);

it('leaves out a load test that no longer exists, and says so', async () => {
  const id = keep('before', 1001);
  rmSync(join(library, '.loads'), { recursive: true });
  const run = await callCli(['report', id, '-o', join(folder, 'gone.html')], { env });
  expect(run.code).toBe(0);
  expect(run.stderr).toMatch(/load test load-\S+ is left out/);
  expect(readFileSync(join(folder, 'gone.html'), 'utf8')).not.toContain('data-kind="load"');
});

it('is of a load test without any captures, in every format', async () => {
  rmSync(library, { recursive: true, force: true });
  for (const [side, qps] of [
    ['before', 1001],
    ['after', 1502],
  ] as const)
    rmSync(join(library, keep(side, qps)), { recursive: true });
  const notes = join(folder, 'notes.md');
  writeFileSync(notes, 'the server was <b>alone</b>');
  const write = async (name: string, ...options: readonly string[]): Promise<string> => {
    const run = await callCli(['report', ...options, '--notes', notes, '-o', join(folder, name)], { env });
    expect(run).toMatchObject({ code: 0 });
    return readFileSync(join(folder, name), 'utf8');
  };
  const page = await write('load.html', 'before');
  expect(page).toContain('About before.');
  expect(page).toContain('aria-label="QPS against concurrency: QPS 1,001 at 10 connections');
  expect(page).not.toContain('data-kind="target"');
  expect(page).toContain('On all of it.');
  expect(page).toMatch(/data-kind="commands">.*<h3>before<\/h3><pre><code>wrk -c 10 http:\/\/a\/<\/code>/s);
  const both = await write('both.md', '--compare', 'before', 'after');
  expect(both).toContain('## Commands\n\n```\nwrk -c 10 http://a/\n```');
  expect(both).toMatch(
    /## Load test: before: before\n\n\| Connections \| Runs \| QPS \|.*\n.*\n\| 10 connections \| 3 \| 1,001 \|/,
  );
  expect(both).toContain('## Load test: after: after');
  expect(both).toMatch(
    /## Load test: conclusion\n\n- At 10 connections: QPS grew by 50\.0 % ± .* \(1,001 → 1,502\); .*\n(?:- .*\n)+\n## Load test: changes by step/,
  );
  expect(both).toMatch(/\| 10 connections \| QPS \| 1,001 → 1,502 \| \+50.0 % ± .*▲ grew \|/);
  expect(both).toMatch(
    /## Load test: Components of the server, before and after\n\n\| Connections \| Component \| QPS \| Δ QPS \|/,
  );
  expect(both).toMatch(
    /\| Connections \| Source \| Series \| Mean \| Δ Mean \| Maximum \|\n.*\n\| 10 \| .*server \| CPU \| /,
  );
  expect(await write('one.md', 'before')).toMatch(
    /## Load test: series\n\n\| Source \| Series \| Mean \(max\) at 10 \|/,
  );
  expect(JSON.parse(await write('both.json', '--compare', 'before', 'after'))).toMatchObject({
    loadConclusion: expect.arrayContaining([expect.stringMatching(/^At 10 connections: QPS grew/)]) as unknown,
    loadChanges: {
      steps: [{ concurrency: 10 }],
      components: [{ name: '<i>server', metrics: [{ metric: 'qps', verdict: 'grew' }, {}, {}, {}] }],
      series: [{ metric: 'CPU', source: '<i>server', verdict: 'not-tested' }],
    },
  });
  const hops = await write('hops.html', '--hops', 'before', 'after');
  expect(hops).toContain('<title>Latency that each hop adds</title>');
  expect(hops).toContain(
    'aria-label="Mean latency by hop against concurrency: before mean 9.99 ms at 10 connections; after mean 6.66 ms',
  );
  expect(hops).toMatch(/10<\/th><td[^>]*>after<\/td>.*?-3\.33 ms ± .*?&lt;i&gt;server<\/td>.*?3,004/s);
  expect(await write('hops.md', '--hops', 'before', 'after')).toMatch(
    /## Load test: what each hop adds\n\n\| Connections \| Hop \| QPS \| mean \|/,
  );
  expect(await write('load.csv', 'load-20261101-100000-00000001')).toMatch(/^before,,10,3,1001,/m);
  expect(JSON.parse(await write('load.json', 'before'))).toMatchObject({ captures: [], loads: [{ name: 'before' }] });
  const svg = await write('load.svg', 'before');
  expect(svg).toContain('QPS against concurrency');
  expect(svg).not.toContain('<i>server');
  expect(svg).toContain('1  the server was &lt;b&gt;alone&lt;/b&gt;');
  const again = await write('again.html', join(folder, 'load.html'), '--redact', 'arguments');
  expect(again).toContain('QPS against concurrency');
  expect(again).toContain('<code>wrk &#39;(arguments removed)&#39;</code>');
}, 120_000);

it('refuses load tests beside captures, and more than are compared', async () => {
  const id = keep('before', 1001);
  const mixed = await callCli(['report', 'before', id, '-o', join(folder, 'x.html')], { env });
  expect(mixed).toMatchObject({ code: 2, stderr: expect.stringContaining(`${id} is not a load test`) as string });
  const two = await callCli(['report', 'before', 'after', '-o', join(folder, 'x.html')], { env });
  expect(two).toMatchObject({ code: 2, stderr: expect.stringContaining('name one, or two with --compare') as string });
  const hops = await callCli(['report', '--hops', 'before', '-o', join(folder, 'x.html')], { env });
  expect(hops).toMatchObject({ code: 2, stderr: expect.stringContaining('--hops wants 2 to 8') as string });
  const top = await callCli(['top', join(folder, 'load.html')], { env });
  expect(top.stderr).toContain('is of a load test and has no captures');
}, 120_000);
