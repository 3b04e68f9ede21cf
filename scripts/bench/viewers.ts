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
  /** An empty page of it, ready to take a file. */
  readonly start: (page: Page) => Promise<void>;
  readonly choose: (page: Page, file: string) => Promise<void>;
  /** An expression that holds in the page once the file's flame graph is on screen. */
  readonly painted: (file: string) => string;
  readonly close: () => Promise<void>;
}

export interface OpenRun {
  /** From the choice of the file to the animation frame after its flame graph was drawn. */
  readonly seconds: number;
  /** The renderer's peak resident bytes over those of the page before the file. */
  readonly bytes: number;
}

export const VIEWPORT = { width: 1440, height: 860 };
const OPEN_TIMEOUT_MS = 120_000;
const SPEEDSCOPE_VERSION = '1.25.0';

/** `act` in a page of a browser of its own: a second page in the same renderer would inherit the first one's memory. */
export async function inPage<T>(chromium: string, act: (page: Page, browser: Browser) => Promise<T>): Promise<T> {
  const browser = await launchBrowser(chromium);
  try {
    // Expressions are text, which the workbench's policy would not let run.
    const context = await browser.newContext({ viewport: VIEWPORT, bypassCSP: true });
    return await act(await context.newPage(), browser);
  } finally {
    await browser.close();
  }
}

export function openOnce(chromium: string, viewer: Viewer, file: string): Promise<OpenRun> {
  return inPage(chromium, async (page, browser) => {
    await viewer.start(page);
    const watch = new MemoryWatch(await rendererPids(browser));
    const seconds = await timeToPaint(page, viewer, file);
    return { seconds, bytes: watch.stop() };
  });
}

/** On the page's own clock, from the `change` event of whatever input takes the file. */
export async function timeToPaint(page: Page, viewer: Viewer, file: string): Promise<number> {
  await page.evaluate(
    `document.addEventListener('change', () => performance.mark('begun'), { capture: true, once: true })`,
  );
  await viewer.choose(page, file);
  return secondsSinceMark(page, viewer.painted(file));
}

/** From the page's mark `begun` to the animation frame after `expression` holds. */
export async function secondsSinceMark(page: Page, expression: string): Promise<number> {
  await page.waitForFunction(expression, null, { polling: 'raf', timeout: OPEN_TIMEOUT_MS });
  return page.evaluate<number>(
    `new Promise(requestAnimationFrame).then(() =>
      (performance.now() - performance.getEntriesByName('begun').at(-1).startTime) / 1000)`,
  );
}

export interface WorkbenchViewer extends Viewer {
  readonly library: string;
}

/** The tabs of open profiles; tables have tabs of their own. */
export const OPEN_TABS = '[role=tablist][aria-label="Open profiles"]';

/** Holds once the tab in front shows the flame graph of `name`. */
export function graphOf(name: string): string {
  return `document.querySelector('${OPEN_TABS} [aria-selected=true]')?.textContent.includes(${JSON.stringify(name)}) &&
    document.querySelectorAll('[role=tree] g.frame').length > 3`;
}

/** The workbench with a library of its own; the engine starts anew with each page. */
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
      // Playwright does not wait until the browser knows of it; a round trip later it does.
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

/** The first start opens samples, which would be measured along. */
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

/** From the cache outside the checkout, installed there when missing; null where it can't be had. */
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
    // It names the profile in the title in the same turn in which it draws the first view.
    painted: () => `document.title.includes(' - speedscope')`,
    close: () => Promise.resolve(close()),
  };
}
