import type { Locator, Page } from 'playwright/test';
import { FOLDED, perfScript } from './inputs.ts';
import { expectAccessibleThemes } from './axe.ts';
import { expectInReach } from './expect-in-reach.ts';
import { expect, test } from './workbench.ts';
import type { Workbench } from './workbench.ts';

/** Something that opens over the window, using the keyboard only. */
interface Overlay {
  readonly name: string;
  /** Presses the key that opens it. */
  readonly open: (workbench: Workbench) => Promise<void>;
  /** Selector of its content when it is complete. */
  readonly ready?: string;
}

const keys = (name: string, chord: string, ready?: string): Overlay => ({
  name,
  open: ({ page }) => page.keyboard.press(chord),
  ...(ready === undefined ? {} : { ready }),
});

/** Returns an overlay opened by a control that has the focus; another test checks that Tab reaches all controls. */
const control = (name: string, find: (workbench: Workbench) => Locator, chord = 'Enter'): Overlay => ({
  name,
  open: (workbench) => find(workbench).press(chord),
});

const button = (name: string | RegExp): ((workbench: Workbench) => Locator) => {
  return ({ page }) => page.getByRole('main').getByRole('button', { name }).first();
};

const inMenu = (name: string, find: (workbench: Workbench) => Locator, item: RegExp): Overlay => ({
  name,
  open: async (workbench) => {
    await find(workbench).press('Shift+F10');
    await workbench.page.getByRole('menuitem', { name: item }).first().press('Enter');
    await expect(workbench.page.getByRole('menu')).toHaveCount(0);
  },
});

const menu = (name: string, find: (workbench: Workbench) => Locator): Overlay => control(name, find, 'Shift+F10');

const overlay = (page: Page): Locator => page.locator('dialog[open], .popover, .menu');

/**
 * Opens each overlay, checks it in both themes and in small windows, and closes it with Escape, which must restore the
 * focus.
 */
async function expectOverlays(workbench: Workbench, overlays: readonly Overlay[]): Promise<void> {
  const { page } = workbench;
  for (const { name, open, ready = '*' } of overlays) {
    await test.step(name, async () => {
      await open(workbench);
      await expect(overlay(page).locator(ready).first()).toBeVisible();
      const focused = overlay(page).locator(':focus');
      await expect(focused, `${name} has the focus`).toHaveCount(1);
      await expectAccessibleThemes(page, {
        state: name,
        within: 'dialog[open], .popover, .menu',
        without: '.flame-scroller',
      });
      await expectInReach(page, name);
      await page.keyboard.press('Escape');
      await expect(overlay(page)).toHaveCount(0);
      await expect(page.locator('body :focus'), `${name} gives the focus back`).toHaveCount(1);
    });
  }
}

test.describe.configure({ timeout: 180_000 });

test('dialogs open by keyboard, fit small windows and are accessible', async ({ workbench, page }) => {
  await workbench.openText('server.perf.txt', perfScript());
  await page.getByRole('button', { name: 'Keep' }).press('Enter');
  const capture = (): Locator => workbench.library.getByRole('button', { name: /^server/ });
  await expect(capture()).toBeVisible();
  await workbench.graph.focus();
  await expectOverlays(workbench, [
    keys('commands', 'Control+k', '.option'),
    keys('keys', 'F1'),
    keys('add transform', 'Alt+Shift+A'),
    keys('export', 'Control+Shift+S'),
    keys('record', 'Alt+Shift+R', 'tbody tr'),
    keys('doctor', 'Alt+Shift+C', '.check'),
    keys('add a target', 'Alt+Shift+H'),
    inMenu('tags', capture, /^Tags/),
    inMenu('compare with', () => workbench.tab('server.perf.txt'), /^Compare with/),
  ]);
});

test('popovers and menus open by keyboard, fit small windows and are accessible', async ({ workbench, page }) => {
  await workbench.openText('server.perf.txt', perfScript());
  await workbench.graph.press('ArrowDown');
  await expectOverlays(workbench, [
    control('columns', button('Columns')),
    control('threads', button(/^thread/)),
    control('time range', button('Time range as numbers')),
    control('marks', button(/^Marks/)),
    control('split', button('Split view')),
    menu('frame', () => workbench.graph),
    menu('row', () => workbench.table),
    menu('tab', () => workbench.tab('server.perf.txt')),
    menu('sample', () => workbench.library.getByRole('button', { name: /^catalog-service/ })),
    menu('target', () => workbench.library.getByRole('button', { name: /^local/ })),
  ]);
  await page.keyboard.press('Alt+Shift+G');
  await page.keyboard.press('h');
  await expectOverlays(workbench, [control('transforms', button('More about transforms'))]);
});

