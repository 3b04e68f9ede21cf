import { chips, chooseForm, dragAcross, expectAccessible, openScript, strip, typeRange } from './time-pane.ts';
import { expect, test } from './workbench.ts';

test('ranges are gone into, one within the other, and backed out of by crumbs, keys and undo', async ({
  workbench,
  page,
}) => {
  await openScript(workbench);
  await expect(workbench.status).toContainText('220 samples');
  const crumbs = page.getByRole('navigation', { name: 'Out of the time range' });
  await typeRange(page, '0.5', '1.5');
  await expect(workbench.status).toContainText('100 of 220 samples');
  await page.getByRole('button', { name: 'Go into the range' }).click();
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
  await expectAccessible(page);

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

test('a thread’s row has the colours of kinds of code, and tells the stack under the pointer', async ({
  workbench,
  page,
}) => {
  await openScript(workbench);
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
  await expectAccessible(page);
});
