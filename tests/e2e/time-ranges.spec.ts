import { chips, dragAcross, expectAccessible, openScript, strip, typeRange } from './time-pane.ts';
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
