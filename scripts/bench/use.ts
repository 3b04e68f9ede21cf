import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright';
import { fileSource } from '#app/engine/files/file-source.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { writeNative } from '#core/model/native/write.ts';
import { startEngineProcess } from '../../tests/e2e/engine-process.ts';
import { serveHarness } from '../../tests/e2e/components/serve-harness.ts';
import { measureFlame, type Spread } from '../../tests/renderer/harness/measure-flame.ts';
import { measureShipped, SHIPPED_FRAMES, SHIPPED_THERE_MS } from '../../tests/renderer/harness/measure-shipped.ts';
import { measureTables } from '../../tests/renderer/harness/measure-tables.ts';
import { foldedTree } from '../../tests/renderer/harness/million-nodes.ts';
import { inBarePage } from './raw-browser.ts';
import { benchRecording, megabytesOf } from './recording.ts';
import { absentRow, benchTable, median, msRow, numberRow, secondsRow, type BenchRow } from './table.ts';
import {
  graphOf,
  inPage,
  OPEN_TABS,
  secondsSinceMark,
  VIEWPORT,
  workbenchViewer,
  type WorkbenchViewer,
} from './viewers.ts';
import { buildStale } from '../build.ts';
import { findChromium } from '../components.mjs';
import { root } from '../run-command.ts';

const LIMIT = {
  reopenSeconds: 0.5,
  cancelMs: 200,
  startSeconds: 1.5,
  firstLoadKilobytes: 260,
  taskMs: 100,
  clickMs: 60,
  hoverMs: 16,
  searchMs: 150,
  slowFramesPercent: 1,
  crispMs: 120,
  sortMs: 100,
};
const RUNS = 3;
const REOPENINGS = 7;
/** Time in ms after which background work of a window or browser has finished. */
const AT_REST_MS = 3000;
const MILLION = 1_000_000;

/** Measures using the window: starting, reopening, cancelling, zooming and searching. */
export async function benchUse(): Promise<BenchRow[]> {
  const chromium = findChromium();
  if (chromium === null) return [absentRow('use of the window', 'chromium is absent')];
  await buildStale(['renderer']);
  const workbench = workbenchViewer();
  try {
    const { path: recording, reason } = benchRecording();
    return [
      firstLoadRow(),
      ...(await orFailed('start to a sample', async () => [await startRow(chromium, workbench)])),
      ...(recording === null
        ? [absentRow('cached reopen in the window', reason)]
        : await orFailed('cached reopen in the window', () => recordingRows(chromium, workbench, recording))),
      ...(await orFailed('click zoom to painted', () => flameRows(chromium, workbench))),
      ...(await orFailed('sort by number to painted', tableRows)),
    ];
  } finally {
    await workbench.close();
  }
}

/** Turns an error into a failed row, so that the others are still measured. */
async function orFailed(what: string, measure: () => Promise<BenchRow[]>): Promise<BenchRow[]> {
  try {
    return await measure();
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return [{ what, found: 'failed', limit: null, holds: false, note: reason }];
  }
}

/** Measures the scripts and styles that the page names, which load first. */
function firstLoadRow(): BenchRow {
  const folder = join(root, 'dist/renderer');
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const files = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, name = '']) => name);
  const bytes = files.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
  const note = `${files.length} files, gzipped, without the worker`;
  return numberRow('renderer before the first graph', bytes / 1000, LIMIT.firstLoadKilobytes, 'kB', note);
}

/** Measures from the start of the engine's process to the painted graph of a bundled sample, in a running browser. */
async function startRow(chromium: string, { library }: WorkbenchViewer): Promise<BenchRow> {
  const seconds: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    await inPage(chromium, async (page) => {
      await sleep(AT_REST_MS);
      const start = performance.now();
      const engine = await startEngineProcess({ library: `${library}-start-${run}` });
      try {
        await page.goto(engine.url);
        await page.waitForFunction(graphOf('after'), null, { polling: 'raf' });
        seconds.push((performance.now() - start) / 1000);
      } finally {
        await engine.close();
      }
    });
  }
  const note = `first start: the engine's process to the painted graph of a sample, browser running and at rest, median of ${RUNS}`;
  return secondsRow('start to a sample', median(seconds), LIMIT.startSeconds, note);
}

