import path from 'node:path';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { expectAccessible } from './axe.ts';
import type { BrowserContext, Locator, Page } from 'playwright/test';
import { startEngineProcess } from './engine-process.ts';
import { expect, test, Workbench } from './workbench.ts';

const FOLDED = 'main;serve;copy 60\nmain;serve;parse 25\nmain;idle 15\n';

/** Opens a second window on the same engine, as the desktop shell does. `prepare` runs before it loads. */
async function secondWindow(
  context: BrowserContext,
  page: Page,
  prepare: (other: Page) => Promise<unknown> = () => Promise.resolve(),
): Promise<Page> {
  const token = await page.evaluate(() => sessionStorage.getItem('flamebench-session'));
  const other = await context.newPage();
  await prepare(other);
  await other.addInitScript((known) => {
    sessionStorage.setItem('flamebench-session', known ?? '');
  }, token);
  await other.goto(new URL('/', page.url()).href);
  return other;
}

test('a confirmation goes by itself, but not while it has the focus', async ({ workbench, page }) => {
  await page.clock.install();
  await workbench.openText('a.folded', FOLDED);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await workbench.runCommand('Copy command that reopens this view');
  const message = page.locator('.notice', { hasText: 'Copied the command' });
  await message.getByRole('button', { name: 'Close this message' }).focus();
  await page.clock.fastForward(30_000);
  await expect(message).toBeVisible();
  await workbench.graph.focus();
  await page.clock.fastForward(30_000);
  await expect(message).toBeHidden();
  await workbench.runCommand('Copy command that reopens this view');
  await expect(message).toBeVisible();
  await page.mouse.move(2, 2);
  await page.clock.fastForward(5000);
  await expect(message).toBeVisible();
  await page.clock.fastForward(1100);
  await expect(message).toBeHidden();
});

test('panes have their places before the script of the tables arrives, F6 reaches the graph, messages leave tables free', async ({
  workbench,
  page,
}) => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/tables-pane/, async (route) => {
    await released;
    await route.continue();
  });
  await workbench.library.getByRole('button', { name: /^catalog-service/ }).click();
  await expect(workbench.details).toContainText('Functions by self weight');
  // From here on, nothing moves by itself.
  await page.evaluate(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { sources = [], value = 0 } = entry as { sources?: { node: Element | null }[]; value?: number };
        shifts.push(`${value.toFixed(4)} ${sources.map(({ node }) => node?.className).join(' ')}`);
      }
    }).observe({ type: 'layout-shift' });
  });
  const parts = [workbench.graph, workbench.details, page.locator('.time-pane')];
  const places = (): Promise<unknown> => Promise.all(parts.map((part) => part.boundingBox()));
  const before = await places();
  release();
  await expect(page.getByRole('gridcell').first()).toBeVisible();
  expect(await places()).toEqual(before);
  expect(await page.evaluate(() => (window as { shifts?: string[] }).shifts)).toEqual([]);
  await workbench.table.focus();
  for (let step = 0; step < 8 && !(await workbench.graph.evaluate((tree) => tree === document.activeElement)); step++) {
    await page.keyboard.press('F6');
  }
  await expect(workbench.graph).toBeFocused();
  await page.getByRole('button', { name: 'Table next to the graph' }).click();
  const notices = await page.locator('.notices').boundingBox();
  const table = await workbench.table.boundingBox();
  expect(notices!.x + notices!.width).toBeLessThan(table!.x);
});

