import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { startEngineProcess, type EngineProcess } from '../../tests/e2e/engine-process.ts';
import { launchBrowser, rendererPids, serveFolder } from './browser.ts';
import { MemoryWatch } from './memory.ts';
import { benchCacheFolder } from './recording.ts';

/** A viewer under measurement. */
export interface Viewer {
  /** Opens an empty page that is ready for a file. */
  readonly start: (page: Page) => Promise<void>;
  readonly choose: (page: Page, file: string) => Promise<void>;
  /** Returns an expression that is true in the page when the file's flame graph is on screen. */
  readonly painted: (file: string) => string;
  readonly close: () => Promise<void>;
}

export interface OpenRun {
  /** Seconds from choosing the file to the animation frame after its flame graph was drawn. */
  readonly seconds: number;
  /** The renderer's peak resident bytes in excess of those of the empty page. */
  readonly bytes: number;
}

export const VIEWPORT = { width: 1440, height: 860 };
const OPEN_TIMEOUT_MS = 120_000;
const SPEEDSCOPE_VERSION = '1.25.0';

/** Runs `act` in a page of a new browser; another page in the same renderer would inherit the first one's memory. */
export async function inPage<T>(chromium: string, act: (page: Page, browser: Browser) => Promise<T>): Promise<T> {
  const browser = await launchBrowser(chromium);
  try {
    // The workbench's policy would not run expressions given as text.
    const context = await browser.newContext({ viewport: VIEWPORT, bypassCSP: true });
    return await act(await context.newPage(), browser);
  } finally {
    await browser.close();
  }
}

/** Fails if the graph is not drawn within `timeoutMs`. */
export function openOnce(
  chromium: string,
  viewer: Viewer,
  file: string,
  timeoutMs = OPEN_TIMEOUT_MS,
): Promise<OpenRun> {
  return inPage(chromium, async (page, browser) => {
    await viewer.start(page);
    const watch = new MemoryWatch(await rendererPids(browser));
    const seconds = await timeToPaint(page, viewer, file, timeoutMs);
    return { seconds, bytes: watch.stop() };
  });
}

/** Measures with the page's clock, from the `change` event of the file input. */
export async function timeToPaint(
  page: Page,
  viewer: Viewer,
  file: string,
  timeoutMs = OPEN_TIMEOUT_MS,
): Promise<number> {
  await page.evaluate(
    `document.addEventListener('change', () => performance.mark('begun'), { capture: true, once: true })`,
  );
  await viewer.choose(page, file);
  return secondsSinceMark(page, viewer.painted(file), timeoutMs);
}

/** Measures from the page's mark `begun` to the animation frame after `expression` is true. */
export async function secondsSinceMark(page: Page, expression: string, timeoutMs = OPEN_TIMEOUT_MS): Promise<number> {
  await page.waitForFunction(expression, null, { polling: 'raf', timeout: timeoutMs });
  return page.evaluate<number>(
    `new Promise(requestAnimationFrame).then(() =>
      (performance.now() - performance.getEntriesByName('begun').at(-1).startTime) / 1000)`,
  );
}

export interface WorkbenchViewer extends Viewer {
  readonly library: string;
}

/** The tabs of open profiles; tables have tabs too. */
export const OPEN_TABS = '[role=tablist][aria-label="Open profiles"]';

/** Returns an expression that is true when the active tab shows the flame graph of `name`. */
export function graphOf(name: string): string {
  return `document.querySelector('${OPEN_TABS} [aria-selected=true]')?.textContent.includes(${JSON.stringify(name)}) &&
    document.querySelectorAll('[role=tree] g.frame').length > 3`;
}

/** Returns the workbench with its own library; each page starts a new engine. */
export function workbenchViewer(): WorkbenchViewer {
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-bench-'));
  const library = join(folder, 'library');
  let engine: EngineProcess | null = null;
  return {
    library,
    start: async (page) => {
      await engine?.close();
      engine = await startEngineProcess({ library });
      await page.goto(engine.url);
      await page.getByText('engine ready').waitFor();
      await closeTabs(page);
    },
    choose: async (page, file) => {
      const asked = page.waitForEvent('filechooser');
      // Playwright does not wait until the browser has registered the event; another round trip ensures that.
      await page.evaluate('null');
      await page.keyboard.press('Control+o');
      await (await asked).setFiles(file);
    },
    painted: (file) => graphOf(basename(file)),
    close: async () => {
      await engine?.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Closes the samples that the first start opens, which would be measured too. */
async function closeTabs(page: Page): Promise<void> {
  const tabs = page.locator(`${OPEN_TABS} [role=tab]`);
  await tabs
    .first()
    .waitFor({ timeout: 2000 })
    .catch(() => null);
  for (let left = await tabs.count(); left > 0; left--) {
    await tabs.first().press('Delete');
    await tabs.nth(left - 1).waitFor({ state: 'detached' });
  }
}

/** Returns speedscope from the cache outside the checkout, installing it if missing; null if that is impossible. */
export async function speedscopeViewer(): Promise<Viewer | null> {
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
    start: async (page) => {
      await page.goto(origin);
      await page.locator('input[type=file]').waitFor({ state: 'attached' });
    },
    choose: (page, file) => page.setInputFiles('input[type=file]', file),
    // speedscope sets the title to the profile's name in the same task in which it draws the first view.
    painted: () => `document.title.includes(' - speedscope')`,
    close: () => Promise.resolve(close()),
  };
}
