import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { findChromium } from '../components.mjs';
import { root } from '../run-command.ts';
import { launchBrowser } from './browser.ts';
import { tasksWhile } from './tasks.ts';

/**
 * `node scripts/bench/library.ts [--captures N]`: the processor time of `captures` on a new library and with its index,
 * and the longest tasks of a window that shows, searches and sorts it.
 */
const { values } = parseArgs({ options: { captures: { type: 'string', default: '10000' } } });
const count = Number(values.captures);
const folder = mkdtempSync(path.join(tmpdir(), 'flamebench-bench-library-'));
const library = path.join(folder, 'library');
const env = { ...process.env, FLAMEBENCH_CONFIG: path.join(folder, 'config') };
const command = [path.join(root, 'app/cli/flamebench.mjs')];

try {
  makeLibrary();
  for (const state of ['without its index', 'with its index', 'with its index']) {
    process.stdout.write(`captures, ${count}, ${state}: ${(await cpuOfList()).toFixed(2)} s of CPU\n`);
  }
  await measureWindow();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function makeLibrary(): void {
  mkdirSync(library, { mode: 0o700 });
  writeFileSync(path.join(library, '.flamebench-library'), JSON.stringify({ schemaVersion: 1, id: 'bench' }));
  for (let place = 0; place < count; place++) {
    const createdAt = Date.UTC(2026, 0, 1) + place * 60_000;
    const stamp = new Date(createdAt).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
    const id = `${stamp}-${place.toString(16).padStart(8, '0')}`;
    mkdirSync(path.join(library, id));
    writeFileSync(path.join(library, id, 'capture.json'), JSON.stringify(documentOf(id, createdAt, place), null, 2));
  }
}

function documentOf(id: string, createdAt: number, place: number): CaptureDocument {
  const argv = ['perf', 'record', '-F', '99', '-g', '-o', '-', '-p', String(place), '--', 'sleep', '30'];
  return {
    schemaVersion: 1,
    id,
    name: `service-${place % 97} (${place})`,
    tags: place % 5 === 0 ? [`release=${place % 7}`] : [],
    state: 'finished',
    incomplete: false,
    createdAt,
    format: 'perf-script',
    primaryFile: 'raw.perf-script.txt',
    otherFiles: ['raw.perf.data'],
    sizeBytes: 100_000 + place,
    origin: 'recorded',
    collector: { id: 'perf', toolVersion: '6.1', commands: [argv], exitCode: 0, signal: null },
    target: { kind: 'local', host: 'web-1', kernel: '6.1.0', arch: 'x86_64', cpuCount: 8 },
    process: null,
    event: 'cycles',
    rateHz: 99,
    startedAt: createdAt,
    durationMs: 30_000,
    samples: 2970,
    lostSamples: 0,
    cpuSeconds: { start: 1, end: 31 },
    series: null,
    diagnostics: [],
  };
}

async function cpuOfList(): Promise<number> {
  const child = spawn(process.execPath, [...command, 'captures', '-v', '--library', library], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await once(child, 'close');
  return Number(/([\d.]+) s of CPU/.exec(said)?.[1]);
}

async function measureWindow(): Promise<void> {
  const chromium = findChromium();
  if (chromium === null) throw new Error('no Chromium was found');
  const engine = spawn(process.execPath, [...command, 'serve', '--library', library], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const browser = await launchBrowser(chromium);
  try {
    let said = '';
    while (!/http:\S+/.test(said)) said += String((await once(engine.stdout, 'data'))[0]);
    const page = await browser.newPage({ viewport: { width: 1440, height: 860 } });
    const url = /http:\S+/.exec(said)![0];
    for (const [name, act] of actions(page, url)) {
      const { tasks } = await tasksWhile(browser, act);
      const longest = Math.max(...tasks.map(({ processor }) => processor));
      process.stdout.write(`window, ${count}, ${name}: longest task ${longest.toFixed(0)} ms of CPU\n`);
    }
  } finally {
    await browser.close();
    engine.kill();
  }
}

function actions(page: Page, url: string): [string, () => Promise<void>][] {
  const rest = page.locator('.sidebar').getByRole('button', { name: /more rows?$/ });
  const search = page.getByLabel('Search the library');
  const later = (): Promise<void> => page.waitForTimeout(1000);
  const sortBy = async (order: string): Promise<void> => {
    await page.getByRole('button', { name: 'Sort the library' }).click();
    await page.getByRole('menu').getByText(order, { exact: true }).click();
    await later();
  };
  return [
    ['shown', () => page.goto(url).then(() => rest.waitFor({ timeout: 60_000 }))],
    ['read', () => rest.filter({ hasText: (count - 100).toLocaleString('en') }).waitFor({ timeout: 60_000 })],
    ['searched', () => search.pressSequentially('service-13', { delay: 50 }).then(later)],
    ['search cleared', () => search.fill('').then(later)],
    ...['Largest first', 'By name', 'By tag', 'Newest first'].map((order): [string, () => Promise<void>] => [
      order.toLowerCase(),
      () => sortBy(order),
    ]),
    ['scrolled', () => rest.scrollIntoViewIfNeeded().then(later)],
  ];
}
