import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { dropFiles } from './drop-files.ts';
import { expectAccessibleThemes } from './axe.ts';
import { expectInReach } from './expect-in-reach.ts';
import { expect, test } from './workbench.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A sweep of five steps with three runs each, as wrktest.sh writes it. */
function sweepDat(qps: number): string {
  const lines = [10, 20, 50, 100, 200].flatMap((concurrency, step) =>
    [-1, 0, 1].map((run) => {
      const answers = qps * (1 + step * 0.4) * (1 + run * 0.01);
      return `${concurrency} ${answers.toFixed(2)} ${((1000 * concurrency) / answers).toFixed(3)} ${step === 4 ? '91.00' : '100.00'}`;
    }),
  );
  return `${lines.join('\n')}\n`;
}

/** The tab of load tests in front. */
const panelOf = (page: Page): Locator => page.locator('.load-tab:visible');

test('two dropped sweeps are drawn over each other, compared and kept', async ({ workbench, page }) => {
  test.slow();
  await expect(workbench.library).toBeVisible();
  await dropFiles(page, [
    ['before.dat', base64(sweepDat(1000))],
    ['after.dat', base64(sweepDat(1500))],
  ]);
  const panel = panelOf(page);
  await expect(panel.getByRole('figure')).toHaveCount(3);
  await expect(
    panel.getByRole('img', { name: /^QPS against concurrency: before QPS 1,000 at 10 connections.*after QPS 1,500/ }),
  ).toBeVisible();
  await expect(panel.getByRole('row', { name: /^10 3 → 3 1,000 → 1,500 \+50\.0 % · ▲ grew/ })).toBeVisible();
  await expect(panel.locator('svg text', { hasText: 'knee' })).toHaveCount(4);
  await expectAccessibleThemes(page, { state: 'load tests', within: '.load-tab', without: '.flame-scroller' });
  await expectInReach(page, 'load tests');
  await panel.getByText('Linear').click();
  await panel.getByLabel('Compare with').selectOption('');
  await expect(panel.getByRole('row', { name: /^100 \(knee\)/ })).toBeVisible();
  await panel.getByLabel('Knee: success ≥ %').fill('90');
  await expect(panel.getByText('no knee found: QPS is highest at the last step, 200 connections')).toBeVisible();
  await panel.getByLabel('Knee: p99 ≤ ms').fill('40');
  await expect(panel.getByRole('row', { name: /^50 \(knee\)/ })).toBeVisible();
  await panel.getByRole('button', { name: 'Keep in the library' }).click();
  await expect(panel.getByText('Finished · 15 runs')).toBeVisible();
  await panel.getByRole('button', { name: 'Delete' }).click();
  await expect(
    panel.getByRole('combobox', { name: /^Load test/ }).locator('option', { hasText: 'before' }),
  ).toHaveCount(0);
});