async function recordingRows(chromium: string, workbench: WorkbenchViewer, recording: string): Promise<BenchRow[]> {
  await keepWithCache(workbench.library, recording);
  const reopened = await reopenCached(chromium, workbench.library, basename(recording));
  const cancelled: number[] = [];
  const tasks: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    await inPage(chromium, async (page) => {
      await workbench.start(page);
      cancelled.push(await cancelWhileReading(page, workbench, recording));
      tasks.push(await longestTaskWhileOpening(page, workbench, recording));
    });
  }
  const how = `median of ${RUNS}`;
  const size = megabytesOf(recording);
  return [
    secondsRow(
      'cached reopen in the window',
      median(reopened),
      LIMIT.reopenSeconds,
      `click to painted graph, ${size} of text, median of ${reopened.length}, ${Math.min(...reopened).toFixed(2)} to ${Math.max(...reopened).toFixed(2)} s`,
    ),
    msRow(
      'cancel',
      median(cancelled),
      LIMIT.cancelMs,
      `click to the page without the tab while ${size} are read, ${how}`,
    ),
    msRow('longest UI task, opening', median(tasks), LIMIT.taskMs, `${size} of perf script text, ${how}`),
  ];
}

/** Adds the capture to a library in the state after its first opening. */
async function keepWithCache(path: string, recording: string): Promise<void> {
  const library = await openLibrary(path);
  const { id } = await library.importFile(basename(recording), createReadStream(recording));
  const native = writeNative(await importProfile(fileSource(recording)));
  await library.saveCache(
    id,
    (async function* () {
      yield* native;
    })(),
  );
}

/**
 * Measures from a click in the list to the frame after the graph is painted, in an idle window; each time in a new
 * browser.
 */
async function reopenCached(chromium: string, library: string, name: string): Promise<number[]> {
  const row = `[...document.querySelectorAll('button.side-row')].find(({ textContent }) => textContent.includes(${JSON.stringify(name)}))`;
  const seconds: number[] = [];
  for (let run = 0; run < REOPENINGS; run++) {
    const engine = await startEngineProcess({ library, config: `${library}-config-${run}` });
    try {
      await inBarePage(chromium, engine.url, VIEWPORT, async (page) => {
        while ((await page.evaluate(`${row} !== undefined`)) !== true) await sleep(100);
        await sleep(AT_REST_MS);
        await page.evaluate(
          `void (window.painted = new Promise((tell) => {
            const wait = (since) => (${graphOf(name)})
              ? requestAnimationFrame(() => tell(performance.now() - since))
              : requestAnimationFrame(() => wait(since));
            document.addEventListener('click', ({ timeStamp }) => wait(timeStamp), { capture: true, once: true });
          }))`,
        );
        await page.click(row);
        seconds.push(Number(await page.evaluate('window.painted')) / 1000);
      });
    } finally {
      await engine.close();
    }
  }
  return seconds;
}

/** Measures from the click on Cancel, well within reading, to the frame after the tab is gone. */
async function cancelWhileReading(page: Page, workbench: WorkbenchViewer, file: string): Promise<number> {
  await workbench.choose(page, file);
  const cancel = page.getByRole('tabpanel').getByRole('button', { name: 'Cancel', exact: true });
  await cancel.waitFor();
  await page.waitForTimeout(300);
  await page.evaluate(
    `document.addEventListener('click', () => performance.mark('begun'), { capture: true, once: true })`,
  );
  await cancel.click();
  return 1000 * (await secondsSinceMark(page, `document.querySelector('${OPEN_TABS} [role=tab]') === null`));
}

async function longestTaskWhileOpening(page: Page, workbench: WorkbenchViewer, file: string): Promise<number> {
  await page.evaluate(
    `window.longTasks = [];
     new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)))
       .observe({ type: 'longtask' });`,
  );
  await workbench.choose(page, file);
  await page.waitForFunction(graphOf(basename(file)), null, { timeout: 60_000 });
  await page.waitForTimeout(1000);
  return page.evaluate<number>('Math.max(0, ...window.longTasks)');
}

