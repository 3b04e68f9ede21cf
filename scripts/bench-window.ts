import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Page } from 'playwright';
import { launchBrowser, rendererPid, serveFolder } from './bench-browser.ts';
import { MemoryWatch } from './bench-memory.ts';
import { benchCacheFolder, benchRecording } from './bench-recording.ts';
import { median, secondsRow, type BenchRow } from './bench-table.ts';
import { findCommand } from './components.mjs';
import { root } from './run-command.ts';

/** A viewer under measurement. Both expressions run in the page. */
interface Viewer {
  /** A fresh page address for each run. */
  readonly url: () => Promise<string>;
  /** Holds once the page can take a file. */
  readonly ready: string;
  /** Holds once the file's flame graph is on screen. */
  readonly painted: string;
  readonly choose: (page: Page, file: string) => Promise<void>;
}

interface OpenRun {
  /** From the choice of the file to the animation frame after its flame graph was drawn. */
  readonly seconds: number;
  /** The renderer's peak resident bytes over those of the page before the file. */
  readonly bytes: number;
}

const VIEWPORT = { width: 1440, height: 860 };
const OPEN_TIMEOUT_MS = 180_000;
const RUNS = 5;
const SPEEDSCOPE_VERSION = '1.25.0';
/** Asked for: at least three times as fast as speedscope in the same run. */
const SPEEDSCOPE_RATIO = 3;
const MEMORY_LIMIT_MB = 350;

/** Opens about 200 MB of perf script text in the workbench and in speedscope, in turn. */
export async function benchWindow(): Promise<BenchRow[]> {
  const { path: file, reason } = benchRecording();
  if (file === null) return [absentRow('open a capture in the window', reason)];
  const chromium = findCommand('chromium', 'chromium-browser', 'google-chrome');
  if (chromium === null) return [absentRow('open a capture in the window', 'chromium is absent')];
  const workbench = await startWorkbench(file);
  const speedscope = await startSpeedscope();
  try {
    const ours: OpenRun[] = [];
    const theirs: OpenRun[] = [];
    for (let run = 0; run < RUNS; run++) {
      ours.push(await openOnce(chromium, workbench.viewer, file));
      if (speedscope !== null) theirs.push(await openOnce(chromium, speedscope.viewer, file));
    }
    return openRows(ours, theirs);
  } finally {
    workbench.close();
    speedscope?.close();
  }
}

function openRows(ours: readonly OpenRun[], theirs: readonly OpenRun[]): BenchRow[] {
  const how = `choice of the file to painted graph, Chromium ${VIEWPORT.width} × ${VIEWPORT.height}, median of ${RUNS}`;
  const seconds = median(ours.map((run) => run.seconds));
  const megabytes = median(ours.map((run) => run.bytes)) / 1e6;
  const rows: BenchRow[] = [];
  if (theirs.length === 0) {
    rows.push(
      absentRow('speedscope opens the capture', 'speedscope is absent'),
      secondsRow('window opens the capture', seconds, null, how),
    );
  } else {
    const peer = median(theirs.map((run) => run.seconds));
    rows.push(
      secondsRow('speedscope opens the capture', peer, null, how),
      secondsRow(
        'window opens the capture',
        seconds,
        peer / SPEEDSCOPE_RATIO,
        `${(peer / seconds).toFixed(1)} × as fast; ${how}`,
      ),
      memoryRow('speedscope: renderer memory', median(theirs.map((run) => run.bytes)) / 1e6, null),
    );
  }
  rows.push(memoryRow('window: renderer memory', megabytes, MEMORY_LIMIT_MB));
  return rows;
}

function memoryRow(what: string, megabytes: number, limit: number | null): BenchRow {
  return {
    what,
    found: `${megabytes.toFixed(0)} MB`,
    limit: limit === null ? null : `≤ ${limit} MB`,
    holds: limit === null ? null : megabytes <= limit,
    note: 'peak resident memory over the empty page, read each 50 ms',
  };
}

function absentRow(what: string, note: string): BenchRow {
  return { what, found: '–', limit: null, holds: null, note };
}