test('a sweep is planned, confirmed, run by a real wrk, watched and shown', async ({ workbench, page }) => {
  test.slow();
  const server = createServer((_, response) => void response.end('ok\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await workbench.runCommand('Load tests…');
    const panel = panelOf(page);
    await expect(panel.getByText('No load tests yet.')).toBeVisible();
    await expect(panel.getByRole('button', { name: 'New sweep…' })).toBeFocused();
    await page.keyboard.press('Enter');
    await panel.getByLabel('URL').fill(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await expect(panel.getByLabel('Connections')).toHaveValue('10, 20, 50, 100, 200');
    await panel.getByLabel('Steps').selectOption('200 to 50,000');
    await expect(panel.getByText('This preset needs 50,100 open files per process (ulimit -n)')).toBeVisible();
    await panel.getByLabel('Connections').fill('2, 4');
    await expect(panel.getByText('This preset needs')).toHaveCount(0);
    await panel.getByLabel('Seconds per run').fill('3');
    await panel.getByLabel('Runs per step').fill('1');
    await expect(panel.getByLabel('PIDs of the server')).toHaveValue('auto');
    await panel.getByLabel('Components').fill('0=');
    await expect(panel.getByRole('button', { name: 'Show the total load' })).toBeDisabled();
    await panel.getByLabel('Components').fill('api=:' + (server.address() as AddressInfo).port);
    await panel.getByRole('button', { name: 'Show the total load' }).click();
    await expect(panel.getByRole('status')).toContainText(`api (${process.pid}) :`);
    await panel.getByLabel('Components').fill('');
    // The server is part of this process.
    await panel.getByText('Select processes').click();
    await panel.getByLabel('Filter processes').fill(String(process.pid));
    const row = panel
      .getByRole('row')
      .filter({ hasText: String(process.pid) })
      .first();
    await row.click();
    await expect(panel.getByLabel('PIDs of the server')).toHaveValue(String(process.pid));
    await row.click();
    await expect(panel.getByLabel('PIDs of the server')).toHaveValue('');
    await row.click();
    await expectInReach(page, 'load tests');
    await panel.getByText('Select processes').click();
    // No other machine is known.
    await expect(panel.getByLabel('They run on').locator('option')).toHaveText(['the same machine']);
    await expect(panel.getByRole('button', { name: 'Add a machine' })).toHaveCount(0);
    await panel.getByText('Warm-up, threads, headers, script and other series').click();
    await panel.getByLabel('Seconds of warm-up before each run').fill('1');
    await panel.getByLabel('Seconds between runs').fill('0');
    await panel.getByLabel('wrk threads').fill('1');
    await panel.getByLabel('Other series').fill('/nowhere/lag.csv');
    await panel.getByRole('button', { name: 'Show the total load' }).click();
    await expect(panel.getByRole('status')).toContainText(
      'wrk on this machine sends as many requests to http://127.0.0.1:',
    );
    await expect(panel.getByRole('status')).toContainText('2 runs of 3 s');
    await expect(panel.getByRole('status')).toContainText('a warm-up of 1 s before each');
    await expect(panel.getByRole('status')).toContainText(`sockets of process ${process.pid} are read`);
    await expect(panel.getByRole('status')).toContainText('Other series are read: lag.csv.');
    // What is typed stays behind another tab.
    await workbench.openText('beside.folded', 'main;work 3');
    await expect(panel).toHaveCount(0);
    await workbench.openTabs.getByRole('tab', { name: 'Load tests' }).click();
    await panel.getByRole('button', { name: 'Start load' }).click();
    await expect(panel.getByRole('button', { name: 'Stop and keep' })).toBeVisible();
    await expect(panel.getByText('Finished · 2 runs')).toBeVisible({ timeout: 60_000 });
    await expect(panel.getByText('lag.csv: the file can’t be read.')).toBeVisible();
    await expect(panel.getByRole('img', { name: /^Threads over time: node \(\d+\)/ })).toBeVisible();
    await panel.getByText('Commands', { exact: true }).click();
    await expect(panel.getByText(/^\S*wrk -t 1 -c 2 -d 3s .*\n\S*wrk -t 1 -c 4 /)).toBeVisible();

    await panel.getByRole('button', { name: 'New probe…' }).click();
    for (const [restart, title] of [
      ['', 'new connection'],
      ['true', 'first request, new connection'],
    ] as const) {
      await panel.getByLabel('URL').fill(`http://127.0.0.1:${(server.address() as AddressInfo).port}/probed`);
      await panel.getByLabel('Probes', { exact: true }).fill('6');
      await panel.getByText('First requests after a pause or a restart; CORS preflight; headers').click();
      await panel.getByLabel('Command before each probe').fill(restart);
      await panel.getByRole('button', { name: 'Show the total load' }).click();
      await expect(panel.getByRole('status')).toContainText('curl on this machine sends 12 requests to http://127');
      await panel.getByRole('button', { name: 'Start probes' }).click();
      await expect(panel.getByText('Finished · 6 probes')).toBeVisible({ timeout: 60_000 });
      const goes = new RegExp(
        `^Where a request’s time goes: ${title}: .*TCP .*, total .* to .*; (second request, )?kept`,
      );
      await expect(panel.getByRole('img', { name: goes })).toBeVisible();
      if (restart === '') await panel.getByRole('button', { name: 'New probe…' }).click();
    }
    const others = panel.getByLabel('Compare with').locator('option', { hasText: '/probed' });
    // The sweep is not offered for comparison with probes.
    await expect(panel.getByLabel('Compare with').locator('option')).toHaveCount(3);
    await panel.getByLabel('Compare with').selectOption(await others.last().getAttribute('value'));
    await expect(panel.getByRole('row', { name: /^first request, new connection total .* 6 → 6$/ })).toBeVisible();
    await expectAccessibleThemes(page, { state: 'probes', within: '.load-tab', without: '.flame-scroller' });
    await panel.getByRole('button', { name: 'Report…' }).click();
    const preview = page.getByRole('dialog', { name: 'Report', exact: true }).getByRole('region', { name: 'Preview' });
    await expect(preview.getByRole('img', { name: /^Total time of each request: / })).toBeVisible();
    await expect(preview.getByText(/curl --disable .*probed$/).first()).toBeVisible();
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('closing a tab whose load runs asks, and the tab comes back with the window', async ({
  workbench,
  page,
  folder,
}) => {
  test.slow();
  const server = createServer((_, response) => void response.end('ok\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await page.getByRole('button', { name: 'Load', exact: true }).click();
    const panel = panelOf(page);
    await panel.getByRole('button', { name: 'New sweep…' }).click();
    await panel.getByLabel('URL').fill(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await panel.getByLabel('Connections').fill('2');
    await panel.getByLabel('Seconds per run').fill('300');
    await panel.getByLabel('Runs per step').fill('1');
    await panel.getByRole('button', { name: 'Show the total load' }).click();
    await panel.getByRole('button', { name: 'Start load' }).click();
    const stop = panel.getByRole('button', { name: 'Stop and keep' });
    await expect(stop).toBeVisible();
    const tab = workbench.openTabs.getByRole('tab', { name: /^http:\/\/127/ });
    await tab.press('Delete');
    const question = page.getByRole('dialog', { name: 'Close a running load test' });
    await expect(question).toBeVisible();
    await expectAccessibleThemes(page, { state: 'closing a running load test', within: 'dialog' });
    await expectInReach(page, 'closing a running load test');
    await page.keyboard.press('Escape');
    await expect(stop).toBeVisible();
    await tab.press('Delete');
    await question.getByRole('button', { name: 'Continue in background' }).press('Enter');
    await expect(tab).toHaveCount(0);
    await workbench.runCommand('Load tests…');
    await expect(stop).toBeVisible();
    const sessions = path.join(folder, 'config', 'sessions.json');
    await expect.poll(() => readFileSync(sessions, 'utf8')).toContain('load-tests');
    await page.reload();
    await expect(stop).toBeVisible();
    await tab.press('Delete');
    await question.getByRole('button', { name: 'Stop and keep' }).click();
    await expect(tab).toHaveCount(0);
    await workbench.runCommand('Load tests…');
    // Its only run was not complete.
    await expect(panel.getByText('No load tests yet.')).toBeVisible();
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

const SERVER = { name: 'server', pid: 7, cores: 0.5 };

/** Puts a load test of one step and its capture, one of the samples, into the library. */
function keepTest(
  folder: string,
  side: 'before' | 'after',
  qps: number,
  { servers = [SERVER], repeats = 1 }: { servers?: readonly (typeof SERVER)[]; repeats?: number } = {},
): void {
  const [id, test] = [`20261101-10000${side === 'before' ? 1 : 2}-0000000a`, `load-20261101-100000-0000000${qps % 10}`];
  const sample = path.join(import.meta.dirname, `../../samples/profiles/perf-script/page-server-${side}-1`);
  const document = JSON.parse(readFileSync(path.join(sample, 'capture.json'), 'utf8')) as { primaryFile: string };
  const kept = path.join(folder, 'library', id);
  cpSync(sample, kept, { recursive: true });
  const load = { test, name: side, concurrency: 10, run: 1, qps, requests: qps * 10 };
  const name = `server ${side}`;
  const own = { ...document, id, name, origin: 'recorded', createdAt: 1_793_527_200_000, load };
  writeFileSync(path.join(kept, 'capture.json'), JSON.stringify(own));
  const result = {
    tool: 'wrk',
    target: 'http://a/',
    concurrency: 10,
    seconds: 10,
    requests: qps * 10,
    qps,
    success: 1,
    errors: [],
    bytes: null,
    notes: [],
    server: servers,
    latency: { mean: 10 / qps, deviation: null, min: null, max: null, percentiles: [], buckets: [] },
  };
  const vitals = [{ name: 'server', pid: 7, at: [1, 2, 3], series: [{ id: 'cpu', values: [null, 0.4, 0.6] }] }];
  const runs = Array.from({ length: repeats }, (_, repeat) => ({
    file: null,
    startedAt: 1_793_527_200_000,
    result: { ...result, qps: qps * (1 + repeat / 50) },
    vitals,
    captures: servers.map(({ pid }) => ({ id, pid })),
  }));
  const loads = path.join(folder, 'library/.loads', test);
  mkdirSync(loads, { recursive: true });
  const stored = { schemaVersion: 1, id: test, name: side, createdAt: 1_793_527_200_000 + qps, changedAt: 0 };
  const rest = { state: 'finished', message: null, host: null, plan: null, runs };
  writeFileSync(path.join(loads, 'load.json'), JSON.stringify({ ...stored, ...rest }));
}

/** Selects both tests of `keepTest`. */
async function selectTests(panel: Locator): Promise<void> {
  const option = (name: string): Promise<string | null> =>
    panel.getByLabel('Compare with').locator('option', { hasText: name }).getAttribute('value');
  await panel.getByRole('combobox', { name: /^Load test/ }).selectOption(await option('before'));
  await panel.getByLabel('Compare with').selectOption(await option('after'));
}

test('profiles of two tests are compared per request, next to the tests', async ({ workbench, page, folder }) => {
  await expect(workbench.library).toBeVisible();
  keepTest(folder, 'before', 1001);
  keepTest(folder, 'after', 1502);
  await expect(workbench.library.getByText('server after')).toBeVisible();
  await workbench.runCommand('Load tests…');
  const panel = panelOf(page);
  await selectTests(panel);
  await expect(panel.getByRole('img', { name: /^CPU over time: before server \(7\) 0\.4 CPUs/ })).toBeVisible();
  await panel.getByText('Latency that each hop adds').click();
  await expect(panel.getByRole('row', { name: '10 after 1,502 6.66 ms -3.33 ms' })).toBeVisible();
  await expect(
    panel.getByRole('img', { name: /^QPS per core by hop against concurrency: before QPS per core 2,002 at 10/ }),
  ).toBeVisible();
  await panel.getByRole('button', { name: 'Report hops…' }).click();
  const hopsReport = page.getByRole('dialog', { name: 'Report', exact: true });
  await expect(hopsReport.getByRole('region', { name: 'Preview' }).getByText('added to mean').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await panel.getByRole('button', { name: 'Report…', exact: true }).click();
  const builder = page.getByRole('dialog', { name: 'Report', exact: true });
  await expect(
    builder.getByRole('region', { name: 'Preview' }).getByRole('row', { name: /QPS 1,001.*1,502/ }),
  ).toBeVisible();
  const downloading = page.waitForEvent('download');
  await builder.getByRole('button', { name: 'Save report' }).click();
  expect(readFileSync(await (await downloading).path(), 'utf8')).toContain('About before: before, after: after.');
  // The report took the tab's two tests, which are still selected.
  await page.keyboard.press('Escape');
  await panel.getByRole('button', { name: '10 connections' }).click();
  await expect(panel).toBeHidden();
  await expect(page.getByText(/per request/).first()).toBeVisible();
  await workbench.chooseRadio('Load');
  const charts = workbench.details;
  await expect(charts.getByRole('row', { name: /^10 1 → 1 1,001 → 1,502/ })).toBeVisible();
  // A chart over one step would be a point.
  await expect(charts.getByRole('img', { name: /against concurrency/ })).toHaveCount(0);
});

test('two tests of several components fit a window of 1,280 px, and compare profiles of one', async ({
  workbench,
  page,
  folder,
}) => {
  await expect(workbench.library).toBeVisible();
  const servers = ['proxy-server', 'app'].map((name, place) => ({ name, pid: 7 + place, cores: 0.0523 }));
  for (const [side, qps] of [
    ['before', 100_001],
    ['after', 100_502],
  ] as const) {
    keepTest(folder, side, qps, {
      repeats: 3,
      servers: servers.map((one) => ({ ...one, latency: { p90: 1.234 / qps, p99: 2.345 / qps } })),
    });
  }
  await expect(workbench.library.getByText('server after')).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 720 });
  await workbench.runCommand('Load tests…');
  const panel = panelOf(page);
  await selectTests(panel);
  const table = panel.getByRole('region', { name: 'Table of components' });
  await expect(table.getByRole('row')).toHaveCount(3);
  await expect(table.getByRole('columnheader')).toHaveText([
    'Connections',
    'Component',
    'QPS',
    'p90',
    'p99',
    'CPU',
    'CPU per request',
    'QPS per core',
  ]);
  await expect(table.getByRole('cell', { name: /no clear change$/ })).toHaveCount(12);
  expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  const profiles = panel.getByRole('button', { name: '10 connections' });
  await expect(profiles).toHaveAttribute('title', 'proxy-server: 3 before, 3 after');
});

test('the captures of a load test are one row of the library', async ({ workbench, page, folder }) => {
  await expect(workbench.library).toBeVisible();
  keepTest(folder, 'after', 1502);
  const first = path.join(folder, 'library/20261101-100002-0000000a');
  const document = JSON.parse(readFileSync(path.join(first, 'capture.json'), 'utf8')) as { load: { run: number } };
  const second = path.join(folder, 'library/20261101-100003-0000000b');
  cpSync(first, second, { recursive: true });
  // The sample is a run of a series, which captures of load tests are not.
  const series = null;
  writeFileSync(path.join(first, 'capture.json'), JSON.stringify({ ...document, series }));
  const load = { ...document.load, run: 2 };
  const name = 'server at 10 connections (run 2) · after';
  const own = { ...document, id: path.basename(second), name, load, series };
  writeFileSync(path.join(second, 'capture.json'), JSON.stringify(own));
  const row = workbench.library.getByRole('button', { name: /^after 2 captures/ });
  await expect(row).toHaveAttribute('aria-expanded', 'false');
  await expect(workbench.library.getByText('server after')).toHaveCount(0);
  await row.click();
  await workbench.library.getByRole('button', { name: /^server at 10 connections \(run 2\)/ }).click();
  await expect(page.getByRole('tab', { name: /run 2/ })).toBeVisible();
});

test('saved probes open when they are dropped, and a truncated report is refused in one line', async ({
  workbench,
  page,
}) => {
  await expect(workbench.library).toBeVisible();
  const phases = { dns: 0, tcp: 0.001, tls: null, firstByte: 0.002, download: 0, total: 0.003 };
  const saved = {
    url: 'http://a/<b>',
    host: null,
    summary: { cold: {}, kept: {} },
    samples: [{ cold: phases, kept: null, status: 200 }],
  };
  await dropFiles(page, [['probe.json', base64(JSON.stringify(saved))]]);
  await expect(panelOf(page).getByRole('row', { name: 'new connection first byte 2 ms 1' })).toBeVisible();
  await panelOf(page).getByRole('button', { name: 'Keep in the library' }).click();
  await expect(panelOf(page).getByText('Finished · 1 probe')).toBeVisible();
  const whole = readFileSync(path.join(import.meta.dirname, '../fixtures/load/wrk.txt'), 'utf8');
  await dropFiles(page, [['cut.txt', base64(whole.slice(0, 200))]]);
  await expect(
    panelOf(page).getByText('cut.txt: wrk’s report ends before its totals; run it to its end (line 1)'),
  ).toBeVisible();
});
