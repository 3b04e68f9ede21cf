import { expectAccessible } from './axe.ts';
import { FOLDED } from './inputs.ts';
import { expect, test } from './workbench.ts';

test('Tab reaches every control and shows the focus', async ({ workbench, page }) => {
  await workbench.openText('a.folded', FOLDED);
  await workbench.table.getByRole('row', { name: /^inner/ }).click();
  await expect(workbench.details.getByRole('heading', { name: 'inner' })).toBeVisible();
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
  // Nothing that looks clickable works with the pointer only.
  const pointerOnly = await page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>('button, [role=button], [role=tab], [role=radio], a')];
    const composite = '[role=tablist], [role=grid], [role=treegrid], [role=listbox], [role=menu], [role=tree], li';
    return all
      .filter((element) => element.tabIndex < 0 && element.checkVisibility() && element.closest(composite) === null)
      .map((element) => element.outerHTML.slice(0, 120));
  });
  expect(pointerOnly).toEqual([]);
});

test('respects the system’s forced colours, contrast and reduced motion', async ({ workbench, page }) => {
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
  await page.emulateMedia({ forcedColors: 'none', contrast: 'more' });
  expect(await colourOf('.status-bar', 'color')).not.toBe(dim);
  await page.emulateMedia({ contrast: 'no-preference', reducedMotion: 'reduce' });
  await workbench.clickFrame('work');
  await expect(workbench.zoomedInto).toHaveText('work');
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  const durationOfATransition = (): Promise<string> =>
    page.evaluate(() => {
      const added = document.body.appendChild(document.createElement('div'));
      added.style.transition = 'opacity 1s';
      const { transitionDuration } = getComputedStyle(added);
      added.remove();
      return transitionDuration;
    });
  expect(await durationOfATransition()).toBe('0s');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await durationOfATransition()).toBe('1s');
  await page.keyboard.press('Control+,');
  await page.getByRole('dialog', { name: 'Settings' }).getByLabel('Motion').selectOption('Reduced');
  await expect.poll(durationOfATransition).toBe('0s');
});

test('the call tree has the same content as the graph', async ({ workbench, page }) => {
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

test('headings, landmarks and spoken names are in order: start, a profile, a comparison, load, fleet', async ({
  workbench,
  page,
}) => {
  const rules = ['heading-order', 'region', 'label-content-name-mismatch'];
  await expectAccessible(page, { rules, state: 'start' });
  await workbench.openRun();
  await expect(workbench.details).toContainText('Functions by self weight');
  await expectAccessible(page, { rules, state: 'profile' });
  await workbench.details.getByText('Quality', { exact: true }).click();
  await expectAccessible(page, { rules, state: 'quality' });
  await workbench.compareRuns();
  await expectAccessible(page, { rules, state: 'comparison' });
  await workbench.runCommand('Load tests…');
  await expect(page.getByText(/^No load tests yet/)).toBeVisible();
  await expectAccessible(page, { rules, state: 'load tests' });
  await workbench.runCommand('Run an experiment…');
  await expect(page.getByLabel('Connections')).toBeVisible();
  await expectAccessible(page, { rules, state: 'experiment' });
  await workbench.runCommand('Fleet…');
  await expect(page.getByRole('dialog', { name: 'Fleet' })).toBeVisible();
  await expectAccessible(page, { rules, state: 'fleet' });
});

test('a screen reader gets a comparison’s answer first, then its graphs, then its table', async ({
  workbench,
  page,
}) => {
  await workbench.openRun();
  await workbench.compareRuns();
  await expect(page.getByRole('list', { name: 'Largest changes' })).toBeVisible();
  await workbench.drawn();
  await expect(page.locator('.compare')).toMatchAriaSnapshot({ name: 'compare.aria.yml' });
});
