import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import { patternsHere } from '#core/analyze/transforms/resolve-transforms.ts';
import { compareFunctions } from '#core/compare/compare-functions.ts';
import { buildDeltaTree, widthTree } from '#core/compare/delta-tree.ts';
import { judgePaths } from '#core/compare/judge-paths.ts';
import type { ComparedCapture } from '#core/compare/measure/measure-capture.ts';
import { captureFacts } from '#core/compare/measure/read-facts.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { byteSource } from '../../tests/support/byte-source.ts';
import { measureLinked, type LinkedNumbers } from '../../tests/renderer/harness/measure-flame.ts';
import { foldedTree } from '../../tests/renderer/harness/million-nodes.ts';
import { absentRow, benchTable, median, msRow, secondsRow, type BenchRow } from './table.ts';
import { inPage, secondsSinceMark, workbenchViewer, type WorkbenchViewer } from './viewers.ts';
import { buildStale } from '../build.ts';
import { findChromium } from '../components.mjs';
import type { Side } from '#core/contract/side.ts';

const LIMIT = { treeSeconds: 1, significanceSeconds: 3, clickMs: 100, hoverMs: 16, taskMs: 100 };
const RUNS = 3;
const MILLION = 1_000_000;

/** Compares two profiles of 1,000,000 call-tree nodes each. */
export async function benchCompare(): Promise<BenchRow[]> {
  const texts = { before: foldedTree(MILLION, 1), after: foldedTree(MILLION, 2) };
  const rows = await coreRows(await captureOf('before', texts.before), await captureOf('after', texts.after));
  const chromium = findChromium();
  if (chromium === null) return [...rows, absentRow('compare: window', 'chromium is absent')];
  await buildStale(['renderer']);
  const workbench = workbenchViewer();
  try {
    return [...rows, ...(await windowRows(chromium, workbench, texts))];
  } finally {
    await workbench.close();
  }
}

async function captureOf(name: string, text: string): Promise<ComparedCapture> {
  const profile = await importProfile(byteSource(text, `${name}.folded`));
  const { facts } = captureFacts(null, profile, name);
  return { profile, selection: wholeProfile(profile), transforms: null, facts };
}

/** Compares in Node, with the steps of the compare worker. */
async function coreRows(before: ComparedCapture, after: ComparedCapture): Promise<BenchRow[]> {
  const compared: Took[] = [];
  const built: Took[] = [];
  const judged: Took[] = [];
  let rows = 0;
  let tested = 0;
  for (let run = 0; run < RUNS; run++) {
    const comparison = await timed(compared, () => compareFunctions([before], [after], { patterns: patternsHere }));
    const tree = await timed(built, () => {
      const made = buildDeltaTree(comparison);
      for (const width of ['before', 'after', 'union'] as const) widthTree(made, width);
      return made;
    });
    const paths = await timed(judged, () => judgePaths(comparison, tree));
    rows = tree.length;
    tested = paths.tested.length;
  }
  const count = (value: number): string => value.toLocaleString('en');
  const row = (what: string, steps: readonly (readonly Took[])[], limit: number, how: string): BenchRow => {
    const sum = (kind: keyof Took): number =>
      steps.reduce((seconds, runs) => seconds + median(runs.map((took) => took[kind])), 0);
    const note = `${how}; ${sum('processor').toFixed(2)} s of processor; median of ${RUNS}`;
    return secondsRow(what, sum('clock'), limit, note);
  };
  return [
    row('compare: union and delta', [built], LIMIT.treeSeconds, `${count(rows)} rows in three widths`),
    row(
      'compare: significance',
      [compared, judged],
      LIMIT.significanceSeconds,
      `functions measured, matched and judged, ${count(tested)} paths judged`,
    ),
  ];
}

/** Opens both files, compares them from the palette, and clicks through them side by side and as one graph. */
async function windowRows(
  chromium: string,
  workbench: WorkbenchViewer,
  texts: Readonly<Record<Side, string>>,
): Promise<BenchRow[]> {
  const file = (side: Side): string => join(workbench.library, '..', `${side}.folded`);
  for (const side of ['after', 'before'] as const) writeFileSync(file(side), texts[side]);
  return inPage(chromium, async (page) => {
    await workbench.start(page);
    for (const side of ['after', 'before'] as const) {
      await workbench.choose(page, file(side));
      await page.waitForFunction(workbench.painted(file(side)), null, { timeout: 60_000 });
    }
    await page.evaluate(
      `window.comparingTasks = [];
       new PerformanceObserver((list) => comparingTasks.push(...list.getEntries().map(({ duration }) => duration)))
         .observe({ type: 'longtask' });
       document.addEventListener('keydown', () => performance.mark('begun'), { capture: true })`,
    );
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search commands' }).fill('Compare with after.folded');
    await page.keyboard.press('Enter');
    const seconds = await secondsSinceMark(page, PAIR);
    await page.waitForTimeout(1000);
    const tasks = await page.evaluate<number>('Math.max(0, ...window.comparingTasks)');
    const pair = await measureLinked(page, 2);
    await page.getByText('Delta graph', { exact: true }).click();
    await page.waitForFunction(`document.querySelectorAll('.compare-graphs [role=tree] g.frame').length > 3`);
    await page.waitForTimeout(1000);
    const delta = await measureLinked(page, 1);
    const nodes = 'two profiles of 1,000,000 nodes';
    return [
      secondsRow(
        'compare: two open files to painted graphs',
        seconds,
        null,
        `${nodes}, read again by the worker; one run`,
      ),
      msRow('compare: longest UI task until then', tasks, LIMIT.taskMs, nodes),
      msRow('click zoom of the linked pair to painted', pair.click.p95, LIMIT.clickMs, `${clicksText(pair)}; ${nodes}`),
      msRow('hover in the linked pair to painted', pair.hover.p95, LIMIT.hoverMs, `p95 of ${pair.hover.count}`),
      msRow('click zoom of the delta graph to painted', delta.click.p95, LIMIT.clickMs, clicksText(delta)),
      msRow('longest UI task, zooming both', Math.max(pair.longestTask, delta.longestTask), LIMIT.taskMs, nodes),
    ];
  });
}

const clicksText = ({ click, drawnFrames }: LinkedNumbers): string =>
  `p95 of ${click.count}, median ${click.median.toFixed(0)} ms, of the window's thread ${click.processorMedian.toFixed(0)} ms; ${drawnFrames} frames drawn`;

/** An expression that is true when both graphs are drawn. */
const PAIR = `[...document.querySelectorAll('.compare-pair [role=tree]')]
  .filter((graph) => graph.querySelectorAll('g.frame').length > 3).length === 2`;

/** Durations in seconds. */
interface Took {
  readonly clock: number;
  /** Processor time of this thread, which does not depend on other load. */
  readonly processor: number;
}

async function timed<T>(runs: Took[], act: () => T | Promise<T>): Promise<T> {
  const begin = performance.now();
  const used = process.threadCpuUsage();
  const result = await act();
  const { user, system } = process.threadCpuUsage(used);
  runs.push({ clock: (performance.now() - begin) / 1000, processor: (user + system) / 1e6 });
  return result;
}

if (import.meta.main) process.stdout.write(`\n${benchTable(await benchCompare())}\n`);
