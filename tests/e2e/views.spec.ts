import { expectAccessible } from './axe.ts';
import type { Locator } from 'playwright/test';
import { hasCorpus, readCorpus } from '../support/corpus.ts';
import { FOLDED, perfScript } from './inputs.ts';
import { encodePprof } from '../support/encode/pprof.ts';
import { expect, test } from './workbench.ts';
import type { Workbench } from './workbench.ts';

const chips = (workbench: Workbench): Locator => workbench.page.getByRole('list', { name: 'Applied to this view' });
const view = (workbench: Workbench, number: number): Locator =>
  workbench.page.getByRole('region', { name: new RegExp(`^View ${number} of`) });

async function hide(workbench: Workbench, name: string): Promise<void> {
  await workbench.clickFrame(name, 'right');
  await workbench.page.getByRole('menuitem', { name: 'Hide stacks with this function' }).click();
}

async function split(workbench: Workbench, choice: string | RegExp): Promise<void> {
  await workbench.page.getByRole('button', { name: 'Split view' }).click();
  await workbench.page.getByRole('menuitem', { name: choice }).click();
}

test('undo, long analyses, zooms and new tabs', async ({ workbench, page }) => {
  await test.step('undoes and redoes changes of a view', async () => {
    await workbench.openText('a.folded', FOLDED);
    await expect(page.getByRole('button', { name: 'Undo' })).toHaveAttribute('aria-disabled', 'true');
    await hide(workbench, 'idle');
    await expect(workbench.frame('idle')).toBeHidden();
    await workbench.chooseRadio('Bottom-up');
    await page.keyboard.press('Control+z');
    await expect(page.getByRole('radio', { name: 'Top-down' })).toBeChecked();
    await page.keyboard.press('Control+z');
    await expect(workbench.frame('idle')).toBeVisible();
    await page.keyboard.press('Control+Shift+Z');
    await expect(workbench.frame('idle')).toBeHidden();
    await expect(chips(workbench)).toContainText('idle');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(workbench.frame('idle')).toBeVisible();
    await page.keyboard.press('Control+y');
    await expect(workbench.frame('idle')).toBeHidden();
    const field = page.getByRole('searchbox', { name: 'Search functions by regular expression' });
    await field.fill('x');
    await field.press('Control+z');
    await expect(workbench.frame('idle')).toBeHidden();
    await workbench.numbersAgree();
  });
  await test.step('a long analysis is cancelled immediately; one that fails says why, in place', async () => {
    await workbench.openText('long.folded', `${FOLDED}${'a'.repeat(40)}! 1\n`);
    // Takes exponential time; Flamebench stops it after a second.
    const endless = [{ enabled: true, kind: 'hide', on: { by: 'pattern', pattern: '^(a+)+$', ignoreCase: false } }];
    const file = workbench.writeFile('rules.json', JSON.stringify(endless));
    const apply = async (): Promise<void> => {
      const chooser = page.waitForEvent('filechooser');
      await workbench.runCommand('open transforms');
      await (await chooser).setFiles(file);
    };
    // Clicks within the page as soon as the button appears, because the test's own click may take longer than the
    // pattern's limit of one second.
    const cancelled = page.evaluate(async () => {
      const find = (): HTMLElement | undefined =>
        [...document.querySelectorAll('button')].find((button) => button.textContent === 'Cancel');
      while (find() === undefined) await new Promise((resolve) => requestAnimationFrame(resolve));
      find()?.click();
    });
    await apply();
    await cancelled;
    await expect(chips(workbench)).toBeHidden();
    await workbench.clickFrame('work');
    await expect(workbench.zoomedInto).toHaveText('work');
    await workbench.numbersAgree();

    await apply();
    const problem = page.getByRole('alert').filter({ hasText: 'longer than 1 s' });
    await expect(problem).toContainText('avoid nested repetition');
    await expect(workbench.zoomedInto).toHaveText('work');
    await problem.getByRole('button', { name: 'Keep the current view' }).click();
    await expect(problem).toBeHidden();
    await expect(chips(workbench)).toBeHidden();
  });
  await test.step('keeps a zoom when the time range or a chip changes', async () => {
    await workbench.openText('zooms.perf.txt', perfScript());
    await workbench.clickFrame('serve');
    await expect(workbench.zoomedInto).toHaveText('serve');
    const strip = page.getByRole('slider', { name: /^Time range/ });
    await strip.press('ArrowRight');
    await expect(workbench.status).toContainText(/of 220 samples/);
    await expect(workbench.zoomedInto).toHaveText('serve');
    await hide(workbench, 'outer');
    await expect(workbench.frame('outer')).toHaveCount(0);
    await expect(workbench.zoomedInto).toHaveText('serve');
    await workbench.numbersAgree();
    await page.getByLabel('type').selectOption({ label: 'page-faults, count' });
    await expect(workbench.zoomedInto).toHaveText('main');
    await page.keyboard.press('Control+z');
    await expect(workbench.zoomedInto).toHaveText('serve');
  });
  await test.step('frames and functions open in a new tab with the same view', async () => {
    await workbench.openText('a.perf.txt', perfScript());
    await hide(workbench, 'outer');
    await expect(workbench.frame('outer')).toHaveCount(0);
    await workbench.clickFrame('serve', 'middle');
    await expect(workbench.tab('serve · a.perf.txt')).toHaveCount(1);
    await expect(workbench.zoomedInto).toHaveText('serve');
    await expect(workbench.frame('outer')).toHaveCount(0);
    await workbench.tab('a.perf.txt').first().click();
    await expect(workbench.zoomedInto).toHaveText('all');

    await workbench.table.getByRole('row', { name: /^serve/ }).click({ modifiers: ['ControlOrMeta'] });
    await expect(workbench.tab('serve · a.perf.txt')).toHaveCount(2);
    await expect(page.getByRole('list', { name: 'Applied to this view' })).toContainText('serve');
  });
});

