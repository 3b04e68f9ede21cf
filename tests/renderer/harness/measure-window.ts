import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright/test';
import { chromiumPath } from '../../e2e/chromium-path.ts';
import { startEngineProcess } from '../../e2e/engine-process.ts';
import { buildStale } from '../../../scripts/build.ts';
import { measureFlame } from './measure-flame.ts';
import { foldedTree } from './million-nodes.ts';

/**
 * Measures the flame graph in the real window: `node tests/renderer/harness/measure-window.ts [file]`; the default is a
 * tree of 1,000,000 nodes.
 */

const VIEWPORT = { width: 1600, height: 900 };
const NODES = 1_000_000;

async function run(given: string | undefined): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'flamebench-measure-'));
  const file = given ?? path.join(folder, 'million.folded');
  if (given === undefined) writeFileSync(file, foldedTree(NODES));
  await buildStale(['renderer']);
  const engine = await startEngineProcess({ library: path.join(folder, 'library'), files: [file] });
  const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];
  const browser = await chromium.launch({ executablePath: chromiumPath(), args });
  try {
    const page = await browser.newPage({ viewport: VIEWPORT });
    await page.addInitScript(() => {
      const tasks: number[] = [];
      new PerformanceObserver((list) => {
        tasks.push(...list.getEntries().map(({ duration }) => duration));
      }).observe({ type: 'longtask' });
      Object.assign(window, { openingTasks: tasks });
    });
    await page.goto(engine.url);
    await page.locator('.flame-chart g.frame').first().waitFor({ state: 'attached', timeout: 120_000 });
    await page.waitForTimeout(2000);
    const opening = await page.evaluate(() => Math.max(0, ...(Reflect.get(window, 'openingTasks') as number[])));
    const name = await page.getByRole('tree').first().getAttribute('aria-label');
    const { click, hover, search, gestures, longestTask, drawnFrames } = await measureFlame(page);
    const ms = (value: number): string => `${value.toFixed(0)} ms`;
    const lines = [
      `load ${os.loadavg()[0]!.toFixed(1)} on ${os.cpus().length} cores; ${name ?? ''}; ${drawnFrames} frames drawn`,
      `click to painted: ${click.count} zooms, median ${ms(click.median)}, p95 ${ms(click.p95)}; processor ${ms(click.processorMedian)}`,
      `hover to painted: ${hover.count}, median ${hover.median.toFixed(1)} ms, p95 ${hover.p95.toFixed(1)} ms`,
      ...gestures.map(
        (one) =>
          `${one.name}: ${one.frames} frames, ${(100 * one.slowShare).toFixed(1)} % over 25 ms, p95 ${ms(one.p95)}, crisp ${ms(one.crisp)}`,
      ),
      `search, last key to painted: ${search.count}, median ${ms(search.median)}, p95 ${ms(search.p95)}`,
      `longest task: opening ${ms(opening)}, zooming ${ms(longestTask.zooming)}, searching ${ms(longestTask.searching)}`,
    ];
    console.log(lines.join('\n'));
  } finally {
    await browser.close();
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

await run(process.argv[2]);
