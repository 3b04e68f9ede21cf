import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { FOLDED } from './inputs.ts';
import { JOURNEYS } from './window-states.ts';
import { expect, test } from './workbench.ts';

/** All of axe in one theme; of the other what depends on colours. */
async function expectAccessible(page: Page, state: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    // Hundreds of labels cost axe seconds; the look's tests have it go over them.
    const axe = new AxeBuilder({ page }).exclude('.flame-scroller');
    if (theme === 'light') axe.withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']);
    else axe.withRules(['color-contrast']);
    const { violations } = await axe.analyze();
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    const found = serious.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
    expect.soft(found, `${state}, ${theme}`).toEqual([]);
  }
}

/** What can't be clicked: outside of the window, cut off where nothing scrolls, or under something else. */
function controlsOutOfReach(): string[] {
  const faults: string[] = [];
  const top = document.querySelector('dialog[open]') ?? document.body;
  const selector = 'button, select, input:not([type=radio], .sr-only), a[href], [role=tab], .segments label';
  for (const control of top.querySelectorAll<HTMLElement>(selector)) {
    if (!control.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true })) continue;
    // Rows of virtual lists come and go.
    if (control.closest('tbody, [role=listbox], [role=tree], [inert]') !== null) continue;
    const name = control.getAttribute('aria-label') ?? control.textContent ?? control.tagName;
    control.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    for (let up = control.parentElement; up !== null; up = up.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(up);
      if ((overflowX === 'hidden' && up.scrollLeft > 0) || (overflowY === 'hidden' && up.scrollTop > 0)) {
        faults.push(`${name} is cut off in ${up.className}`);
        up.scrollTo(0, 0);
      }
    }
    const { left, right, top: above, bottom } = control.getBoundingClientRect();
    const at = document.elementFromPoint((left + right) / 2, (above + bottom) / 2);
    if (at === null || !(control.contains(at) || at.contains(control))) {
      faults.push(`${name} is under ${at === null ? 'the edge of the window' : at.className}`);
    }
  }
  return faults;
}

/** The window of 1,024 pixels, and 200 % zoom of one of 1,440 × 900. */
const SMALL = [
  { width: 1024, height: 700 },
  { width: 720, height: 450 },
];

/** By axe, in the tests of the window's look, of time, transforms, settings, keys, source and views. Bottom-up is the flame graph of another tree. */
const SEEN_ELSEWHERE: ReadonlySet<string> = new Set([
  'empty-library',
  'flame-graph',
  'threads',
  'heat-map',
  'bottom-up',
  'transform-dialog',
  'settings',
  'keys',
  'source',
  'views',
]);

for (const [journey, states] of Object.entries(JOURNEYS)) {
  test(`${journey}: axe finds nothing serious, and small windows show every control`, async ({ workbench, page }) => {
    // axe goes over the whole window again and again.
    test.slow();
    for (const { name, show } of states) {
      await show(workbench);
      if (!SEEN_ELSEWHERE.has(name)) await expectAccessible(page, name);
      for (const size of SMALL) {
        await page.setViewportSize(size);
        const at = `${name} at ${size.width} × ${size.height}`;
        expect.soft(await page.evaluate(controlsOutOfReach), at).toEqual([]);
        expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), at).toBe(size.width);
      }
      await page.setViewportSize({ width: 1440, height: 860 });
    }
  });
}

