import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type CDPSession, type Page } from 'playwright/test';
import { chromiumPath } from '../../e2e/chromium-path.ts';
import { serveHarness } from '../../e2e/components/serve-harness.ts';

/**
 * Measures the tables alone in Chromium, with a million rows, and the delta table with 100,000: `node
 * tests/renderer/harness/measure-tables.ts`. The harness has no worker: its answers are computed on the window's
 * thread, so times are no better than the workbench's.
 */

/** Times in ms, from the press to the frame with its effect. */
export interface TableNumbers {
  readonly rows: number;
  readonly sortByNumber: Spread;
  /** Measured after the order of the names is known. */
  readonly sortByName: Spread;
  /** Includes the pause after typing; the pattern runs on the window's thread here. */
  readonly filter: Spread;
  /** Closes all rows and opens all. */
  readonly openAll: Spread;
  readonly scrollFunctions: ScrollNumbers;
  /** The delta table, with fewer functions. */
  readonly deltaRows: number;
  readonly sortDeltas: Spread;
  readonly scrollDeltas: ScrollNumbers;
  readonly scrollTree: ScrollNumbers;
}

export interface Spread {
  readonly count: number;
  readonly median: number;
  readonly worst: number;
  /** Processor time of the window's thread, which does not depend on other load. */
  readonly processorMedian: number;
}

export interface ScrollNumbers {
  readonly frames: number;
  /** Fraction of frames that took longer than 25 ms, from 0 to 1. */
  readonly slowShare: number;
  readonly p95: number;
  /** Processor time of the window's thread. */
  readonly processorPerFrame: number;
}

interface Measured {
  readonly page: Page;
  readonly session: CDPSession;
}

const VIEWPORT = { width: 1440, height: 900 };
const ROWS = 1_000_000;
const DELTA_ROWS = 100_000;
const TURNS = 8;
const SCROLL_MS = 3000;
const SLOW_FRAME_MS = 25;

/** Records presses, frames, and the frame after each change of the table. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = { presses: [] as number[], painted: [] as number[], frames: [] as number[] };
    const tick = (time: number) => {
      seen.frames.push(time);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    const after = new MessageChannel();
    after.port1.addEventListener('message', () => seen.painted.push(performance.now()));
    after.port1.start();
    new MutationObserver(() => requestAnimationFrame(() => after.port2.postMessage(null))).observe(
      document.querySelector('main')!,
      { subtree: true, attributes: true, childList: true, characterData: true },
    );
    for (const kind of ['click', 'keydown', 'input']) {
      window.addEventListener(kind, (event) => seen.presses.push(event.timeStamp), { capture: true });
    }
    Object.assign(window, { seen });
  });
}

interface Seen {
  readonly presses: number[];
  readonly painted: number[];
  readonly frames: number[];
}

const take = (page: Page): Promise<Seen> =>
  page.evaluate(() => {
    const seen = Reflect.get(window, 'seen') as Seen;
    return { presses: seen.presses.splice(0), painted: seen.painted.splice(0), frames: seen.frames.splice(0) };
  });

async function processorMs({ session }: Measured): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
}

/** Measures from the press to the last change that it caused. */
async function timed(of: Measured, press: () => Promise<void>, restMs = 400): Promise<{ time: number; busy: number }> {
  await take(of.page);
  const before = await processorMs(of);
  await press();
  await of.page.waitForTimeout(restMs);
  const busy = (await processorMs(of)) - before;
  const { presses, painted } = await take(of.page);
  return { time: (painted.at(-1) ?? Number.NaN) - (presses[0] ?? Number.NaN), busy };
}

async function timedTurns(
  of: Measured,
  press: (turn: number) => Promise<void>,
  turns = TURNS,
  restMs = 400,
): Promise<Spread> {
  const times: number[] = [];
  const busy: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const one = await timed(of, () => press(turn), restMs);
    times.push(one.time);
    busy.push(one.busy);
  }
  return {
    count: turns,
    median: quantile(times, 0.5),
    worst: quantile(times, 1),
    processorMedian: quantile(busy, 0.5),
  };
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

