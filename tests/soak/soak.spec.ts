import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { errors } from 'playwright/test';
import type { Browser, CDPSession, Page } from 'playwright/test';
import { residentBytes } from '../../scripts/bench/memory.ts';
import { rendererPids } from '../../scripts/bench/browser.ts';
import { root } from '../../scripts/run-command.ts';
import { expect, LINKS_CHANGED, test } from '../e2e/workbench.ts';
import { actions, closeOverlays, openTabs, settled, type Action, type Stage } from './actions.ts';
import { createRandom, type Random } from './random.ts';

const MINUTES = Number(process.env['FLAMEBENCH_SOAK_MINUTES'] ?? '2');
const SEED = Number(process.env['FLAMEBENCH_SOAK_SEED'] ?? '1');
/** Fraction of the time before memory is first measured, because caches and compiled code fill once. */
const WARM_SHARE = 0.3;
/**
 * Number of times that garbage is collected and caches are emptied before memory is measured, a second apart, because
 * workers end with a delay.
 */
const REST_SECONDS = 8;
/** Average number of bytes between sampled allocations. */
const SAMPLING_BYTES = 16_384;
const MAX_LEAK_BYTES = 20e6;
/** Time in ms within which an idle worker answers. */
const ANSWER_MS = 5000;
/** Number of steps shown if something fails. */
const STEPS_SHOWN = 25;

/**
 * Returns real captures: the samples and, if the corpus is next to the checkout, its deepest, widest and most diverse
 * ones.
 */
function captures(): string[] {
  const corpus = path.join(root, '../shared/corpus');
  const named = [
    'perf-script/perf-java-stacks-01.txt',
    'perf-script/perf-iperf-stacks-pidtid-01.txt',
    'perf-script/system-wide.linux-perf.txt',
    'perf-script/perf-cycles-instructions-01.txt',
    'perf-script/example-perf-stacks.txt.gz',
    'pprof/go.heap.pb.gz',
    'pprof/labels.pb.gz',
  ].map((file) => path.join(corpus, file));
  const samples = globSync('samples/profiles/perf-script/*/raw.*', { cwd: root }).map((file) => path.join(root, file));
  return [...samples.toSorted().slice(0, 4), ...named].filter((file) => existsSync(file));
}

test('seeded random actions cause no error, no wrong number and no leak', async ({ workbench, page, browser }) => {
  console.log(`soak: seed ${SEED}, ${MINUTES} minutes`);
  const watch = watchPage(page);
  const stage: Stage = { page, workbench, random: createRandom(SEED), files: captures() };
  expect(stage.files.length).toBeGreaterThan(2);
  const session = await page.context().newCDPSession(page);
  const start = Date.now();
  const steps: string[] = [];
  let counted = 0;
  let first: Memory | null = null;
  for (const file of stage.files) {
    await workbench.open(file);
    await settled(page);
    await closeTabs(page);
  }
  while (Date.now() - start < MINUTES * 60_000) {
    if (first === null && Date.now() - start > MINUTES * 60_000 * WARM_SHARE) {
      first = await memoryAtRest(stage, session, browser);
      await session.send('Memory.startSampling', { samplingInterval: SAMPLING_BYTES });
      steps.push('(closed all tabs)');
    }
    if ((await openTabs(page).getByRole('tab').count()) === 0) {
      await closeOverlays(page);
      await workbench.open(stage.random.pick(stage.files));
    }
    const done = await step(stage, watch, steps);
    if (done) counted += 1;
  }
  const last = await memoryAtRest(stage, session, browser);
  const { profile } = await session.send('Memory.getSamplingProfile');
  const nativeBytes = profile.samples.reduce((sum, { total }) => sum + total, 0);
  expect(first).not.toBeNull();
  const heapBytes = last.heapBytes - first!.heapBytes;
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
  console.log(
    `soak: ${counted} actions; since ${WARM_SHARE * 100} % of the time, still held: heaps of JavaScript and nodes ${megabytes(heapBytes)}, all other memory ${megabytes(nativeBytes)}; the renderer has ${megabytes(first!.residentBytes)}, then ${megabytes(last.residentBytes)}`,
  );
  expect(heapBytes + nativeBytes).toBeLessThan(MAX_LEAK_BYTES);
});

