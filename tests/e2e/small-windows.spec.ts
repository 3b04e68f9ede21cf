import type { Locator, Page } from 'playwright/test';
import { expect, test } from './workbench.ts';
import type { Workbench } from './workbench.ts';

/** Heights in CSS pixels of a frame and of a table's row, at the compact density. */
const FRAME_PX = 18;
const ROW_PX = 22;

const front = (page: Page, name: 'Graph' | 'Tables'): Locator =>
  page.getByRole('group', { name: 'Graph or tables' }).getByText(name, { exact: true });

async function heightOf(part: Locator): Promise<number> {
  return (await part.boundingBox())!.height;
}

const openSample = (page: Page): Promise<void> =>
  page
    .getByRole('region', { name: 'Start' })
    .getByRole('button', { name: /^catalog-service/ })
    .click();

/** Checks that an element is inside of the window, and that nothing covers its corners. */
async function expectWhole(part: Locator): Promise<void> {
  await expect(part).toBeInViewport({ ratio: 1 });
  const box = (await part.boundingBox())!;
  for (const y of [box.y + 2, box.y + box.height - 2]) {
    const isOnTop = await part.evaluate((element, at) => element.contains(document.elementFromPoint(at.x, at.y)), {
      x: box.x + box.width / 2,
      y,
    });
    expect(isOnTop).toBe(true);
  }
}

const tableBody = ({ page }: Workbench): Locator => page.locator('.table-window').first();

test.describe('at 1024 × 700', () => {
  test.use({ viewport: { width: 1024, height: 700 } });

  test('the library is a drawer, and the graph or the tables have the window', async ({ workbench, page }) => {
    await expect(workbench.library).toBeHidden();
    await openSample(page);
    await expect(workbench.graph).toBeVisible();
    await expect(workbench.table).toBeHidden();
    expect(await heightOf(page.locator('.flame-scroller'))).toBeGreaterThanOrEqual(20 * FRAME_PX);

    await front(page, 'Tables').click();
    await expect(workbench.table.getByRole('row').nth(12)).toBeVisible();
    await expect(workbench.graph).toBeHidden();
    const rows = workbench.table.getByRole('row');
    // The first row is the head.
    for (let row = 1; row <= 12; row++) await expectWhole(rows.nth(row));
    expect(await heightOf(rows.nth(1))).toBe(ROW_PX);
    expect(await heightOf(tableBody(workbench))).toBeGreaterThanOrEqual(12 * ROW_PX);

    await test.step('zooming from a table leads to the graph; a command leads there, too', async () => {
      await page.getByRole('tab', { name: 'Call tree', exact: true }).click();
      await page.getByRole('treegrid').press('Home');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect(workbench.graph).toBeVisible();
      await expect(workbench.zoomedInto).not.toHaveText('all');
      await workbench.runCommand('Table: functions');
      await expect(workbench.table).toBeVisible();
      await workbench.runCommand('Go to the flame graph');
      await expect(workbench.graph).toBeFocused();
    });

    await test.step('the library covers the tab until something is opened or Escape is pressed', async () => {
      const width = (await workbench.graph.boundingBox())!.width;
      await page.getByRole('banner').getByRole('button', { name: 'Library' }).click();
      await expect(workbench.library).toBeVisible();
      expect((await workbench.graph.boundingBox())!.width).toBe(width);
      await page.keyboard.press('Escape');
      await expect(workbench.library).toBeHidden();
    });

    await test.step('a comparison folds alike', async () => {
      await page.getByRole('banner').getByRole('button', { name: 'Library' }).click();
      await workbench.openRun();
      await workbench.compareRuns();
      for (const graph of await page.locator('.compare-pair .flame-scroller').all()) {
        expect(await heightOf(graph)).toBeGreaterThanOrEqual(15 * FRAME_PX);
      }
      await front(page, 'Tables').click();
      await expect(page.getByRole('grid').getByRole('row').nth(12)).toBeVisible();
      expect(await heightOf(tableBody(workbench))).toBeGreaterThanOrEqual(12 * ROW_PX);
    });
  });
});

test('the head of a side shows the end of a name, which tells two runs apart', async ({ workbench, page }) => {
  const name = (run: number): string => `apiserver-checkout-production-canary-run-${run}.folded`;
  for (const run of [1007, 1012]) await workbench.openText(name(run), `main;read ${run}\n`);
  await workbench.runCommand(`Compare with ${name(1007)}`);
  await expect(workbench.graph).toHaveCount(2, { timeout: 30_000 });
  for (const width of [1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 720 });
    for (const run of [1007, 1012]) {
      const heading = page.locator('.side-head').getByRole('heading', { name: name(run) });
      await expect(heading).toHaveAttribute('title', name(run));
      const room = await heading.locator('.cut-name bdi').evaluate((end) => {
        const letters = document.createRange();
        letters.setStart(end.firstChild!, end.textContent.length - '07.folded'.length);
        letters.setEndAfter(end.firstChild!);
        return letters.getBoundingClientRect().left - end.parentElement!.getBoundingClientRect().left;
      });
      expect(room).toBeGreaterThan(0);
    }
  }
});

test('in a low window the table is next to the graph, until the user places it', async ({ workbench, page }) => {
  await expect(workbench.library).toBeVisible();
  await workbench.library.getByRole('button', { name: /^catalog-service/ }).click();
  await expect(page.locator('.panes.stacked')).toBeVisible();
  await expect(page.getByRole('slider', { name: /^Time range/ })).toBeVisible();
  await expect(workbench.table).toBeVisible();
  const strip = await heightOf(page.locator('.time-pane'));

  await page.setViewportSize({ width: 1440, height: 800 });
  await expect(page.locator('.panes.beside')).toBeVisible();
  await expect(workbench.library).toBeHidden();
  expect(await heightOf(page.locator('.time-pane'))).toBeLessThan(strip);
  expect(await heightOf(page.locator('.flame-scroller'))).toBeGreaterThanOrEqual(20 * FRAME_PX);

  await test.step('the note editor fits', async () => {
    await workbench.table.getByRole('row').nth(2).click();
    await workbench.table.press('a');
    const editor = page.getByRole('form', { name: 'New note' });
    await expect(editor.getByLabel('Note, in Markdown')).toBeFocused();
    await expectWhole(editor);
    await editor.getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('a layout that the user chooses stays', async () => {
    await page.getByRole('button', { name: 'Table below the graph' }).click();
    await expect(page.locator('.panes.stacked')).toBeVisible();
    await page.setViewportSize({ width: 1440, height: 780 });
    await expect(page.locator('.panes.stacked')).toBeVisible();
  });

  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(workbench.library).toBeVisible();
  await expect(page.locator('.panes.stacked')).toBeVisible();
});