test('settings: an answer in flight, other windows, accessibility', async ({ workbench, page, context }) => {
  await expect(workbench.status).toContainText('engine ready');
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  const held = Promise.withResolvers<undefined>();
  let asked = 0;
  const other = await secondWindow(context, page, (made) =>
    made.route('**/rpc/settings.read', async (route) => {
      // Playwright sends the request from Node, which leaves names under .localhost to the system.
      const url = new URL(route.request().url());
      const { host } = url;
      url.hostname = '127.0.0.1';
      const response = await route.fetch({ url: url.href, headers: { ...route.request().headers(), host } });
      asked += 1;
      // The second request is sent once events arrive.
      if (asked === 2) await held.promise;
      await route.fulfill({ response });
    }),
  );
  const root = other.locator('html');
  await test.step('an answer in flight does not undo a change', async () => {
    await expect.poll(() => asked).toBe(2);
    await page.bringToFront();
    await page.keyboard.press('Control+,');
    await dialog.getByLabel('Density').selectOption('comfortable');
    await expect(root).toHaveAttribute('data-density', 'comfortable');
    const answered = other.waitForResponse('**/rpc/settings.read');
    // The request that follows the answer when the window catches up.
    const followed = other.waitForResponse('**/rpc/recent.list');
    held.resolve(undefined);
    await Promise.all([answered, followed]);
    await expect(root).toHaveAttribute('data-density', 'comfortable');
    await dialog.getByRole('button', { name: 'Reset everything' }).click();
    await page.keyboard.press('Escape');
    await expect(root).toHaveAttribute('data-density', 'compact');
    await other.unrouteAll({ behavior: 'wait' });
  });
  await test.step('they apply immediately and in every window', async () => {
    await workbench.openText('a.folded', FOLDED);
    await page.keyboard.press('Control+,');
    await dialog.getByLabel('Density').selectOption('comfortable');
    await expect.poll(async () => (await workbench.table.getByRole('row').nth(1).boundingBox())?.height).toBe(28);
    await expect(root).toHaveAttribute('data-density', 'comfortable');
    await other.close();
    await dialog.getByRole('button', { name: 'Numbers', exact: true }).click();
    await dialog.getByLabel('Format of numbers and dates').selectOption('de-DE');
    await dialog.getByLabel('Decimals of shares').selectOption('2');
    await expect(dialog.getByLabel('Sample')).toContainText('12,35 %');
    await expect(workbench.table).toContainText('60,00 %');
    await dialog.getByRole('button', { name: 'Reset everything' }).click();
    await page.keyboard.press('Escape');
    await expect(workbench.table).toContainText('60.0 %');
    await expect(page.locator('html')).toHaveAttribute('data-density', 'compact');
  });
  await test.step('they are accessible in both themes, also with large text', async () => {
    await page.keyboard.press('Control+,');
    await dialog.getByLabel('Text size').selectOption('14');
    for (const [theme, name] of [
      ['light', 'Look'],
      ['dark', 'Keys'],
    ] as const) {
      await dialog.getByRole('button', { name: 'Look', exact: true }).click();
      await dialog.getByLabel('Theme').selectOption(theme);
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
      await dialog.getByRole('button', { name, exact: true }).click();
      await expectAccessible(page, { within: 'dialog' });
    }
  });
});

test('restores a session: tabs, panes, views and settings; reports what is gone', async ({ browser, page, folder }) => {
  const library = path.join(folder, 'library');
  const file = new Workbench(page, folder).writeFile('given.folded', FOLDED);
  const first = await startEngineProcess({ library, files: [file] });
  await page.goto(first.url);
  const workbench = new Workbench(page, folder);
  await expect(workbench.graph).toBeVisible();
  await workbench.openText('dropped.folded', FOLDED);
  await workbench.openText('kept.folded', FOLDED);
  await page.getByRole('button', { name: 'Keep' }).click();
  await expect(workbench.library.getByRole('button', { name: /^kept\.folded/ })).toBeVisible();
  await page.keyboard.press('Control+\\');
  await expect(page.locator('.tab-group')).toHaveCount(2);
  const pane = page.getByRole('region', { name: 'Pane 2 of 2' });
  await pane.getByText('Flame', { exact: true }).click();
  await workbench.clickFrame(pane.getByRole('tree').getByText('serve', { exact: true }));
  await expect(pane.locator('[aria-current=location], [aria-current=true]').last()).toBeVisible();
  // State is written shortly after the last change.
  const sessions = path.join(folder, 'config', 'sessions.json');
  const kept = (): string => (existsSync(sessions) ? readFileSync(sessions, 'utf8') : '');
  await expect.poll(kept).toMatch(/"flame"[^]*"zoom":[^\]]*"serve"/);
  await first.close();

  const again = await (await browser.newContext()).newPage();
  const second = await startEngineProcess({ library });
  await again.goto(second.url);
  const restored = again.getByRole('region', { name: 'Pane 2 of 2' });
  await expect(again.getByRole('tab', { name: 'given.folded' })).toBeVisible();
  await expect(restored.getByRole('tab', { name: 'kept.folded' })).toBeVisible();
  await expect(restored.getByRole('radio', { name: 'Flame', exact: true })).toBeChecked();
  await expect(restored.getByRole('navigation', { name: 'Zoomed into' })).toContainText('serve');
  await expect(again.getByText(/Closed: dropped\.folded/)).toBeVisible();
  await again.reload();
  await expect(restored.getByRole('navigation', { name: 'Zoomed into' })).toContainText('serve');
  await expect(again.locator('.tab-group')).toHaveCount(2);
  await second.close();
  await again.context().close();
});

