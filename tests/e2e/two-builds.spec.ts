import { compileTwoBuilds } from '../support/two-builds.ts';
import { expect, test } from './workbench.ts';

test('two builds recorded alternately are a group each and match as one program', async ({
  workbench,
  page,
  folder,
}) => {
  test.setTimeout(120_000);
  const { before, after } = compileTwoBuilds(folder);
  await expect(workbench.status).toContainText('engine ready');
  await page
    .getByRole('button', { name: /^Record/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Record' });
  await dialog.getByLabel('Purpose of the recording').selectOption({ label: 'before and after, alternating' });
  await dialog.getByText('Command', { exact: true }).first().click();
  await dialog.getByLabel('Command before').fill(`${before} --port 80`);
  await dialog.getByLabel('Command after').fill(`${after} --port 80`);
  await dialog.getByLabel('Duration').fill('');
  await dialog.getByLabel('Repeat').fill('2');
  await expect(dialog.getByRole('button', { name: 'Start recording' })).toBeEnabled({ timeout: 20_000 });
  await dialog.getByRole('button', { name: 'Start recording' }).click();
  const group = (program: string, size: string) =>
    workbench.library.getByRole('button', { name: new RegExp(`^${program} --port 80 ?${size}$`) });
  await expect(group('server-old', 'before · 2 runs')).toBeVisible({ timeout: 60_000 });
  await expect(group('server-new', 'after · 2 runs')).toBeVisible({ timeout: 60_000 });
  await expect(workbench.library.locator('.experiment > .side-row')).toHaveText([
    /^server-old --port 80 → server-new --port 80/,
  ]);
  await group('server-new', 'after · 2 runs').click();
  await expect(workbench.library.getByRole('button', { name: /^run 2/ })).toBeVisible();

  await page.getByRole('complementary', { name: 'Details' }).getByText('Matching', { exact: true }).first().click();
  const rule = page.getByRole('checkbox', { name: 'Two builds of one program' });
  await expect(rule).toBeChecked();
  const panel = page.locator('.matching');
  await expect(panel).toContainText('server-old → server-new');
  const leading = page.getByRole('list', { name: 'Read this first' });
  await expect(leading).toBeHidden();
  await rule.scrollIntoViewIfNeeded();

  await rule.uncheck();
  await expect(leading).toContainText('of the weight is in functions that are on one side only');
  await expect(leading).toContainText('“Two builds of one program” (executable), which is off');
  await leading.getByRole('button', { name: 'Match by this rule' }).click();
  await expect(leading).toBeHidden();
  await expect(rule).toBeChecked();
  await workbench.numbersAgree();
});
