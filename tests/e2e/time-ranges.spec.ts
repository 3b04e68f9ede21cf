import { expectAccessible } from './axe.ts';
import { chips, chooseForm, dragAcross, openScript, strip, typeRange } from './time-pane.ts';
import { expect, test } from './workbench.ts';

test('time: nested ranges, colours of a thread, the stack of a moment', async ({ workbench, page }) => {
  await test.step('enters nested ranges, and leaves them by breadcrumbs, keys and undo', async () => {
    await openScript(workbench);
    await expect(workbench.status).toContainText('220 samples');
    const crumbs = page.getByRole('navigation', { name: 'Leave the time range' });
    await typeRange(page, '0.5', '1.5');
    await expect(workbench.status).toContainText('100 of 220 samples');
    await page.getByRole('button', { name: 'Zoom into the range' }).click();
    await expect(crumbs).toContainText('all time');
    await expect(strip(page)).toHaveAttribute('aria-valuetext', /^all 1 s/);
    await expect(page.getByRole('slider', { name: 'Start of the time range' })).toBeHidden();

    await dragAcross(page, strip(page), 0.25, 0.75);
    await expect(chips(page)).toContainText(/time: (?:49|50)\d ms/);
    await strip(page).press('c');
    await expect(crumbs).toContainText('1 s');
    await expect(strip(page)).toHaveAttribute('aria-valuetext', /^all (?:49|50)\d ms/);
    await strip(page).press('Enter');
    const form = page.getByRole('dialog', { name: 'Time range' });
    await expect(form.getByText(/^--time 0\.7[45]\d*\.\.1\.2[45]\d*$/)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(form).toBeHidden();
    await expectAccessible(page, { within: '.time-pane' });

    await crumbs.getByRole('button', { name: '1 s', exact: true }).click();
    await expect(workbench.status).toContainText('100 of 220 samples');
    await expect(strip(page)).toHaveAttribute('aria-valuetext', /^all 1 s/);
    await page.keyboard.press('Control+z');
    await expect(strip(page)).toHaveAttribute('aria-valuetext', /^all (?:49|50)\d ms/);
    await strip(page).press('Backspace');
    await expect(strip(page)).toHaveAttribute('aria-valuetext', /^all 1 s/);
    await strip(page).press('Backspace');
    await expect(crumbs).toBeHidden();
    await expect(workbench.status).toContainText('220 samples');
  });

  await test.step('a thread’s row has the colours of kinds of code, and shows the stack under the pointer', async () => {
    await chooseForm(page, 'Threads');
    const rows = page.getByRole('listbox', { name: 'Threads over time' }).getByRole('option');
    await expect(rows).toHaveCount(2);
    await expect(page.getByRole('list', { name: 'Kinds of code' }).getByRole('listitem')).toHaveText(['user']);
    const box = (await strip(page).boundingBox())!;
    const row = (await rows.filter({ hasText: 'worker' }).boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, row.y + row.height / 2);
    const tip = page.locator('.time-tip');
    await expect(tip).toContainText('sample at');
    await expect(tip.locator('li')).toHaveText(['inneruser', 'run_worker', 'main']);
    await expectAccessible(page, { within: '.time-pane' });
  });

  await test.step('a click on the strip or on a thread’s bars, and a key, select the stack of that moment', async () => {
    await openScript(workbench, 'moments.perf.txt');
    await page.getByRole('tab', { name: 'Call tree', exact: true }).click();
    const row = page.locator('.data-table tr[aria-selected=true]');
    const clickAt = async (seconds: number, y: number): Promise<void> => {
      const box = (await strip(page).boundingBox())!;
      // The last sample was taken at 1.99 s.
      await page.mouse.click(box.x + (box.width * seconds) / 1.99, y);
    };
    const bars = async (): Promise<number> => (await strip(page).boundingBox())!.y + 40;
    // Every fourth sample is the worker's; two of five end in `outer`.
    await clickAt(0.53, await bars());
    await expect(row.locator('.tree-name')).toHaveText('outer');
    await expect(workbench.details).toContainText('serve');
    await clickAt(0.52, await bars());
    await expect(row.locator('.tree-name')).toHaveText('inner');
    await expect(workbench.details).toContainText('run_worker');
    await expect(chips(page)).toBeHidden();

    await typeRange(page, '0.53', '0.54');
    await strip(page).press('s');
    await expect(row.locator('.tree-name')).toHaveText('outer');
    // A click outside the range removes it.
    await clickAt(1.5, await bars());
    await expect(chips(page)).toBeHidden();

    await page.getByRole('radio', { name: 'Bottom-up' }).press('Space');
    await clickAt(0.52, await bars());
    await expect(row.locator('.tree-name')).toHaveText('inner');
    await expect(row).toHaveAttribute('aria-level', '2');
    await chooseForm(page, 'Threads');
    const worker = page.getByRole('listbox', { name: 'Threads over time' }).getByRole('option', { name: /worker/ });
    const box = (await worker.boundingBox())!;
    await clickAt(0.48, box.y + box.height / 2);
    await expect(workbench.status).toContainText('50 of 220 samples');
    await expect(row.locator('.tree-name')).toHaveText('outer');
  });
});
