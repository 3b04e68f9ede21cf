import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test as base } from 'playwright/test';
import type { Locator, Page } from 'playwright/test';
import { startEngineHost } from './engine-host.ts';
import type { EngineHost, HostedEngine } from './engine-host.ts';

/**
 * Chromium ends all requests when a network link of the machine appears or goes, which tests with hosts cause. The
 * window requests its parts again, but a page whose first script was cut off must be loaded again.
 */
export const LINKS_CHANGED = /ERR_NETWORK_CHANGED/;

/** What each test gets: an engine with an empty library, and its page, opened with the printed link. */
interface Fixtures {
  readonly folder: string;
  readonly engine: HostedEngine;
  readonly workbench: Workbench;
  /** Patterns of console errors that the test provokes; any other fails it. */
  readonly expectedErrors: RegExp[];
}

/** Playwright requires fixtures to destructure their parameter, even if they use none. */
export const test = base.extend<Fixtures, { engineHost: EngineHost }>({
  engineHost: [
    async ({ browserName: _none }, use) => {
      const host = await startEngineHost();
      await use(host);
      await host.close();
    },
    { scope: 'worker' },
  ],
  folder: async ({ browserName: _none }, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'flamebench-e2e-'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
  engine: async ({ folder, engineHost }, use) => {
    const places = { libraryPath: path.join(folder, 'library'), configPath: path.join(folder, 'config') };
    const engine = await engineHost.start(places);
    await use(engine);
    await engine.close();
  },
  expectedErrors: async ({ browserName: _none }, use) => {
    await use([]);
  },
  workbench: async ({ page, engine, folder, expectedErrors }, use) => {
    const complaints: string[] = [];
    let isCutOff = false;
    page.on('console', (message) => {
      if (message.type() !== 'error') return;
      if (LINKS_CHANGED.test(message.text())) isCutOff = true;
      else complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
    page.on('dialog', (dialog) => {
      complaints.push(`a dialog box opened: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(engine.url);
    const workbench = new Workbench(page, folder);
    // Before this, keys have no listener, and the session may not be stored yet.
    const isReady = (): Promise<void> => expect(workbench.status).toContainText('engine ready');
    await isReady().catch(async (error: unknown) => {
      if (!isCutOff) throw error;
      await page.reload();
      await isReady();
    });
    await use(workbench);
    expect(complaints.filter((text) => !expectedErrors.some((expected) => expected.test(text)))).toEqual([]);
  },
});

export { expect } from 'playwright/test';

/** The window, as tests operate it. */
export class Workbench {
  readonly page: Page;
  readonly folder: string;

  constructor(page: Page, folder: string) {
    this.page = page;
    this.folder = folder;
  }

  get openTabs(): Locator {
    return this.page.getByRole('tablist', { name: 'Open profiles' });
  }

  writeFile(name: string, content: string | Uint8Array): string {
    const file = path.join(this.folder, name);
    writeFileSync(file, content);
    return file;
  }

  /** Opens files with Ctrl-O, as users do. */
  async open(...files: string[]): Promise<void> {
    await expect(this.status).toContainText('engine ready');
    const chooser = this.page.waitForEvent('filechooser', { timeout: 10_000 });
    // Playwright announces to the browser that it waits for a file chooser, without awaiting that; after another round
    // trip the browser has registered it.
    await this.page.evaluate(() => null);
    await this.page.keyboard.press('Control+o');
    await (await chooser).setFiles(files);
  }

  async openText(name: string, text: string | Uint8Array): Promise<void> {
    await this.open(this.writeFile(name, text));
    // Until then, the window shows the previous tab.
    await expect(this.openTabs.getByRole('tab', { name, selected: true }).first()).toBeVisible();
    await expect(this.graph).toBeVisible();
    // Tables are rendered after the graph, or are behind a tab.
    const behindTab = this.page.getByRole('group', { name: 'Graph or tables' });
    await expect(this.page.getByRole('gridcell').first().or(behindTab)).toBeVisible();
  }

  /** Opens the first of the bundled runs of page-server before its change. */
  async openRun(): Promise<void> {
    await this.library.getByRole('button', { name: /^page-server, before/ }).click();
    await this.library.getByRole('button', { name: 'run 1', exact: true }).click();
    await expect(this.graph).toBeVisible();
  }

  /** Compares the runs of {@link openRun} with those after the change, five per side. */
  async compareRuns(): Promise<void> {
    await this.runCommand('Compare with page-server, after');
    // Ten captures are read.
    await expect(this.graph).toHaveCount(2, { timeout: 30_000 });
  }

  get graph(): Locator {
    return this.page.getByRole('tree');
  }

  /** Returns the label of a frame; labels are above their frames and let clicks through. */
  frame(name: string): Locator {
    return this.graph.getByText(name, { exact: true });
  }

  /** Waits until no visible graph shows a previous tree or zoom, in which a click would hit something else. */
  async drawn(): Promise<void> {
    await expect(this.page.locator('[aria-busy=true]:visible')).toHaveCount(0);
  }

  /** Clicks a frame by its name, or by its label if there are several graphs. */
  async clickFrame(frame: string | Locator, button: 'left' | 'middle' | 'right' = 'left'): Promise<void> {
    await this.drawn();
    const label = typeof frame === 'string' ? this.frame(frame) : frame;
    await label.first().click({ force: true, button });
  }

  get zoomedInto(): Locator {
    return this.page.getByRole('navigation', { name: 'Zoomed into' }).locator('[aria-current]');
  }

  get table(): Locator {
    return this.page.getByRole('grid', { name: 'Functions by self and total weight' });
  }

  /** Returns the first cell of each visible row. */
  async functionsInTable(): Promise<string[]> {
    const rows = this.table.getByRole('row');
    const texts = await rows.evaluateAll((all) =>
      all.flatMap((row) => row.querySelector('[role=gridcell], td')?.textContent ?? []),
    );
    return texts;
  }

  get status(): Locator {
    return this.page.getByRole('contentinfo', { name: 'Status' });
  }

  get details(): Locator {
    return this.page.getByRole('complementary', { name: 'Details' });
  }

  tab(name: string): Locator {
    return this.openTabs.getByRole('tab', { name, exact: true });
  }

  get library(): Locator {
    return this.page.getByRole('navigation', { name: 'Library and targets' });
  }

  async runCommand(name: string): Promise<void> {
    await this.page.keyboard.press('Control+k');
    await this.page.getByRole('combobox', { name: 'Search commands' }).fill(name);
    await this.page.keyboard.press('Enter');
  }

  /** Checks that the parts of the active view or comparison add up. A comparison may have been refused. */
  async numbersAgree(): Promise<void> {
    await this.runCommand('Check this numbers');
    const message = this.page.locator('.notice', { hasText: /numbers|There is no (?:analysis|comparison)/i }).last();
    await expect(message).toContainText(/numbers agree|There is no comparison/i);
    await this.closeMessage(message);
  }

  /** Closes a message, which may also go by itself meanwhile. */
  async closeMessage(message: Locator): Promise<void> {
    const close = message.getByRole('button', { name: 'Close this message' });
    await expect(async () => {
      if (await close.isVisible()) await close.click({ timeout: 1000 });
      await expect(message).toBeHidden({ timeout: 500 });
    }).toPass();
  }

  /** Points until the result shows, because a graph that is redrawn under the pointer resets it. */
  async pointAt(target: Locator, shows: Locator): Promise<void> {
    await this.drawn();
    await expect(async () => {
      await this.page.mouse.move(0, 0);
      await target.hover({ force: true });
      await expect(shows).toBeAttached({ timeout: 2000 });
    }).toPass();
  }

  async chooseRadio(name: string): Promise<void> {
    // The radio itself is invisible below its label.
    await this.page.locator('label', { has: this.page.getByRole('radio', { name, exact: true }) }).click();
    await expect(this.page.getByRole('radio', { name, exact: true })).toBeChecked();
  }
}