/**
 * Measures clicks in an unmodified d3-flame-graph, which relate other results to the machine on which limits were set.
 */
async function shippedClicks(chromium: string): Promise<Spread> {
  const harness = await serveHarness();
  try {
    return await inPage(chromium, (page) => measureShipped(page, harness.url));
  } finally {
    await harness.close();
  }
}

async function flameRows(chromium: string, workbench: WorkbenchViewer): Promise<BenchRow[]> {
  const shipped = await shippedClicks(chromium);
  const { least, most } = SHIPPED_THERE_MS;
  const file = join(workbench.library, '..', 'million.folded');
  writeFileSync(file, foldedTree(MILLION));
  return inPage(chromium, async (page) => {
    await workbench.start(page);
    const opening = await longestTaskWhileOpening(page, workbench, file);
    const { click, hover, search, gestures, longestTask, drawnFrames } = await measureFlame(page);
    const tree = `a tree of 1,000,000 nodes, ${drawnFrames} frames drawn`;
    return [
      msRow(
        'd3-flame-graph as it ships: click',
        shipped.p95,
        null,
        `p95 of ${shipped.count}, ${SHIPPED_FRAMES.toLocaleString('en')} frames; ${least} to ${most} ms where the limits were set`,
      ),
      msRow('click zoom to painted', click.p95, LIMIT.clickMs, `p95 of ${click.count}; ${tree}`),
      numberRow(
        'click zoom, of what d3-flame-graph as it ships takes',
        (100 * click.p95) / shipped.p95,
        Math.floor((100 * LIMIT.clickMs) / most),
        '%',
        `the limit where it was set, ${LIMIT.clickMs} of ${most} ms`,
      ),
      msRow('hover to painted', hover.p95, LIMIT.hoverMs, `p95 of ${hover.count}`),
      msRow('regex search to painted', search.p95, LIMIT.searchMs, `p95 of ${search.count}, from the last key`),
      ...gestures.flatMap(({ name, frames, slowShare, crisp }) => [
        numberRow(`${name}: frames over 25 ms`, slowShare * 100, LIMIT.slowFramesPercent, '%', `of ${frames}`),
        ...(Number.isNaN(crisp)
          ? []
          : [msRow(`${name}: crisp after rest`, crisp, LIMIT.crispMs, 'last event to redraw')]),
      ]),
      msRow('longest UI task, opening a large tree', opening, LIMIT.taskMs, tree),
      msRow('longest UI task, zooming', longestTask.zooming, LIMIT.taskMs, tree),
      msRow('longest UI task, searching', longestTask.searching, LIMIT.taskMs, tree),
    ];
  });
}

async function tableRows(): Promise<BenchRow[]> {
  const { rows, sortByNumber, sortByName, filter, scrollFunctions, scrollTree, ...deltas } = await measureTables();
  const scrolls = [
    { name: 'function table', ...scrollFunctions },
    { name: 'call tree table', ...scrollTree },
  ];
  const how = `${rows.toLocaleString('en')} rows`;
  return [
    msRow('sort by number to painted', sortByNumber.worst, LIMIT.sortMs, `longest of ${sortByNumber.count}, ${how}`),
    msRow('sort by name to painted', sortByName.worst, LIMIT.sortMs, `longest of ${sortByName.count}, ${how}`),
    msRow('filter by pattern to painted', filter.worst, LIMIT.searchMs, `longest of ${filter.count}, ${how}`),
    msRow(
      'delta table: sort to painted',
      deltas.sortDeltas.worst,
      LIMIT.sortMs,
      `longest of ${deltas.sortDeltas.count}, ${deltas.deltaRows.toLocaleString('en')} functions`,
    ),
    ...scrolls.map(({ name, frames, slowShare }) =>
      numberRow(
        `${name}: frames over 25 ms`,
        slowShare * 100,
        LIMIT.slowFramesPercent,
        '%',
        `of ${frames}, scrolling ${how}`,
      ),
    ),
  ];
}

if (import.meta.main) process.stdout.write(`\n${benchTable(await benchUse())}\n`);