/** Runs one action, chosen by weight, and checks what must hold afterwards. Returns false if it was impossible. */
async function step(stage: Stage, watch: Watch, steps: string[]): Promise<boolean> {
  const action = chooseAction(stage.random);
  try {
    const done = await action.run(stage).catch(notThere);
    if (done === null) return false;
    steps.push(`${action.name}: ${done}`);
    await check(stage, watch);
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const last = steps.slice(-STEPS_SHOWN).join('\n');
    const workers = await silentWorkers(stage.page);
    throw new Error(`seed ${SEED}, ${action.name}: ${reason}\n${workers}last actions:\n${last}`, { cause: error });
  }
}

/** Returns the names of workers that are busy forever. */
async function silentWorkers(page: Page): Promise<string> {
  const lines = await Promise.all(
    page.workers().map(async (worker) => {
      const answer = worker.evaluate(() => true).catch(() => true);
      const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), ANSWER_MS));
      return (await Promise.race([answer, late])) ? '' : `${path.basename(worker.url())} does not answer\n`;
    }),
  );
  return lines.join('');
}

/** Ignores timeouts, because an action's target may have disappeared or be covered. */
function notThere(error: unknown): null {
  if (error instanceof errors.TimeoutError) return null;
  throw error;
}

function chooseAction(random: Random): Action {
  let left = random.share() * actions.reduce((sum, { weight }) => sum + weight, 0);
  return actions.find(({ weight }) => (left -= weight) < 0) ?? actions[0]!;
}

interface Watch {
  readonly complaints: string[];
}

function watchPage(page: Page): Watch {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !LINKS_CHANGED.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
  page.on('filechooser', (chooser) => void chooser.setFiles([]).catch(() => null));
  page.on('download', (download) => void download.cancel().catch(() => null));
  return { complaints };
}

/** Checks after each action that there is no error and that the numbers of the active view agree. */
async function check(stage: Stage, { complaints }: Watch): Promise<void> {
  const { page, workbench } = stage;
  await settled(page);
  expect(complaints).toEqual([]);
  // Forms report invalid input in their own alerts.
  expect(await page.locator('.notice.error').allTextContents()).toEqual([]);
  expect(await page.getByRole('heading', { name: /could not be opened/ }).count()).toBe(0);
  // Half of the time, what was opened stays open, so that actions find dialogs and menus.
  if (stage.random.chance(0.5)) return;
  await closeOverlays(page);
  if ((await page.locator('.flame-chart').count()) > 0) await workbench.numbersAgree();
}

async function closeTabs(page: Page): Promise<void> {
  const tabs = openTabs(page).getByRole('tab');
  for (let left = await tabs.count(); left > 0; left--) {
    await tabs.first().press('Delete');
    await expect(tabs).toHaveCount(left - 1);
  }
}

interface Memory {
  /** Memory of JavaScript and of the page's nodes. */
  readonly heapBytes: number;
  /** Memory of the renderer process, which also includes free space kept by allocators and is therefore irregular. */
  readonly residentBytes: number;
}

/** Returns the memory after closing all tabs and collecting garbage. */
async function memoryAtRest({ page }: Stage, session: CDPSession, browser: Browser): Promise<Memory> {
  await closeOverlays(page);
  await closeTabs(page);
  for (let second = 0; second < REST_SECONDS; second++) {
    await session.send('HeapProfiler.collectGarbage');
    await session.send('Memory.simulatePressureNotification', { level: 'critical' }).catch(() => null);
    await page.waitForTimeout(1000);
  }
  const { usedSize, embedderHeapUsedSize } = await session.send('Runtime.getHeapUsage');
  return {
    heapBytes: usedSize + embedderHeapUsedSize,
    residentBytes: Math.max(...(await rendererPids(browser)).map(residentBytes)),
  };
}