/** In a browser of its own: a second page in the same renderer would inherit the first one's memory. */
async function openOnce(chromium: string, viewer: Viewer, file: string): Promise<OpenRun> {
  const browser = await launchBrowser(chromium);
  // The expressions below are text, which the workbench's policy would not let run.
  const context = await browser.newContext({ viewport: VIEWPORT, bypassCSP: true });
  try {
    const page = await context.newPage();
    await page.goto(await viewer.url());
    await page.waitForFunction(viewer.ready);
    const watch = new MemoryWatch(await rendererPid(browser, page));
    const seconds = await timeToPaint(page, viewer, file);
    return { seconds, bytes: watch.stop() - watch.baseBytes };
  } finally {
    await browser.close();
  }
}

/** On the page's own clock, from the `change` event of whatever input takes the file. */
async function timeToPaint(page: Page, viewer: Viewer, file: string): Promise<number> {
  await page.evaluate(
    `document.addEventListener('change', () => performance.mark('file-chosen'), { capture: true, once: true })`,
  );
  await viewer.choose(page, file);
  await page.waitForFunction(viewer.painted, null, { polling: 'raf', timeout: OPEN_TIMEOUT_MS });
  return page.evaluate<number>(
    `new Promise(requestAnimationFrame).then(() =>
      (performance.now() - performance.getEntriesByName('file-chosen')[0].startTime) / 1000)`,
  );
}

async function startWorkbench(file: string): Promise<{ viewer: Viewer; close: () => void }> {
  const library = mkdtempSync(join(tmpdir(), 'flamebench-bench-'));
  let stop = (): void => undefined;
  return {
    viewer: {
      url: async () => {
        stop();
        const engine = spawn(process.execPath, [join(root, 'app/cli/flamebench.mjs'), 'serve', '--library', library], {
          stdio: ['ignore', 'pipe', 'inherit'],
          env: { ...process.env, FLAMEBENCH_CONFIG: `${library}-config` },
        });
        stop = () => void engine.kill('SIGINT');
        let printed = '';
        for await (const chunk of engine.stdout) {
          printed += String(chunk);
          const url = /http:\/\/\S+(?=\s)/.exec(printed);
          if (url !== null) return url[0];
        }
        throw new Error('flamebench serve printed no address');
      },
      ready: `document.querySelector('main') !== null && document.body.textContent.includes('engine ready')`,
      painted: `document.querySelector('[role=tab][aria-selected=true]')?.textContent.includes(${JSON.stringify(basename(file))}) &&
        document.querySelectorAll('[role=tree] g.frame').length > 3`,
      choose: async (page, file) => {
        const asked = page.waitForEvent('filechooser');
        // Playwright does not wait until the browser knows of it; a round trip later it does.
        await page.evaluate('null');
        await page.keyboard.press('Control+o');
        await (await asked).setFiles(file);
      },
    },
    close: () => {
      stop();
      rmSync(library, { recursive: true, force: true });
    },
  };
}

/** From the cache outside the checkout, installed there when missing; null where it can't be had. */
async function startSpeedscope(): Promise<{ viewer: Viewer; close: () => void } | null> {
  const home = join(benchCacheFolder(), 'speedscope');
  const release = join(home, 'node_modules/speedscope/dist/release');
  if (!existsSync(release)) {
    mkdirSync(home, { recursive: true });
    try {
      execFileSync('npm', ['install', '--prefix', home, '--ignore-scripts', `speedscope@${SPEEDSCOPE_VERSION}`], {
        stdio: 'ignore',
      });
    } catch {
      return null;
    }
  }
  const { origin, close } = await serveFolder(release);
  return {
    viewer: {
      url: () => Promise.resolve(origin),
      ready: `document.querySelector('input[type=file]') !== null`,
      // It names the profile in the title in the same turn in which it draws the first view.
      painted: `document.title.includes(' - speedscope')`,
      choose: (page, file) => page.setInputFiles('input[type=file]', file),
    },
    close,
  };
}