test('two windows restore their own tabs', async ({ browser, page, context, folder }) => {
  const library = path.join(folder, 'library');
  const openSample = async (window: Page, name: string): Promise<void> => {
    await window
      .getByRole('region', { name: 'Start' })
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .last()
      .click();
    await expect(window.getByRole('tree').first()).toBeVisible({ timeout: 30_000 });
  };
  const titles = (window: Page): Locator => window.getByRole('tablist', { name: 'Open profiles' }).getByRole('tab');
  const first = await startEngineProcess({ library });
  await page.goto(first.url);
  await openSample(page, 'catalog-service');
  const other = await secondWindow(context, page);
  await openSample(other, 'page-server, after');
  const sessions = path.join(folder, 'config', 'sessions.json');
  const kept = (): string => (existsSync(sessions) ? readFileSync(sessions, 'utf8') : '');
  await expect.poll(kept).toMatch(/page-server[^]*"others": ?\[[^]*catalog-service/);
  await first.close();

  const again = await browser.newContext();
  const second = await startEngineProcess({ library });
  const one = await again.newPage();
  await one.goto(second.url);
  await expect(titles(one)).toHaveText([/^page-server, after/]);
  const two = await secondWindow(again, one);
  await expect(titles(two)).toHaveText([/^catalog-service/]);
  await expect(titles(one)).toHaveCount(1);
  await second.close();
  await again.close();
});

test('moves, closes and reopens tabs; panes work at 1,024 pixels', async ({ workbench, page }) => {
  await page.setViewportSize({ width: 1024, height: 720 });
  for (const name of ['a.folded', 'b.folded', 'c.folded']) await workbench.openText(name, FOLDED);
  const tabs = workbench.openTabs.getByRole('tab');
  await page.keyboard.press('Alt+Shift+PageUp');
  await expect(tabs).toHaveText(['a.folded', 'c.folded', 'b.folded']);
  await workbench.tab('a.folded').dragTo(workbench.tab('b.folded'), { targetPosition: { x: 70, y: 10 } });
  await expect(tabs).toHaveText(['c.folded', 'b.folded', 'a.folded']);
  await workbench.tab('b.folded').click({ button: 'middle' });
  await expect(tabs).toHaveText(['c.folded', 'a.folded']);
  await page.keyboard.press('Control+Shift+T');
  await expect(tabs).toHaveText(['c.folded', 'b.folded', 'a.folded']);

  const body = page.locator('.tab-group-body');
  const box = (await body.boundingBox())!;
  await workbench.tab('c.folded').dragTo(body, { targetPosition: { x: box.width - 20, y: 200 } });
  const [left, right] = [page.locator('.tab-group').first(), page.locator('.tab-group').last()];
  await expect(right.getByRole('tab', { name: 'c.folded', exact: true })).toBeVisible();
  await expect(right.getByRole('tree')).toBeVisible();
  await expect(left.getByRole('tree')).toBeVisible();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBe(0);
  await page.keyboard.press('Alt+Shift+ArrowLeft');
  await expect(left).toHaveClass(/active/);
  await left.getByRole('tab', { name: 'a.folded', exact: true }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Close others' }).click();
  await expect(left.getByRole('tablist', { name: 'Open profiles' }).getByRole('tab')).toHaveText(['a.folded']);
  await right.getByRole('tab', { name: 'c.folded', exact: true }).press('Delete');
  await expect(page.locator('.tab-group')).toHaveCount(1);
});

test('reopens recent files from the start page and the palette; reports one that is gone', async ({ page, folder }) => {
  const place = { library: path.join(folder, 'library') };
  const plain = new Workbench(page, folder);
  const files = ['one.folded', 'two.folded'].map((name) => plain.writeFile(name, FOLDED));
  const engine = await startEngineProcess({ ...place, files });
  await page.goto(engine.url);
  await expect(plain.openTabs.getByRole('tab')).toHaveCount(2);
  for (const left of [1, 0]) {
    await plain.openTabs.getByRole('tab', { selected: true }).press('Delete');
    await expect(page.locator('.tab')).toHaveCount(left);
  }
  await page.getByRole('button', { name: /^one\.folded/ }).click();
  await expect(plain.graph).toBeVisible();
  rmSync(files[1]!);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('rectwo');
  await page.keyboard.press('Enter');
  await expect(page.getByText('two.folded is no longer in its folder')).toBeVisible();
  await engine.close();
});

test('what did not work says why: a cancelled upload, a failed one, and a view without weight', async ({
  workbench,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await workbench.openText('a.folded', FOLDED);
  await test.step('adding a file to the library shows progress, and Cancel ends it', async () => {
    await page.route('**/upload*', () => new Promise(() => undefined));
    await page.getByRole('button', { name: 'Keep' }).click();
    const row = page.getByText('Keeping a.folded');
    await expect(row).toBeVisible();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByText('a.folded was not kept (cancelled).')).toBeVisible();
    await page.unroute('**/upload*');
  });
  await test.step('a failure outside a tab shows its reason, remedy and details, which can be copied', async () => {
    await page.route('**/upload*', (route) => route.fulfill({ json: { ok: true, result: {} } }));
    await page.getByRole('button', { name: 'Keep' }).click();
    const notice = page.getByLabel('Messages').locator('.notice.error');
    await expect(notice.getByRole('paragraph')).toHaveCount(2);
    await notice.getByRole('button', { name: 'Copy this message' }).click();
    await notice.locator('summary').click();
    await expect(notice.locator('pre')).toBeVisible();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/^Internal error: [^]*Try again[^]* at /);
  });
  await test.step('a view without weight says what filtered it, and offers the way back', async () => {
    await workbench.clickFrame('main', 'right');
    await page.getByRole('menuitem', { name: /^Hide stacks/ }).click();
    await expect(page.getByRole('heading', { name: 'Nothing to show' })).toBeVisible();
    await expect(page.getByText('Transforms hide the whole selection: 100')).toBeVisible();
    await page.getByRole('button', { name: 'Switch all off' }).click();
    await expect(workbench.frame('serve').first()).toBeVisible();
  });
});