test('dialogs fit the smallest window', async ({ workbench, page }) => {
  await workbench.openText('a.folded', FOLDED);
  await page.setViewportSize(SMALL[1]!);
  for (const [keys, ready, isLooked] of [
    ['Control+k', '[role=option]', false],
    ['Control+Shift+s', '.dialog-foot, .dialog-actions', false],
    ['Alt+Shift+R', 'tbody tr', true],
  ] as const) {
    await page.keyboard.press(keys);
    const dialog = page.getByRole('dialog');
    await expect(dialog.locator(ready).first()).toBeVisible();
    const box = (await dialog.boundingBox())!;
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(box.y + box.height).toBeLessThanOrEqual(450);
    expect.soft(await page.evaluate(controlsOutOfReach), keys).toEqual([]);
    // The look's tests have axe go over the recording.
    if (!isLooked) await expectAccessible(page, keys);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
});

test('Tab leads to every control and shows where it is', async ({ workbench, page }) => {
  await workbench.openText('a.folded', FOLDED);
  await workbench.table.getByRole('row', { name: /^inner/ }).click();
  await page.evaluate(() => {
    (document.activeElement as HTMLElement).blur();
  });
  const expected = await page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>('*')].filter((element) => {
      if (element.tabIndex < 0 || element.matches(':disabled') || !element.checkVisibility()) return false;
      return !(element instanceof HTMLInputElement && element.type === 'radio' && !element.checked);
    });
    for (const [index, element] of all.entries()) element.dataset['stop'] = String(index);
    return all.map((element) => element.outerHTML.slice(0, 120));
  });
  const seen = new Set<number>();
  const unmarked: string[] = [];
  for (let step = 0; step < expected.length + 3; step++) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const focused = document.activeElement as HTMLElement;
      const look = (): string => {
        const around = [focused, ...focused.querySelectorAll('*')].slice(0, 60);
        if (focused.nextElementSibling !== null) around.push(focused.nextElementSibling);
        for (let up = focused.parentElement; up !== null && up !== document.body; up = up.parentElement)
          around.push(up);
        return around
          .flatMap((element) => {
            const { outline, boxShadow, borderColor } = getComputedStyle(element);
            return [outline, boxShadow, borderColor];
          })
          .join();
      };
      const [index, marked] = [Number(focused.dataset['stop'] ?? -1), look()];
      focused.blur();
      const plain = look();
      focused.focus();
      return { index, isMarked: marked !== plain, html: focused.outerHTML.slice(0, 120) };
    });
    if (stop.index < 0) continue;
    seen.add(stop.index);
    if (!stop.isMarked) unmarked.push(stop.html);
  }
  expect(expected.filter((_, index) => !seen.has(index))).toEqual([]);
  expect(unmarked).toEqual([]);
  // Nothing that looks clickable is for the pointer alone.
  const pointerOnly = await page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>('button, [role=button], [role=tab], [role=radio], a')];
    const composite = '[role=tablist], [role=grid], [role=treegrid], [role=listbox], [role=menu], [role=tree], li';
    return all
      .filter((element) => element.tabIndex < 0 && element.checkVisibility() && element.closest(composite) === null)
      .map((element) => element.outerHTML.slice(0, 120));
  });
  expect(pointerOnly).toEqual([]);
});

test('the system’s wishes are honoured: forced colours, more contrast, less motion', async ({ workbench, page }) => {
  await workbench.openText('a.folded', FOLDED);
  await workbench.table.getByRole('row', { name: /^inner/ }).click();
  const colourOf = (selector: string, property: string): Promise<string> =>
    page
      .locator(selector)
      .first()
      .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
  const backgrounds = async (): Promise<string[]> =>
    Promise.all(
      ['.segments input:checked + span', '.table-row.selected', '.icon-button[aria-pressed=true]'].map((selector) =>
        colourOf(selector, 'background-color'),
      ),
    );
  const swatch = await colourOf('.flame-swatch', 'background-color');
  const dim = await colourOf('.status-bar', 'color');
  await page.emulateMedia({ forcedColors: 'active' });
  const panel = await colourOf('.status-bar', 'background-color');
  for (const background of await backgrounds()) expect(background).not.toBe(panel);
  expect(await colourOf('.flame-swatch', 'background-color')).toBe(swatch);
  await page.screenshot({ path: 'artefacts/forced-colours.png' });
  await page.emulateMedia({ forcedColors: 'none', contrast: 'more' });
  expect(await colourOf('.status-bar', 'color')).not.toBe(dim);
  await page.screenshot({ path: 'artefacts/more-contrast.png' });
  await page.emulateMedia({ contrast: 'no-preference', reducedMotion: 'reduce' });
  await workbench.clickFrame('work');
  await expect(workbench.zoomedInto).toHaveText('work');
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
});

test('the call tree reads as the graph does', async ({ workbench, page }) => {
  await workbench.openText('a.folded', FOLDED);
  await page.getByRole('tab', { name: 'Call tree', exact: true }).click();
  const tree = page.getByRole('treegrid', { name: 'Call tree, top-down' });
  await expect(tree.getByRole('row', { name: /^all/ })).toBeVisible();
  await tree.press('Home');
  await expect(tree.getByRole('row', { name: /^all/ })).toHaveAttribute('aria-selected', 'true');
  await tree.press('*');
  await expect(tree.getByRole('row', { name: /inner/ })).toHaveCount(2);
  await expect(tree).toMatchAriaSnapshot(`
    - treegrid "Call tree, top-down":
      - rowgroup:
        - row "Call tree Total Total % Of parent Self Module"
      - rowgroup:
        - row "all 100 100.0 % 100.0 % 0" [expanded] [level=1] [selected]
        - row "main 100 100.0 % 100.0 % 0" [expanded] [level=2]
        - row "work 60 60.0 % 60.0 % 0" [expanded] [level=3]
        - row "inner 40 40.0 % 66.7 % 40" [level=4]
        - row "work 20 20.0 % 33.3 % 0" [expanded] [level=4]
        - row "inner 20 20.0 % 100.0 % 20" [level=5]
        - row "idle 40 40.0 % 40.0 % 40" [level=3]
  `);
});
