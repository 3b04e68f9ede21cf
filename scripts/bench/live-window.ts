import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import type { PerfOptions } from '#core/contract/schemas.ts';
import { liveToWord } from '../../app/engine/live/live-word.ts';
import { startEngineProcess, type EngineStart } from '../../tests/e2e/engine-process.ts';
import { compilePhases } from '../../tests/support/phase-program.ts';
import { findChromium } from '../components.mjs';
import { CHANGES, changeTimeRow } from './change-time.ts';
import { benchRecording } from './recording.ts';
import { HOUR } from './replayed-hour.ts';
import { absentRow, median, msRow, type BenchRow } from './table.ts';
import { tasksWhile, type Task } from './tasks.ts';
import { inPage } from './viewers.ts';

const RATE_HZ = 999;
const SECONDS = 60;
const MAX_TASK_MS = 100;
const LONG_TASK_MS = 50;
const CHANGE = 'live: from a change of behaviour to the graph in the window';
const WHAT = 'live: longest task of the window’s thread';
const REPLAYED = `${WHAT}, an hour of ${HOUR.samplesPerSecond.toLocaleString('en')} samples/s replayed`;
/** Time that the replay may take. */
const REPLAY_MS = 1_800_000;

/** Measures the tasks of the window's thread while it shows the whole system live, with all samples since the start. */
export const liveWindowRow = (folder: string): Promise<BenchRow> =>
  tasksRow(WHAT, { library: join(folder, 'library') }, async (page) => {
    await page.waitForTimeout(SECONDS * 1000);
    return `the whole system, ${RATE_HZ} Hz`;
  });

/** The same while an hour's stream arrives, of which the window must show every sample. */
export async function replayedWindowRow(folder: string): Promise<BenchRow> {
  const { path, reason } = benchRecording();
  if (path === null) return absentRow(REPLAYED, reason);
  const program = ['scripts/bench/replayed-hour.ts', path];
  return tasksRow(REPLAYED, { library: join(folder, 'replayed'), program }, async (page) => {
    const all = (HOUR.seconds * HOUR.samplesPerSecond).toLocaleString('en');
    await page.getByText(`${all} samples in`).waitFor({ timeout: REPLAY_MS });
    return `all ${all} samples shown`;
  });
}

/** Measures until the graph in the window shows the whole name of the function that a signal has started. */
export async function changeInWindowRow(folder: string): Promise<BenchRow> {
  const chromium = findChromium();
  if (chromium === null) return absentRow(CHANGE, 'absent: chromium');
  const path = compilePhases(folder);
  const found: number[] = [];
  for (let run = 0; run < CHANGES; run++) {
    const program = spawn(path, [], { stdio: 'ignore' });
    const scope = { kind: 'pid', pid: program.pid!, startTicks: null } as const;
    try {
      const start = { library: join(folder, `change-${run}`) };
      found.push(await inWindow(chromium, start, { scope, rateHz: 99 }, (page) => changeSeconds(page, program)));
    } finally {
      program.kill('SIGKILL');
    }
  }
  return changeTimeRow(CHANGE, found, '99 Hz');
}

async function changeSeconds(page: Page, program: ChildProcess): Promise<number> {
  const shows = (name: string): Promise<void> => page.locator('g.frame', { hasText: name }).first().waitFor();
  await shows('calm');
  // Not at the time of an update.
  await page.waitForTimeout(5000 + Math.random() * 1000);
  program.kill('SIGUSR1');
  const changedAt = performance.now();
  await shows('storm');
  return (performance.now() - changedAt) / 1000;
}

/** `watch` waits while the tasks are measured, and returns what was shown. */
async function tasksRow(what: string, start: EngineStart, watch: (page: Page) => Promise<string>): Promise<BenchRow> {
  const chromium = findChromium();
  if (chromium === null) return absentRow(what, 'absent: chromium');
  return inWindow(chromium, start, { scope: { kind: 'system' }, rateHz: RATE_HZ }, async (page, browser) => {
    const bar = page.getByRole('region', { name: 'Live' });
    await bar.getByText('All', { exact: true }).click();
    await page.locator('g.frame').first().waitFor();
    const { result, tasks } = await tasksWhile(browser, () => watch(page));
    const facts = (await bar.locator('.live-facts').textContent()) ?? '';
    const { longest, text } = summed(tasks, 'processor');
    const how = `processor time, ${text}; by the clock ${summed(tasks, 'wall').text}`;
    return msRow(what, longest, MAX_TASK_MS, `${how}; ${result}: ${facts}`);
  });
}

/** Opens a window that watches what is given, and calls `use` when it has samples. */
async function inWindow<Result>(
  chromium: string,
  start: EngineStart,
  watched: Pick<PerfOptions, 'scope' | 'rateHz'>,
  use: (page: Page, browser: Browser) => Promise<Result>,
): Promise<Result> {
  const options = { collector: 'perf', event: null, callGraph: 'fp', seconds: null, ...watched } as const;
  const word = liveToWord({ target: 'local', options, limits: { maxCpus: null } });
  const engine = await startEngineProcess({ ...start, files: [word] });
  try {
    return await inPage(chromium, async (page, browser) => {
      await page.goto(engine.url);
      await page
        .getByRole('region', { name: 'Live' })
        .getByText(/samples in/)
        .waitFor({ timeout: 60_000 });
      return use(page, browser);
    });
  } finally {
    await engine.close();
  }
}

function summed(tasks: readonly Task[], kind: keyof Task): { readonly longest: number; readonly text: string } {
  const all = tasks.map((task) => task[kind]);
  const long = all.filter((ms) => ms > LONG_TASK_MS);
  const longest = all.reduce((most, ms) => Math.max(most, ms), 0);
  const some =
    long.length === 0 ? '' : `, ${long.length} over ${LONG_TASK_MS} ms, median ${median(long).toFixed(0)} ms`;
  return { longest, text: `longest ${longest.toFixed(0)} ms${some}` };
}