test('heap profiles', async ({ workbench, page }) => {
  await test.step('opens with memory in use next to memory allocated', async () => {
    const bytes = encodePprof({
      sampleTypes: [
        ['alloc_space', 'bytes'],
        ['inuse_space', 'bytes'],
      ],
      functions: [{ id: 1, name: 'main.grow', file: '/main.go' }],
      locations: [{ id: 1, address: 0x10, lines: [[1, 5]] }],
      samples: [{ locations: [1], values: [4096, 1024] }],
    });
    await workbench.open(workbench.writeFile('heap.pb', bytes));
    await expect(view(workbench, 1)).toHaveAccessibleName('View 1 of 2: inuse_space');
    await expect(view(workbench, 2)).toHaveAccessibleName('View 2 of 2: alloc_space');
    await expect(page.getByRole('tree')).toHaveCount(2);
  });
  await test.step('a new view gets the focus, as the toolbar belongs to it', async () => {
    await view(workbench, 1).getByRole('tree').focus();
    await page.keyboard.press('Alt+Shift+V');
    await expect(page.getByRole('tree')).toHaveCount(3);
    await expect(view(workbench, 2)).toHaveAttribute('aria-current', 'true');
    await expect(view(workbench, 2).getByRole('tree')).toBeFocused();
    await split(workbench, 'alloc_space');
    await expect(view(workbench, 3).getByRole('tree')).toBeFocused();
  });
  if (hasCorpus()) {
    await test.step('shows value types side by side', async () => {
      await workbench.open(workbench.writeFile('heap.pb.gz', readCorpus('pprof/alloc_objects.pb.gz')));
      await expect(page.getByRole('tree')).toHaveCount(1);
      await expect(workbench.graph).toBeVisible();
      await split(workbench, 'inuse_space');
      await split(workbench, 'alloc_objects');
      await expect(page.getByRole('tree')).toHaveCount(3);
      await expect(view(workbench, 3)).toHaveAccessibleName('View 3 of 3: alloc_objects');
      await expect(view(workbench, 3).locator('.view-facts')).toContainText('311 M');
      await workbench.numbersAgree();
      await page.emulateMedia({ colorScheme: 'dark' });
      await expectAccessible(page, { within: ['.views', '.toolbar'], minor: true });

      // Selections and transforms in one view apply to all until one is unlinked.
      const name = 'net/http.(*conn).serve';
      await workbench.table.getByRole('columnheader', { name: 'Total', exact: true }).getByRole('button').click();
      const inTable = workbench.table.getByRole('row', { name }).first();
      await inTable.click();
      await page.getByRole('button', { name: 'View 1 follows the others' }).click();
      // Until then, the table has the rows of view 3, in another order.
      await expect(view(workbench, 1)).toHaveAttribute('aria-current', 'true');
      await inTable.click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Hide stacks with this function' }).click();
      await expect(chips(workbench)).toContainText('serve');
      await workbench.numbersAgree();
      await view(workbench, 2).locator('.view-facts').click();
      await expect(chips(workbench)).toBeHidden();
      await expect(workbench.table.getByRole('row', { selected: true })).toContainText('serve');
      await page.getByRole('button', { name: 'Close view 1' }).click();
      await expect(page.getByRole('tree')).toHaveCount(2);
      await expect(view(workbench, 1)).toHaveAccessibleName(/inuse_space/);
      await expect(chips(workbench)).toBeHidden();
    });
  }
});

if (hasCorpus()) {
  test('compares events of one recording by keyboard, at 1,024 pixels', async ({ workbench, page }) => {
    await page.setViewportSize({ width: 1024, height: 768 });
    await workbench.open(workbench.writeFile('a.txt', readCorpus('perf-script/perf-cycles-instructions-01.txt')));
    await expect(workbench.graph).toBeVisible();
    await workbench.graph.focus();
    await workbench.runCommand('Split view: instructions');
    await expect(page.getByRole('tree')).toHaveCount(2);
    await expect(workbench.status).toContainText('333 of');
    await page.keyboard.press('Alt+Shift+N');
    await expect(workbench.status).toContainText('111 of');
    await expect(view(workbench, 1).getByRole('tree')).toBeFocused();
    const border = page.getByRole('separator', { name: 'Views 1 and 2' });
    const width = async (number: number): Promise<number> => (await view(workbench, number).boundingBox())!.width;
    const before = await width(1);
    await border.press('ArrowLeft');
    await expect.poll(() => width(1)).toBeLessThan(before);
    for (const number of [1, 2]) expect(await width(number)).toBeGreaterThan(200);
    await workbench.numbersAgree();
    await page.keyboard.press('Alt+Shift+V');
    await expect(page.getByRole('tree')).toHaveCount(3);
    await workbench.numbersAgree();
    await page.keyboard.press('Alt+Shift+X');
    await expect(page.getByRole('tree')).toHaveCount(2);
  });
}