test('popovers of a comparison open by keyboard, fit small windows and are accessible', async ({ workbench, page }) => {
  await workbench.openText('after.folded', FOLDED);
  await workbench.openText('before.folded', FOLDED.replace('60', '80'));
  await workbench.runCommand('Compare with after.folded');
  await expect(workbench.graph).toHaveCount(2);
  const before = page.locator('.compare-graphs').getByRole('tree').first();
  await before.press('ArrowUp');
  await expectOverlays(workbench, [
    control('normalisation', button(/^normalise/)),
    control('captures to add', button(/^Add a capture to before/)),
    control('columns of deltas', button('Columns')),
    menu('frame of a side', () => before),
    keys('transform of both sides', 'Alt+Shift+A'),
  ]);
});

/** Checks that the library is in front of what it covers. */
async function expectInOverlay(page: Page): Promise<void> {
  const isInFront = await page
    .locator('.sidebar')
    .evaluate((sidebar) => sidebar.contains(document.elementFromPoint(20, window.innerHeight / 2)));
  expect(isInFront).toBe(true);
}

test('smaller windows: a popover stays inside, the library is shown over the tabs', async ({ workbench, page }) => {
  await test.step('Tab closes a popover, which stays in the window when that shrinks', async () => {
    await workbench.openText('a.folded', FOLDED);
    await button('Columns')(workbench).press('Enter');
    const choices = page.getByRole('dialog', { name: 'Columns of the table' });
    await expect(choices.locator(':focus')).toHaveCount(1);
    await page.setViewportSize({ width: 1024, height: 400 });
    const bottom = async (): Promise<number> => {
      const box = (await choices.boundingBox())!;
      return box.y + box.height;
    };
    await expect.poll(bottom).toBeLessThanOrEqual(400);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await expect(choices).toBeHidden();
  });
  await test.step('in a narrow window the library is shown over the tabs on request', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await workbench.openText('b.folded', FOLDED);
    await page.setViewportSize({ width: 640, height: 400 });
    await expect(workbench.library).toBeHidden();
    const width = async (): Promise<number> => (await workbench.graph.boundingBox())!.width;
    await expect.poll(width).toBeGreaterThan(600);

    // It closes on Escape, when something opens, and when something below it gets the focus.
    const toggle = page.getByRole('button', { name: 'Library', exact: true });
    await page.keyboard.press('Control+b');
    await expect(workbench.library).toBeVisible();
    await expect(toggle).toHaveAttribute('aria-pressed', 'true');
    expect(await width()).toBeGreaterThan(600);
    await expectInOverlay(page);
    const sample = workbench.library.getByRole('button', { name: /^catalog-service/ });
    await sample.press('Escape');
    await expect(workbench.library).toBeHidden();
    await expect(workbench.tab('b.folded')).toBeFocused();
    await page.keyboard.press('Alt+Shift+L');
    await expect(workbench.library.locator(':focus')).toHaveCount(1);
    await page.keyboard.press('Alt+Shift+G');
    await expect(workbench.graph).toBeFocused();
    await expect(workbench.library).toBeHidden();
    await toggle.press('Enter');
    await expect(workbench.library).toBeVisible();
    await toggle.press('Escape');
    await expect(workbench.library).toBeHidden();
    await toggle.press('Enter');
    await sample.press('Enter');
    await expect(workbench.tab('catalog-service (Go)')).toBeVisible();
    await expect(workbench.library).toBeHidden();

    // Source replaces graph and table, takes the focus, and returns it.
    const notes = page.getByRole('radio', { name: 'Notes', exact: true });
    await page.getByRole('radio', { name: 'Details', exact: true }).press('ArrowRight');
    await expect(notes).toBeFocused();
    await notes.press('ArrowRight');
    await expect(page.getByRole('radio', { name: 'Source', exact: true })).toBeFocused();
    await expect(page.getByRole('tabpanel', { name: 'Source' })).toBeInViewport();
    await page.keyboard.press('ArrowLeft');
    await expect(notes).toBeFocused();

    // The state in a wide window is independent.
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(workbench.library).toBeVisible();
    await page.keyboard.press('Control+b');
    await expect(workbench.library).toBeHidden();
  });
});