async function scroll(of: Measured): Promise<ScrollNumbers> {
  const { page } = of;
  const area = (await page.locator('.table-scroller').boundingBox())!;
  await page.mouse.move(area.x + area.width / 2, area.y + area.height / 2);
  await take(page);
  const before = await processorMs(of);
  const begin = performance.now();
  for (let at = 0; at < 1; at = (performance.now() - begin) / SCROLL_MS) {
    await page.mouse.wheel(0, at < 0.7 ? 120 : -240);
    await page.waitForTimeout(8);
  }
  const busy = (await processorMs(of)) - before;
  const { frames } = await take(page);
  const gaps = frames.slice(1).map((time, index) => time - frames[index]!);
  return {
    frames: gaps.length,
    slowShare: gaps.filter((gap) => gap > SLOW_FRAME_MS).length / gaps.length,
    p95: quantile(gaps, 0.95),
    processorPerFrame: busy / gaps.length,
  };
}

async function measureFunctions(of: Measured, url: string) {
  const { page } = of;
  await page.goto(`${url}?rows=${ROWS}`);
  await page.locator('tbody tr').first().waitFor();
  await watch(page);
  const sortBy = (name: string) => page.getByRole('columnheader', { name, exact: true }).getByRole('button').click();
  const sortByNumber = await timedTurns(of, (turn) => sortBy(turn % 2 === 0 ? 'Self' : 'Total'));
  // The first press requests the order of the names.
  await timed(of, () => sortBy('Function'), 4000);
  const sortByName = await timedTurns(of, () => sortBy('Function'));
  const field = page.getByRole('textbox', { name: 'Filter functions' });
  const filter = await timedTurns(of, (turn) => field.fill(`_${turn}\\d*7$`), 4, 2500);
  await field.fill('');
  return { sortByNumber, sortByName, filter, scrollFunctions: await scroll(of) };
}

async function measureDeltas(of: Measured, url: string) {
  const { page } = of;
  await page.goto(`${url}?deltas=${DELTA_ROWS}`);
  await page.locator('tbody tr').first().waitFor();
  await watch(page);
  const sortBy = (name: string) => page.getByRole('columnheader', { name, exact: true }).getByRole('button').click();
  const sortDeltas = await timedTurns(of, (turn) => sortBy(turn % 2 === 0 ? 'Δ %' : 'Verdict'));
  return { deltaRows: DELTA_ROWS, sortDeltas, scrollDeltas: await scroll(of) };
}

async function measureTree(of: Measured, url: string) {
  const { page } = of;
  await page.goto(`${url}?nodes=${ROWS}`);
  await page.locator('tbody tr').first().waitFor();
  await watch(page);
  const tree = page.getByRole('treegrid');
  const closeAll = page.getByRole('button', { name: 'Collapse all' });
  const openAll = await timedTurns(
    of,
    async () => {
      await closeAll.click();
      await tree.focus();
      await page.keyboard.press('*');
    },
    3,
  );
  return { openAll, scrollTree: await scroll(of) };
}

export async function measureTables(): Promise<TableNumbers> {
  const server = await serveHarness();
  const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];
  const browser = await chromium.launch({ executablePath: chromiumPath(), args });
  try {
    const page = await browser.newPage({ viewport: VIEWPORT });
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const of = { page, session };
    return {
      rows: ROWS,
      ...(await measureFunctions(of, server.url)),
      ...(await measureDeltas(of, server.url)),
      ...(await measureTree(of, server.url)),
    };
  } finally {
    await browser.close();
    await server.close();
  }
}

if (process.argv[1] !== undefined && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const numbers = await measureTables();
  console.log(`load ${os.loadavg()[0]!.toFixed(1)} on ${os.cpus().length} cores`);
  console.log(JSON.stringify(numbers, null, 2));
}
